// The panel of what can be learnt: the tutorial of Chase, and puzzles.

import { html } from "./dom.js";
import { Lessons } from "./lessons.js";
import { Puzzles } from "./puzzles.js";

export class Learn {
  #panel;
  #lessons;
  #puzzles;

  constructor(panel, game, board, exercise, { lessons, puzzles }) {
    this.#panel = panel;
    this.#lessons = lessons.length ? new Lessons(game, exercise, lessons) : null;
    this.#puzzles = puzzles.length ? new Puzzles(game, exercise, puzzles) : null;
    // The person who is to move sits below.
    game.addEventListener("replaced", () => game.exercise && board.flip(exercise.isOf(this.#puzzles) && this.#puzzles.seat === "black"));
    exercise.addEventListener("drawn", () => this.#draw());
    this.#draw();
  }

  /** Whether there is a tutorial. */
  get hasTutorial() {
    return this.#lessons !== null;
  }

  /** Begins what an address names, such as `tutorial=3`; whether it names something. Throws an error if that is not there. */
  async open(address) {
    for (const [key, source] of [["tutorial", this.#lessons], ["puzzle", this.#puzzles]]) {
      const number = address.get(key);
      if (number === null) continue;
      const most = source?.list().length ?? 0;
      if (!most) throw new Error(`There is no ${key} of this game.`);
      if (!/^[1-9]\d*$/.test(number) || number > most) throw new Error(`The address says ${key}=${number}, expected 1 to ${most}.`);
      await source.begin(number - 1);
      return true;
    }
    return false;
  }

  #draw() {
    this.#panel.replaceChildren(...[this.#lessons && this.#tutorial(), this.#list()].filter(Boolean));
  }

  #buttons(source, items, words) {
    return items.map(([text, done], index) =>
      html("button", { class: done ? "done" : "", title: text, "aria-label": `${words} ${index + 1}: ${text}${done ? ", done" : ""}`, onclick: () => source.begin(index) }, `${index + 1}`));
  }

  #tutorial() {
    const items = this.#lessons.list();
    const next = items.findIndex(([, done]) => !done);
    const words = next > 0 ? `Go on with step ${next + 1}` : "Start the tutorial";
    return html("div", { class: "card" }, html("h2", {}, "Tutorial"),
      html("p", {}, `The rules of Chase in ${items.length} steps on the board, about three minutes.`),
      html("div", { class: "row" }, html("button", { id: "tutorial", class: "main", onclick: () => this.#lessons.begin(Math.max(0, next)) }, words)),
      html("div", { class: "row numbers", role: "group", "aria-label": "Steps of the tutorial" }, ...this.#buttons(this.#lessons, items, "Step")));
  }

  #list() {
    const card = (...children) => html("div", { class: "card" }, html("h2", {}, "Puzzles"), ...children);
    if (!this.#puzzles) return card(html("p", { class: "soft" }, "There are no puzzles of this game yet."));
    const items = this.#puzzles.list();
    const count = items.filter(([, done]) => done).length;
    return card(
      html("p", {}, "Something can be forced in each of these positions. Every turn is checked by a proof, so any solution counts."),
      html("p", { class: "soft" }, `${count} of ${items.length} solved.`),
      html("div", { class: "row numbers", role: "group", "aria-label": "Puzzles" }, ...this.#buttons(this.#puzzles, items, "Puzzle")));
  }
}
