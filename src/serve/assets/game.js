// The game on the board. The server plays it through and says what it looks like.

import { call, isAbort } from "./api.js";
import { common } from "./variations.js";

/** Gives an action of a board of cells a way to be drawn, as the dice of Chase have. */
export function withLegs(action) {
  action.legs ??= action.steps.length ? [{ cells: action.steps }] : [];
  return action;
}

/**
 * Both sides are moved by hand, and nobody has resigned. In a match `human` is the colour of the person and `opponent` who plays
 * the other one; `ended` tells whether the game has come to its end, `names` who played a game that was put on the board.
 */
export const NOBODY = { human: null, opponent: null, resigned: null, ended: false, names: { white: "", black: "" } };

/**
 * Events: `change` when another position is shown, `played` with the action when somebody has played, `left` when plies of
 * the game are no longer part of it, with the game before, their number, and whether they were only cut off; `replaced`, with
 * the game before, when another took its place; `resigned` when the person gives up, or does not after all; `valued` and
 * `reviewed` when more is known of positions; `asked` and `answered` around requests; `trouble` with an error.
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
  /** Who plays, as `NOBODY` has it. */
  seats = NOBODY;
  /** Exact forms. */
  moves = [];
  /** What the server says of the position shown; see `/api/game`. */
  view = null;
  /** What is known of positions: a tree by moves from the start. Nodes may have a `value`, a `best` action and `reviewed`. */
  notes = {};
  /** The request for what will be shown. */
  #asking = null;
  /** The change of the game that was asked for last. */
  #changing = null;
  /** The ply that steps lead to, and the way there, which takes as long as the server does. */
  #goal = null;
  #walking = null;

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

  /** What `begin` needs to come back to it as it is. */
  kept() {
    return { ...this.whole(), at: this.view?.at, seats: this.seats, notes: this.notes };
  }

  /** Whether the position shown is the last one. */
  get isLast() {
    return this.view !== null && this.view.at === this.moves.length;
  }

  /** The ply that is shown, or will be after the steps so far. */
  get at() {
    return this.#goal ?? this.view?.at ?? 0;
  }

  /** A new game. */
  begin({ start = null, seed = null, rules = null, moves = [], at, exercise = false, seats = NOBODY, notes = {} } = {}) {
    return this.#change({ name: this.name, start, seed, rules, moves }, at, { replaced: { exercise, seats, notes } });
  }

  /** Plays an action, in any form; what came after the position shown is left, unless the action leads there. */
  async play(text, game = this.stated()) {
    const done = await this.#change({ ...game, moves: [...game.moves, text] }, undefined, { plays: true });
    if (done) this.dispatchEvent(new CustomEvent("played", { detail: this.view.last }));
    return done;
  }

  /** Shows the position after `at` plies. */
  go(at) {
    return this.#aim(() => at);
  }

  /** Goes some plies on, or back: from where the steps before lead to. */
  step(plies) {
    return this.#aim(() => this.at + plies);
  }

  /** Leaves the game for another line from the same start. */
  follow(moves, at) {
    return this.#change({ ...this.whole(), moves }, at);
  }

  /** Leaves the plies from `at` on. */
  cut(at) {
    return this.#change({ ...this.whole(), moves: this.moves.slice(0, at) });
  }

  /** Does something once the change that was asked for before is shown, however slow the server is. */
  async inTurn(work) {
    let changing;
    do await (changing = this.#changing);
    while (changing !== this.#changing);
    return work();
  }

  /** What is known of the positions of the game, by ply: nodes of the tree, as far as there are any. */
  noted() {
    let node = this.notes;
    return [node, ...this.moves.map((move) => (node = node?.next?.[move]))];
  }

  /** Values of positions, or the best actions, by ply. */
  #known(what) {
    return new Map(this.noted().flatMap((node, ply) => (node?.[what] === undefined ? [] : [[ply, node[what]]])));
  }

  /** White's expected score by ply, as far as known. */
  get values() {
    return this.#known("value");
  }

  /** The best action by ply, as far as known: its exact form (`action`) and its `text`. */
  get best() {
    return this.#known("best");
  }

  /** Whether the whole game was analysed. */
  get isReviewed() {
    return this.noted().at(-1)?.reviewed ?? false;
  }

  note(ply, value, best) {
    this.#note(ply, { value, ...(best === undefined ? {} : { best }) });
    this.dispatchEvent(new Event("valued"));
  }

  /** The whole game was analysed. */
  review() {
    this.#note(this.moves.length, { reviewed: true });
    this.dispatchEvent(new Event("reviewed"));
  }

  #note(ply, known) {
    let node = this.notes;
    for (const move of this.moves.slice(0, ply)) node = (node.next ??= {})[move] ??= {};
    Object.assign(node, known);
  }

  /** Shows another game, or another line of this one, before anything that was asked for earlier. */
  #change(...what) {
    this.#changing = this.#show(...what);
    return this.#changing;
  }

  /** Shows one position after the other, as the server answers, up to where the steps have led meanwhile. */
  async #walk() {
    let done = true;
    while (done && this.#goal !== this.view.at) done = await this.#show(this.whole(), this.#goal);
    this.#goal = this.#walking = null;
    return done;
  }

  /** `replaced` says that this is another game, and what belongs to it; `plays` that an action was added. */
  async #show(game, at, { replaced = null, plays = false } = {}) {
    // What is asked for now counts.
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.dispatchEvent(new Event("asked"));
    try {
      const view = await call("/api/game", { ...game, at }, asking.signal);
      if (asking.signal.aborted) return false;
      const before = { ...this.kept(), plies: this.view?.plies ?? [], exercise: this.exercise };
      Object.assign(this, replaced);
      this.start = game.start;
      this.seed = view.seed ?? null;
      this.rules = game.rules;
      this.moves = view.plies.map((ply) => ply.action);
      this.view = view;
      for (const action of [...view.actions, view.last]) if (action) withLegs(action);
      const kept = replaced ? 0 : common(before.moves, this.moves);
      // An action that the game has anyway takes nothing from it.
      const goesOn = plays && kept === this.moves.length;
      if (goesOn) [this.moves, view.plies] = [before.moves, before.plies];
      const lost = goesOn ? 0 : before.moves.length - kept;
      if (replaced) this.dispatchEvent(new CustomEvent("replaced", { detail: before }));
      else if (lost) this.dispatchEvent(new CustomEvent("left", { detail: { before, lost, cut: kept === this.moves.length } }));
      this.dispatchEvent(new Event("change"));
      return true;
    } catch (error) {
      if (!isAbort(error)) this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
      return false;
    } finally {
      if (!asking.signal.aborted) this.dispatchEvent(new Event("answered"));
    }
  }

  #aim(where) {
    return this.inTurn(() => {
      if (!this.view) return false;
      this.#goal = Math.max(0, Math.min(where(), this.moves.length));
      return (this.#walking ??= this.#walk());
    });
  }
}
