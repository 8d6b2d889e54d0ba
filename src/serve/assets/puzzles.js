// Puzzles: something can be forced, and the server proves after each turn whether it still can.

import { complain } from "./announce.js";
import { call, isAbort } from "./api.js";
import { byId, html } from "./dom.js";
import { solve, solved } from "./memory.js";
import { name } from "./words.js";

/** Milliseconds before the reply, so that one's own turn can be seen. */
const PAUSE = 450;

export class Puzzles {
  #game;
  #exercise;
  #puzzles;
  #at = 0;
  /** `open`, `thinking`, `missed`, `solved`, or `shown` when the solution was asked for. */
  #state = "open";
  /** Plies up to which the solution can still be reached. */
  #held = 0;
  /** Whether the opponent's plies are being played. */
  #replying = false;
  /** The moves that were judged last. */
  #judged = null;

  constructor(game, exercise, puzzles) {
    this.#game = game;
    this.#exercise = exercise;
    this.#puzzles = puzzles;
  }

  /** Pairs of task and whether it was solved. */
  list() {
    const known = solved(this.#game.name);
    return this.#puzzles.map(({ task, start }) => [task, known.has(start)]);
  }

  /** Begins a puzzle, from 0. */
  async begin(at = 0) {
    this.#at = Math.max(0, Math.min(at, this.#puzzles.length - 1));
    this.#state = "open";
    this.#held = 0;
    this.#judged = "";
    this.#replying = false;
    await this.#exercise.begin(this, this.#puzzle, { puzzle: this.#at + 1 });
  }

  get #puzzle() {
    return this.#puzzles[this.#at];
  }

  get seat() {
    return this.#puzzle.to_move;
  }

  title() {
    return `Puzzle ${this.#at + 1} of ${this.#puzzles.length}`;
  }

  text() {
    return "";
  }

  task() {
    return `${this.#puzzle.task}.`;
  }

  mayAct() {
    return this.#state === "open" && this.#game.isLast && this.#game.view.to_move === this.#puzzle.to_move;
  }

  async #judge(moves) {
    return call("/api/puzzle", { puzzle: this.#at, game: { name: this.#game.name, moves } });
  }

  #turn(state, text, mood) {
    this.#state = state;
    this.#exercise.say(text, mood);
    this.#exercise.draw();
  }

  async check() {
    const { moves } = this.#game;
    const key = moves.join(" ");
    if (!this.#game.isLast || this.#replying || this.#state === "shown" || this.#judged === key) return;
    this.#judged = key;
    const at = this.#at;
    this.#turn("thinking", "");
    try {
      const judged = await this.#judge(moves);
      if (this.#judged !== key || this.#at !== at || !this.#exercise.isOf(this)) return;
      await this.#follow(judged, moves);
    } catch (error) {
      if (isAbort(error)) return;
      this.#judged = null;
      this.#turn("missed", "");
      complain(error.message);
    }
  }

  async #follow({ state, reply, refutation }, moves) {
    if (state === "solved") {
      solve(this.#game.name, this.#puzzle.start);
      this.#turn("solved", "Solved.", "good");
      byId("exercise-next")?.focus({ preventScroll: true });
    } else if (state === "missed") {
      const other = name(this.#puzzle.to_move === "white" ? "black" : "white");
      this.#turn("missed", refutation ? `That does not force it: ${other} answers ${refutation}.` : "That does not force it.", "bad");
      byId("exercise-again")?.focus({ preventScroll: true });
    } else {
      this.#held = moves.length + reply.length;
      const words = moves.length ? "Right. Go on." : "";
      if (!reply.length) return this.#turn("open", words, "good");
      await new Promise((done) => setTimeout(done, PAUSE));
      if (this.#judged !== moves.join(" ") || !this.#exercise.isOf(this)) return;
      this.#replying = true;
      for (const action of reply) await this.#game.play(action, this.#game.whole());
      this.#replying = false;
      // The goal may be reached by now.
      await this.check();
    }
  }

  /** Goes back to where the solution could still be reached. */
  async #again() {
    const moves = this.#game.moves.slice(0, this.#held);
    this.#judged = moves.join(" ");
    await this.#game.follow(moves);
    this.#turn("open", "");
  }

  /** Puts the solution into the game, to be stepped through. */
  async #show() {
    const moves = this.#game.moves.slice(0, this.#held);
    try {
      const { line } = await this.#judge(moves);
      this.#state = "shown";
      await this.#game.follow([...moves, ...line], moves.length);
      const texts = this.#game.view.plies.slice(moves.length).map(({ text }) => text);
      this.#turn("shown", `The solution: ${texts.join("  ")}. Step through it with ▶.`);
      byId("forward").focus({ preventScroll: true });
    } catch (error) {
      if (!isAbort(error)) complain(error.message);
    }
  }

  steps() {
    const over = ["solved", "shown"].includes(this.#state);
    const missed = this.#state === "missed";
    const last = this.#at === this.#puzzles.length - 1;
    return [
      missed && html("button", { id: "exercise-again", class: "main", onclick: () => this.#again() }, "Try again"),
      over && html("button", { id: "exercise-repeat", onclick: () => this.begin(this.#at) }, "From the beginning"),
      !over && html("button", { id: "exercise-solution", disabled: this.#state === "thinking", onclick: () => this.#show() }, "Show the solution"),
      !last && html("button", { id: "exercise-next", class: this.#state === "solved" ? "main" : "", onclick: () => this.begin(this.#at + 1) }, "Next puzzle"),
    ].filter(Boolean);
  }
}
