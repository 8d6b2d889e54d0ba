// The game on the board. The server plays it through and says what it looks like.

import { call } from "./api.js";

/**
 * Events: `change` when another position is shown, `played` with the action when somebody has played, `forgot` when plies
 * were lost, with the game before, the number of plies lost, and whether another game took its place; `trouble` with an error.
 */
export class Game extends EventTarget {
  start = null;
  rules = null;
  /** Exact forms. */
  moves = [];
  /** What the server says of the position shown; see `/api/game`. */
  view = null;
  /** White's expected points by ply, as far as known. */
  values = new Map();
  #request = 0;

  /** The game as requests state it, up to the position shown. */
  stated() {
    return { start: this.start, rules: this.rules, moves: this.moves.slice(0, this.view?.at ?? 0) };
  }

  /** The whole game. */
  whole() {
    return { start: this.start, rules: this.rules, moves: this.moves };
  }

  /** Whether the position shown is the last one. */
  get isLast() {
    return this.view !== null && this.view.at === this.moves.length;
  }

  /** A new game. */
  begin({ start = null, rules = null, moves = [], at } = {}) {
    return this.#show({ start, rules, moves }, at, () => this.values.clear(), true);
  }

  /** Plays an action, in any form; what came after the position shown is forgotten. */
  async play(text) {
    const { start, rules, moves } = this.stated();
    const kept = moves.length;
    const forget = () => this.values.forEach((_, ply) => ply > kept && this.values.delete(ply));
    const done = await this.#show({ start, rules, moves: [...moves, text] }, undefined, forget);
    if (done) this.dispatchEvent(new CustomEvent("played", { detail: this.view.last }));
    return done;
  }

  /** Shows the position after `at` plies. */
  go(at) {
    const ply = Math.max(0, Math.min(at, this.moves.length));
    return ply === this.view?.at ? Promise.resolve(true) : this.#show(this.whole(), ply);
  }

  /** Forgets the plies from `at` on. */
  cut(at) {
    return this.#show({ ...this.whole(), moves: this.moves.slice(0, at) });
  }

  note(ply, points) {
    this.values.set(ply, points);
    this.dispatchEvent(new Event("valued"));
  }

  async #show(game, at, before = () => {}, replaced = false) {
    const request = ++this.#request;
    try {
      const view = await call("/api/game", { ...game, at });
      // An answer that something newer has overtaken.
      if (request !== this.#request) return false;
      before();
      const old = { ...this.whole(), at: this.view?.at };
      this.start = game.start;
      this.rules = game.rules;
      this.moves = view.plies.map((ply) => ply.action);
      this.view = view;
      this.dispatchEvent(new Event("change"));
      const kept = replaced ? 0 : old.moves.findIndex((move, ply) => move !== this.moves[ply]);
      const lost = kept < 0 ? 0 : old.moves.length - kept;
      if (lost) this.dispatchEvent(new CustomEvent("forgot", { detail: { before: old, lost, replaced } }));
      return true;
    } catch (error) {
      this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
      return false;
    }
  }
}
