// What the games of a run made of the position shown.

import { complain } from "./announce.js";
import { call, isAbort } from "./api.js";
import { html, setOptions } from "./dom.js";
import { percent } from "./words.js";

function results({ white, draws, black, truncated }) {
  const decided = white + draws + black;
  const part = (role, count) => {
    const element = html("i", { class: role }, decided && count / decided > 0.15 ? percent(count / decided) : "");
    element.style.flexGrow = count;
    return element;
  };
  const words = `White won ${white}, drawn ${draws}, Black won ${black}${truncated ? `, without a result ${truncated}` : ""}`;
  return html("span", { class: "odds flat", title: words, role: "img", "aria-label": words },
    part("white", white), part("draw", draws), part("black", black));
}

export class Explorer {
  #game;
  #selection;
  #active = false;
  #parts = {};
  #running = null;

  constructor(game, selection, panel, status) {
    this.#game = game;
    this.#selection = selection;
    const run = html("select", { id: "explored-run", onchange: () => this.#show() });
    const purpose = html("select", { id: "purpose", "aria-label": "Games", onchange: () => this.#show() });
    setOptions(purpose, [["measurement", "measurement games (without noise)"], ["selfplay", "self-play games"]]);
    const facts = html("p", { class: "soft", id: "explored-facts" });
    const table = html("div", { id: "explored" });
    this.#parts = { run, purpose, facts, table };
    const none = html("p", { class: "soft" }, "No runs: ", html("code", {}, "chase serve --runs DIR"), " lets you walk through the openings of the runs in a folder.");
    panel.append(
      html("div", { class: "card" }, html("h2", {}, "Openings"),
        ...(status.has_runs
          ? [html("div", { class: "row" }, html("label", { for: "explored-run" }, "Run"), run), html("div", { class: "row" }, purpose), facts, table]
          : [none])),
    );
    game.addEventListener("change", () => this.#show());
  }

  /** Looks only while its panel is open. */
  async activate(active, runs) {
    this.#active = active;
    if (active && runs) setOptions(this.#parts.run, runs.map((name) => [name, name]));
    if (active) await this.#show();
  }

  async #show() {
    const { run, purpose, facts, table } = this.#parts;
    this.#running?.abort();
    if (!this.#active || !run.value || !this.#game.view) return;
    const running = new AbortController();
    this.#running = running;
    const game = this.#game.stated();
    facts.textContent ||= "Reading games …";
    try {
      let answer;
      do {
        const body = { game, run: run.value, purpose: purpose.value };
        answer = await call("/api/explorer", body, running.signal);
        facts.textContent = `${answer.games.toLocaleString("en-GB")} games of this run${answer.more ? ", reading more …" : ""}.`;
        table.replaceChildren(this.#table(answer.moves));
      } while (answer.more && !running.signal.aborted);
    } catch (error) {
      if (isAbort(error)) return;
      table.replaceChildren();
      facts.textContent = "";
      complain(error.message);
    }
  }

  #table(moves) {
    if (!moves.length) return html("p", {}, "None of its games came here (games are kept for their first 30 plies).");
    const total = moves.reduce((sum, { tally }) => sum + tally.games, 0);
    const legal = new Map(this.#game.view.actions.map((action) => [action.action, action]));
    const row = ({ action, text, tally, value, class: kind }) =>
      html(
        "tr",
        {
          "data-action": action,
          onpointerenter: () => this.#selection.showAction(legal.get(action) ?? null),
          onpointerleave: () => this.#selection.showAction(null),
        },
        html("td", {}, html("button", { class: "link", onclick: () => this.#game.play(action) }, text), kind ? html("small", { class: "soft" }, ` ${kind}`) : null),
        html("td", { class: "number", title: percent(tally.games / total) }, tally.games.toLocaleString("en-GB")),
        html("td", { class: "wide" }, results(tally)),
        html("td", { class: "number" }, value === null ? "–" : percent(value)),
      );
    const head = html("tr", {}, ...[["move", ""], ["games", ""], ["results", "White, drawn, Black"], ["value", "White's expected points after the move, as the searches of these games said"]]
      .map(([text, title]) => html("th", { title }, text)));
    return html("table", { class: "candidates" }, html("thead", {}, head), html("tbody", {}, ...moves.map(row)));
  }
}
