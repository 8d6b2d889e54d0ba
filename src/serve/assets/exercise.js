// A position with a task: the card above the board that says what to do, and whether it was done.

import { byId, html } from "./dom.js";
import { pathTo, readdress } from "./memory.js";

/**
 * What is on the board as an exercise. A source of exercises (the tutorial, the puzzles) has `title()`, `text()`, `task()`,
 * `mayAct()`, `check()`, called when another position is shown, and `steps()`: the buttons of the card.
 */
export class Exercise extends EventTarget {
  #game;
  #variations;
  /** Where the exercise is from; nothing if there is none. */
  #source = null;
  /** What was on the board before, to go back to. */
  #before = null;
  #parts = {};

  constructor(game, variations) {
    super();
    this.#game = game;
    this.#variations = variations;
    this.#parts = {
      title: html("h2", { id: "exercise-title" }),
      text: html("p", { id: "exercise-text" }),
      task: html("p", { id: "exercise-task" }),
      feedback: html("p", { id: "exercise-feedback", role: "status" }),
      steps: html("div", { class: "row" }),
    };
    byId("exercise").append(...Object.values(this.#parts));
    game.addEventListener("replaced", () => game.exercise || this.#drop());
    game.addEventListener("change", () => this.#source?.check());
  }

  /** Whether the person may act on the board, as far as the exercise goes. */
  mayAct() {
    return this.#source?.mayAct() ?? true;
  }

  /** Whether an exercise of that source is on. */
  isOf(source) {
    return this.#source === source;
  }

  /** Puts an exercise on the board; whether that was done. `address` is what the address of the page says of it. */
  async begin(source, { start, rules = null }, address) {
    const before = this.#source;
    if (!before) this.#before = { game: this.#game.kept(), lines: this.#variations.lines };
    this.#source = source;
    this.say("");
    if (!(await this.#game.begin({ start, rules, exercise: true }))) {
      this.#source = before;
      return false;
    }
    readdress(pathTo(this.#game.name, address));
    this.draw();
    byId("exercise").scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Says what was right or wrong; `mood` is `good`, `bad` or nothing. */
  say(text, mood = "") {
    this.#parts.feedback.textContent = text;
    this.#parts.feedback.className = mood;
  }

  /** Goes back to the game before. */
  async end() {
    const before = this.#before;
    if (!this.#source || !before) return;
    if (await this.#game.begin(before.game)) this.#variations.set(before.lines);
  }

  draw() {
    const source = this.#source;
    byId("exercise").hidden = !source;
    if (source) {
      const { title, text, task, steps } = this.#parts;
      title.textContent = source.title();
      text.textContent = source.text();
      text.hidden = !source.text();
      task.textContent = source.task();
      const focused = steps.contains(document.activeElement) && document.activeElement.id;
      steps.replaceChildren(...source.steps(), html("button", { id: "exercise-end", class: "quiet", onclick: () => this.end() }, "Close"));
      if (focused) byId(focused)?.focus();
    }
    this.dispatchEvent(new Event("drawn"));
  }

  /** Another game is on the board. */
  #drop() {
    if (!this.#source) return;
    this.#source = null;
    this.#before = null;
    readdress(pathTo(this.#game.name));
    this.draw();
  }
}
