// The card about the whole game: White's win chance by ply, mistakes, and how well each side played.

import { complain } from "./announce.js";
import { isAbort, server } from "./api.js";
import { points } from "./candidates.js";
import { html } from "./dom.js";
import { valueGraph } from "./graph.js";
import { accuracyOf, review } from "./review.js";
import { name, player as playerOf } from "./words.js";

/** Mistakes of a game that are listed. */
const WORST = 5;
const WHOLE = "Whole game";
/** Simulations per position that are suggested. */
const USUAL = 200;

export class Review {
  #game;
  #engine;
  /** The analysis of the whole game that is going on. */
  #tour = null;
  #parts = {};

  /** `engine.search(game, simulations, signal, tell)` searches a position, `engine.pause()` ends what else is searched, `engine.point(action)` draws an action in exact form. */
  constructor(game, engine, most, panel) {
    this.#game = game;
    this.#engine = engine;
    const each = html("input", { id: "each", type: "number", inputmode: "numeric", required: true, min: 1, max: most, value: Math.min(USUAL, most) });
    const whole = html("button", { id: "analyse-game", title: "Analyse every position of the game", onclick: () => this.#whole() }, WHOLE);
    const unit = html("label", { for: "each", class: "soft" }, "");
    const progress = html("p", { id: "progress", class: "soft", role: "status", hidden: true });
    const graph = html("div", { id: "value-graph" });
    const verdict = html("div", { id: "review" });
    this.#parts = { each, whole, unit, progress, graph, verdict };
    this.count("simulations");
    panel.append(
      html("div", { class: "card" }, html("h2", {}, `Win chance (${name("white")})`), graph,
        html("p", { class: "soft" }, "Analysed positions. Click to go to one."),
        html("div", { class: "row" }, whole, each, unit),
        progress, verdict),
    );
    game.addEventListener("change", () => this.#changed());
    game.addEventListener("valued", () => this.#drawGraph());
    game.addEventListener("reviewed", () => this.#drawReview());
  }

  /** Names what the engine counts. */
  count(unit) {
    this.#parts.unit.textContent = `${unit} a position`;
  }

  /** Ends the analysis of the whole game. */
  stop() {
    this.#tour?.abort();
  }

  /** Keeps what a report says of the position after `ply` plies. */
  note(report, ply) {
    if (report.value === null) return;
    const mine = points(report.value);
    const [best] = report.actions;
    this.#game.note(ply, playerOf(report.to_move) === "white" ? mine : 1 - mine, best && { action: best.action, text: best.text });
  }

  /** The game that is on the board, whatever position of it is shown. */
  #key() {
    return JSON.stringify(this.#game.whole());
  }

  #changed() {
    if (this.#tour && this.#tour.key !== this.#key()) this.#tour.abort();
    this.#drawReview();
    this.#parts.whole.disabled = !this.#game.moves.length;
    this.#drawGraph();
  }

  /** Analyses every position of the game, also while others of them are looked at. */
  async #whole() {
    if (this.#tour) return this.#tour.abort();
    const { whole, each, progress } = this.#parts;
    if (!each.reportValidity()) return;
    this.#engine.pause();
    const tour = Object.assign(new AbortController(), { key: this.#key() });
    this.#tour = tour;
    whole.textContent = "Stop";
    progress.hidden = false;
    const game = this.#game.whole();
    try {
      for (let ply = 0; ply <= game.moves.length && !tour.signal.aborted; ply += 1) {
        progress.textContent = `Position ${ply + 1} of ${game.moves.length + 1} …`;
        let last = null;
        try {
          await this.#engine.search({ ...game, moves: game.moves.slice(0, ply) }, Number(each.value), tour.signal, (report) => (last = report));
        } catch (error) {
          if (!error.isLost) throw error;
          progress.textContent = `Position ${ply + 1} of ${game.moves.length + 1}: ${error.message}; it goes on when it does.`;
          await new Promise((resolve) => [[server, "back"], [tour.signal, "abort"]].forEach(([target, event]) => target.addEventListener(event, resolve, { once: true })));
          ply -= 1;
          continue;
        }
        if (last && !tour.signal.aborted) this.note(last, ply);
      }
    } catch (error) {
      if (!isAbort(error)) complain(error.message);
    }
    this.#tour = null;
    whole.textContent = WHOLE;
    progress.hidden = true;
    // Another game may have taken its place.
    if (tour.key === this.#key()) this.#game.review();
  }

  /** The worst moves of the game, and how well each side played, as far as the analysis of it went. */
  #drawReview() {
    const { view, values, best, isReviewed } = this.#game;
    // Another game, or another end of it, has another review.
    if (!isReviewed) return this.#parts.verdict.replaceChildren();
    const reviewed = review(view.plies, values, best);
    const worst = reviewed.filter(({ mark }) => mark).sort((one, other) => other.loss - one.loss).slice(0, WORST);
    const scores = ["white", "black"].flatMap((player) => {
      const score = accuracyOf(player, reviewed);
      return score === null ? [] : [`${name(player)} ${score.toFixed(0)} %`];
    });
    const item = ({ number, player, text, turn, loss, mark, best: better }) =>
      html("li", {},
        html("button", { class: "link", title: "Go to the position before this move", onclick: async () => (await this.#game.go(number - 1)) && this.#engine.point(better.action) }, `${turn}${player === "white" ? "." : "…"} ${text}`),
        html("b", { class: "mistake" }, ` ${mark} `),
        `lost ${Math.round(100 * loss)} points; better was ${better.text}`);
    const none = reviewed.length && !worst.length ? [html("p", {}, "No mistakes were found.")] : [];
    this.#parts.verdict.replaceChildren(
      ...(scores.length ? [html("p", {}, html("b", {}, "Accuracy: "), scores.join(", "))] : []),
      ...(worst.length ? [html("h3", {}, "Worst moves"), html("ul", { class: "worst" }, ...worst.map(item))] : none),
    );
  }

  #drawGraph() {
    const { view, values, moves } = this.#game;
    if (!view) return;
    const go = (ply) => this.#game.go(ply);
    this.#parts.graph.replaceChildren(valueGraph({ values, plies: moves.length, at: view.at, go }));
  }
}
