// The tutorial: one task after the other on the real board. The server says by the rules what completes a task.

import { byId, html } from "./dom.js";
import { solved, solve } from "./memory.js";
import { describe } from "./words.js";

export class Lessons {
  #game;
  #exercise;
  #lessons;
  #at = 0;
  #done = false;
  /** The action that did not do it. */
  #wrong = false;

  constructor(game, exercise, lessons) {
    this.#game = game;
    this.#exercise = exercise;
    this.#lessons = lessons;
  }

  #known() {
    return solved("tutorial");
  }

  /** Pairs of title and whether it was done. */
  list() {
    const known = this.#known();
    return this.#lessons.map(({ title, start }) => [title, known.has(`${title} ${start}`)]);
  }

  /** Begins with a step, from 0. */
  async begin(at = 0) {
    this.#at = Math.max(0, Math.min(at, this.#lessons.length - 1));
    this.#done = this.#wrong = false;
    await this.#exercise.begin(this, this.#lesson, { tutorial: this.#at + 1 });
  }

  get #lesson() {
    return this.#lessons[this.#at];
  }

  title() {
    return `Tutorial, ${this.#at + 1} of ${this.#lessons.length}: ${this.#lesson.title}`;
  }

  text() {
    return this.#lesson.text;
  }

  task() {
    return this.#lesson.task;
  }

  mayAct() {
    return !this.#done && !this.#wrong;
  }

  check() {
    const [ply] = this.#game.view.plies;
    if (this.#done) return;
    if (!ply) {
      this.#wrong = false;
      this.#exercise.say("");
      this.#exercise.draw();
      return;
    }
    this.#done = this.#lesson.completed_by.includes(ply.action);
    this.#wrong = !this.#done;
    const { title, start, praise } = this.#lesson;
    if (this.#done) {
      solve("tutorial", `${title} ${start}`);
      this.#exercise.say(`Right. ${praise}`, "good");
    } else {
      const what = this.#game.view.last ? describe(this.#game.view.last, ply.player) : ply.text;
      this.#exercise.say(`That is a legal turn, but not the task: ${what}.`, "bad");
    }
    this.#exercise.draw();
    byId(this.#done ? "exercise-next" : "exercise-again").focus({ preventScroll: true });
  }

  steps() {
    const last = this.#at === this.#lessons.length - 1;
    const next = last
      ? html("button", { id: "exercise-next", class: this.#done ? "main" : "", onclick: () => this.#exercise.end() }, "Finish")
      : html("button", { id: "exercise-next", class: this.#done ? "main" : "", onclick: () => this.begin(this.#at + 1) }, this.#done ? "Next" : "Skip");
    const again = this.#wrong ? html("button", { id: "exercise-again", class: "main", onclick: () => this.begin(this.#at) }, "Try again") : null;
    const back = html("button", { id: "exercise-back", disabled: this.#at === 0, onclick: () => this.begin(this.#at - 1) }, "Back");
    return [again, next, back].filter(Boolean);
  }
}
