// Choosing an action of any game: cells in turn, until only one action is left.

import { announce } from "./announce.js";
import { closeChooser } from "./chooser.js";
import { Choosing } from "./choosing.js";
import { byId, html } from "./dom.js";
import { decision, name } from "./words.js";

const begins = (steps, path) => path.every((cell, index) => steps[index] === cell);

export class PathSelection extends Choosing {
  /** The cells chosen so far. */
  #path = [];

  forget() {
    this.#path = this.#only();
  }

  words(action) {
    return action.text;
  }

  /** Cells that can be chosen next, in the order of their names. */
  stops() {
    return [...this.#goals()].sort();
  }

  #along(path) {
    return this.actions.filter(({ steps }) => steps.length >= path.length && begins(steps, path));
  }

  /** The piece that must move, where only one can. */
  #only() {
    const firsts = new Set(this.actions.map(({ steps }) => steps[0]));
    const [first] = firsts;
    const goesOn = this.actions.some(({ steps }) => steps.length > 1);
    return firsts.size === 1 && first && goesOn ? [first] : [];
  }

  #goals() {
    const next = this.#along(this.#path).map(({ steps }) => steps[this.#path.length]);
    return new Set(next.filter((cell) => cell !== undefined));
  }

  #meant(cell) {
    return this.game.view.board.cells.find(({ name: known }) => known === cell)?.meant ?? cell;
  }

  completed(cell) {
    const path = [...this.#path, this.#meant(cell)];
    return this.#along(path).filter(({ steps }) => steps.length === path.length);
  }

  choose({ cell: clicked, drag }) {
    const cell = this.#meant(clicked);
    if (drag) this.#path = [];
    const completed = this.completed(cell);
    const path = [...this.#path, cell];
    const goesOn = this.#along(path).some(({ steps }) => steps.length > path.length);
    closeChooser();
    this.preview = null;
    if (completed.length === 1 && !goesOn) return drag ? undefined : this.play(completed[0]);
    if (completed.length) return this.offer(completed, cell);
    if (goesOn) {
      this.#path = path;
      announce(`${cell} chosen: ${this.stops().length} goals, ${this.stops().join(", ")}`);
    } else if (this.#path.length) {
      const taken = this.#path.at(-1) === cell;
      this.#path = [];
      // Another piece is chosen, or none.
      if (!taken && this.#along([cell]).length) return this.choose({ cell });
      this.forget();
      announce("nothing chosen");
    }
    this.draw();
  }

  #content({ pieces }) {
    const [top, ...others] = pieces.map(({ player, king, label }) => [name(player), king ? "king" : "piece", label].filter(Boolean).join(" "));
    if (!top) return "empty";
    return others.length ? `stack of ${pieces.length} from the top: ${[top, ...others].join(", ")}` : top;
  }

  /** What is read out on each cell. */
  #labels() {
    const goals = this.#goals();
    return new Map(
      this.game.view.board.cells.map((cell) => {
        let text = `${cell.name}, ${this.#content(cell)}`;
        const completed = this.completed(cell.name);
        if (completed.length === 1) text += `: ${completed[0].text}`;
        else if (completed.length) text += `: ${completed.length} ways`;
        else if (goals.has(cell.meant)) text += ", can be chosen";
        else if (this.#path.includes(cell.name)) text += ", chosen";
        return [cell.name, text];
      }),
    );
  }

  /** Buttons for actions without a place on the board. */
  #drawDecisions() {
    const decisions = this.actions.filter(({ steps }) => !steps.length);
    const box = byId("decisions");
    box.hidden = !decisions.length;
    box.replaceChildren(
      ...decisions.map((action) => html("button", { "data-action": action.action, onclick: () => this.play(action) }, decision(action.text))),
    );
  }

  draw() {
    const { view } = this.game;
    if (!view) return;
    const preview = this.preview ?? this.shown;
    this.board.show({
      board: view.board,
      last: view.last,
      path: this.#path,
      goals: this.#goals(),
      preview,
      courses: this.#path.length > this.#only().length || this.preview ? [] : this.courses,
      labels: this.#labels(),
      movable: new Set(this.actions.filter(({ steps }) => steps.length > 1).map(({ steps }) => steps[0])),
    });
    this.#drawDecisions();
    this.say(`Turn ${view.turn}. ${view.task}.`, preview);
  }
}
