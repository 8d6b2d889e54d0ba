// The game on the board. The server plays it through and says what it looks like.

import { call } from "./api.js";
import { common } from "./variations.js";

/** Gives an action of a board of cells a way to be drawn, as the dice of Chase have. */
export function withLegs(action) {
  action.legs ??= action.steps.length ? [{ cells: action.steps }] : [];
  return action;
}

/**
 * Events: `change` when another position is shown, `played` with the action when somebody has played, `left` when plies of
 * the game are no longer part of it, with the game before, their number, and whether they were only cut off; `replaced`, with
 * the game before, when another took its place; `resigned` when the person gives up; `asked` and `answered` around requests; `trouble` with an error.
 */
export class Game extends EventTarget {
  /** Which game it is. */
  name;
  start = null;
  /** What the first position was drawn with, where there is no `start`. */
  seed = null;
  rules = null;
  /** Whether this is an exercise, not a game of the person's own. */
  exercise = false;
  /** Exact forms. */
  moves = [];
  /** What the server says of the position shown; see `/api/game`. */
  view = null;
  /** White's expected score by ply, as far as known. */
  values = new Map();
  /** The best action by ply, in article form, as far as known. */
  best = new Map();
  #request = 0;

  constructor(name) {
    super();
    this.name = name;
  }

  /** The game as requests state it, up to the position shown. */
  stated() {
    return { ...this.whole(), moves: this.moves.slice(0, this.view?.at ?? 0) };
  }

  /** The whole game. */
  whole() {
    return { name: this.name, start: this.start, seed: this.seed, rules: this.rules, moves: this.moves };
  }

  /** Whether the position shown is the last one. */
  get isLast() {
    return this.view !== null && this.view.at === this.moves.length;
  }

  /** A new game. */
  begin({ start = null, seed = null, rules = null, moves = [], at, exercise = false } = {}) {
    return this.#show({ name: this.name, start, seed, rules, moves }, at, { exercise });
  }

  /** Plays an action, in any form; what came after the position shown is left. */
  async play(text) {
    const game = this.stated();
    const done = await this.#show({ ...game, moves: [...game.moves, text] });
    if (done) this.dispatchEvent(new CustomEvent("played", { detail: this.view.last }));
    return done;
  }

  /** Shows the position after `at` plies. */
  go(at) {
    const ply = Math.max(0, Math.min(at, this.moves.length));
    return ply === this.view?.at ? Promise.resolve(true) : this.#show(this.whole(), ply);
  }

  /** Leaves the game for another line from the same start. */
  follow(moves, at) {
    return this.#show({ ...this.whole(), moves }, at);
  }

  /** Leaves the plies from `at` on. */
  cut(at) {
    return this.#show({ ...this.whole(), moves: this.moves.slice(0, at) });
  }

  note(ply, points, best) {
    this.values.set(ply, points);
    if (best !== undefined) this.best.set(ply, best);
    this.dispatchEvent(new Event("valued"));
  }

  /** `replaced` says that this is another game, and which kind. */
  async #show(game, at, replaced = null) {
    const request = ++this.#request;
    this.dispatchEvent(new Event("asked"));
    try {
      const view = await call("/api/game", { ...game, at });
      // An answer that something newer has overtaken.
      if (request !== this.#request) return false;
      const before = { ...this.whole(), at: this.view?.at, plies: this.view?.plies ?? [], exercise: this.exercise };
      if (replaced) this.exercise = replaced.exercise;
      this.start = game.start;
      this.seed = game.seed;
      this.rules = game.rules;
      this.moves = view.plies.map((ply) => ply.action);
      this.view = view;
      for (const action of [...view.actions, view.last]) if (action) withLegs(action);
      const kept = replaced ? 0 : common(before.moves, this.moves);
      const lost = before.moves.length - kept;
      for (const known of lost || replaced ? [this.values, this.best] : []) {
        known.forEach((_, ply) => (ply > kept || replaced) && known.delete(ply));
      }
      if (replaced) this.dispatchEvent(new CustomEvent("replaced", { detail: before }));
      else if (lost) this.dispatchEvent(new CustomEvent("left", { detail: { before, lost, cut: kept === this.moves.length } }));
      this.dispatchEvent(new Event("change"));
      return true;
    } catch (error) {
      this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
      return false;
    } finally {
      if (request === this.#request) this.dispatchEvent(new Event("answered"));
    }
  }
}
