// How training goes.

import { complain } from "./announce.js";
import { call } from "./api.js";
import { html, setOptions } from "./dom.js";
import { NOBODY } from "./game.js";
import { curve } from "./graph.js";
import { Looks } from "./looks.js";
import { goTo } from "./memory.js";
import { generation } from "./player.js";
import { standingsTable } from "./standings.js";
import { name as called } from "./words.js";

/** Curves that are shown, by part and figure, with what people call them. */
const CURVES = [
  ["evaluation eval/elo", "Elo above random play", "generation"],
  ["learner loss/total", "loss", "step"],
  ["learner loss/policy", "policy loss", "step"],
  ["learner loss/value", "value loss", "step"],
  ["selfplay selfplay/games_per_s", "games per second", "generation"],
];

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export class Runs {
  #game;
  #parts = {};
  #looks = new Looks((signal) => this.#look(signal), complain);
  /** What is shown: the answers of the server, and the generation that games are of. */
  #shown = {};

  constructor(game, panel, status) {
    const run = html("select", { id: "run", onchange: () => this.#choose() });
    const facts = html("p", { id: "run-facts" });
    const curves = html("div", { id: "curves", class: "curves" });
    const games = html("div", { id: "run-games" });
    const standings = html("div", { id: "standings" });
    this.#game = game;
    this.#parts = { run, facts, standings, curves, games };
    const none = html("p", { class: "soft" }, "There are no runs. Start ", html("code", {}, "chase serve --runs DIR"), " to show those in a folder.");
    panel.append(
      html("div", { class: "card" }, html("h2", {}, "Runs"),
        ...(status.has_runs ? [html("div", { class: "row" }, html("label", { for: "run" }, "Run"), run), facts, standings, games, curves] : [none])),
    );
  }

  /** Looks only while its panel is open, if there is anything to look at. */
  activate(active) {
    if (active && this.#parts.run.isConnected) this.#looks.begin();
    else this.#looks.stop();
  }

  #choose() {
    this.#showGames(null);
    this.#shown = {};
    this.#looks.begin();
  }

  /** Shows the runs that there are, and what the chosen one has written. */
  async #look(signal) {
    const { run: chosen, facts } = this.#parts;
    const { runs } = await call("/api/runs", undefined, signal);
    setOptions(chosen, runs.map((name) => [name, name]));
    // Nothing to choose.
    chosen.parentElement.hidden = !runs.length;
    if (!runs.length) {
      this.#shown = {};
      facts.replaceChildren("The folder has no runs yet: ", html("code", {}, "chase train"), " starts one.");
      return;
    }
    const path = `/api/runs/${encodeURIComponent(chosen.value)}`;
    const run = await call(path, undefined, signal);
    // What has not changed stays as it is, under a pointer or with the focus.
    const written = JSON.stringify(run);
    if (signal.aborted || written === this.#shown.written) return;
    this.#show(run);
    // Games of a match come one by one, those of training with a generation.
    const games = `${run.name} ${run.kind === "match" ? run.games : run.generation}`;
    if (games !== this.#shown.games) this.#showGames(run.kind === "study" ? null : await call(`${path}/games`, undefined, signal));
    this.#shown = { written, games };
  }

  #showGames(latest) {
    const own = latest?.game === this.#game.name;
    const won = (player, first) => (own ? `${called(player)} won` : `the ${first} player won`);
    const outcome = { white: won("white", "first"), black: won("black", "second"), draw: "drawn", truncated: "no result" };
    const open = this.#parts.games.querySelector("details")?.open;
    const row = ({ name, white, black, start, rules, moves, values, result, reason }) => {
      const load = async () => {
        const game = { start, rules, moves, at: 0, seats: { ...NOBODY, names: { white, black } } };
        if (!own) return goTo(latest.game, game, "runs");
        if (!(await this.#game.begin(game))) return;
        values.forEach((value, ply) => value !== null && this.#game.note(ply, value));
      };
      return html("li", {}, html("button", { class: "link", onclick: load }, name), ` ${outcome[result]} (${reason}), ${moves.length} plies`);
    };
    const kind = { measurement: "Games without noise, ", selfplay: "Self-play games, ", match: "Latest games" };
    this.#parts.games.replaceChildren(
      ...(latest?.games.length
        ? [html("details", { open }, html("summary", {}, `${kind[latest.kind]}${latest.generation ? generation(latest.generation) : ""}`), html("ul", { class: "games" }, ...latest.games.map(row)))]
        : []),
    );
  }

  #show(run) {
    const { facts, curves, standings } = this.#parts;
    const report = `/runs/${encodeURIComponent(run.name)}/report.html`;
    const count = (number) => number.toLocaleString("en-GB");
    const games = `${count(run.games)} ${run.games === 1 ? "game" : "games"}`;
    const trained = `generation ${count(run.generation)}, ${games}, ${count(run.rows)} rows, ${duration(run.seconds)}. `;
    const words = {
      residual: `Training of a residual network for ${run.game}: ${trained}`,
      nnue: `Training of an efficiently updatable network for ${run.game}: ${trained}`,
      match: `Match or tournament of ${run.game}, ${games}. `,
      study: `Opening study, ${games}. `,
      balance: "Comparison of the balance of games. ",
      book: `Opening book of ${run.game}. `,
      "data set": `Data set of ${run.game}, ${games}. `,
    };
    facts.replaceChildren(
      words[run.kind],
      run.has_report ? html("a", { href: report, target: "_blank", rel: "noopener" }, "Report") : "It has no report yet.",
    );
    standings.replaceChildren(...(run.standings ? [standingsTable(run.standings)] : []));
    curves.replaceChildren(
      ...CURVES.filter(([name]) => run.curves[name]?.length > 1).map(([name, title, unit]) =>
        curve(title, run.curves[name], unit, { low: run.curves[`${name}_low`], high: run.curves[`${name}_high`] })),
    );
  }
}
