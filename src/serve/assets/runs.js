// How training goes.

import { complain } from "./announce.js";
import { call, follow, isAbort } from "./api.js";
import { html, setOptions } from "./dom.js";
import { curve } from "./graph.js";
import { remember } from "./memory.js";
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
  /** Ends the match that is on. */
  #leave;
  #parts = {};
  #running = null;

  constructor(game, leave, panel, status) {
    const run = html("select", { id: "run", onchange: () => this.#follow() });
    const facts = html("p", { id: "run-facts" });
    const curves = html("div", { id: "curves", class: "curves" });
    const games = html("div", { id: "run-games" });
    const standings = html("div", { id: "standings" });
    this.#game = game;
    this.#leave = leave;
    this.#parts = { run, facts, standings, curves, games };
    const none = html("p", { class: "soft" }, "There are no runs. Start ", html("code", {}, "chase serve --runs DIR"), " to show those in a folder.");
    panel.append(
      html("div", { class: "card" }, html("h2", {}, "Runs"),
        ...(status.has_runs ? [html("div", { class: "row" }, html("label", { for: "run" }, "Run"), run), facts, standings, games, curves] : [none])),
    );
  }

  activate(active, runs) {
    this.#running?.abort();
    if (!active) return;
    setOptions(this.#parts.run, (runs ?? []).map((name) => [name, name]));
    // Nothing to choose.
    this.#parts.run.parentElement.hidden = !runs?.length;
    if (runs?.length) this.#follow();
    else this.#parts.facts.replaceChildren("The folder has no runs yet: ", html("code", {}, "chase train"), " starts one.");
  }

  /** Shows the run, and again whenever it has written something. */
  async #follow() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    let known = null;
    this.#parts.games.replaceChildren();
    const path = `/api/runs/${encodeURIComponent(this.#parts.run.value)}`;
    try {
      // The server lets no page follow for ever.
      while (!running.signal.aborted) {
        await follow(`${path}/events`, undefined, running.signal, async () => {
          try {
            const run = await call(path, undefined, running.signal);
            this.#show(run);
            // Games of a match come one by one, those of training with a generation.
            if (run.kind !== "study" && (run.kind === "match" || run.generation !== known)) {
              known = run.generation;
              this.#showGames(await call(`${path}/games`, undefined, running.signal));
            }
          } catch (error) {
            if (!isAbort(error)) complain(error.message);
          }
        });
      }
    } catch (error) {
      if (!isAbort(error)) complain(error.message);
    }
  }

  #showGames(latest) {
    const own = latest?.game === this.#game.name;
    const won = (player, first) => (own ? `${called(player)} won` : `the ${first} player won`);
    const outcome = { white: won("white", "first"), black: won("black", "second"), draw: "drawn", truncated: "no result" };
    const open = this.#parts.games.querySelector("details")?.open;
    const row = ({ name, white, black, start, rules, moves, values, result, reason }) => {
      const load = async () => {
        if (!own) return this.#goTo(latest.game, { start, rules, moves, at: 0 }, { white, black });
        this.#leave({ white, black });
        if (!(await this.#game.begin({ start, rules, moves, at: 0 }))) return;
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

  /** Shows a game of another kind, on the page of that game. */
  #goTo(name, game, names) {
    remember(name, { game, lines: [], play: { match: { human: null, opponent: null }, resigned: null, ended: false, names }, panel: "runs" });
    location.assign(name === "chase" ? "/" : `/?game=${name}`);
  }

  #show(run) {
    const { facts, curves, standings } = this.#parts;
    const report = `/runs/${encodeURIComponent(run.name)}/report.html`;
    const count = (number) => number.toLocaleString("en-GB");
    const games = `${count(run.games)} ${run.games === 1 ? "game" : "games"}`;
    const trained = `generation ${count(run.generation)}, ${games}, ${count(run.rows)} rows, ${duration(run.seconds)}. `;
    const words = {
      training: `Training of ${run.game}: ${trained}`,
      nnue: `Training of an efficiently updatable network: ${trained}`,
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
