// Choosing an action of any game: cells in turn, until only one action is left. What is legal comes from the server.

import { announce } from "./announce.js";
import { choose, closeChooser } from "./chooser.js";
import { byId, html } from "./dom.js";
import { decision, ending, name } from "./words.js";

const begins = (steps, path) => path.every((cell, index) => steps[index] === cell);

export class PathSelection {
  /** Whether the person at the page may act for the player to move. */
  mayAct = () => true;
  #game;
  #board;
  /** The cells chosen so far. */
  #path = [];
  /** Whether an action was played and the board does not show it yet: nothing more can be chosen on it. */
  #played = false;
  #preview = null;
  /** Arrows from elsewhere: candidates, hints. */
  #courses = [];
  /** An action that somebody else shows. */
  #shown = null;

  constructor(game, board) {
    this.#game = game;
    this.#board = board;
    game.addEventListener("change", () => this.#settle());
    game.addEventListener("answered", () => this.#played && this.#settle());
    board.addEventListener("choose", ({ detail }) => this.#choose(detail));
    board.addEventListener("point", ({ detail }) => this.#point(detail));
  }

  #settle() {
    this.#played = false;
    this.clear();
  }

  /** Takes back the choice so far. */
  clear() {
    this.#path = this.#only();
    this.#preview = null;
    closeChooser();
    this.draw();
  }

  /** Arrows beside those of the choice: pairs of legs and looks. */
  setCourses(courses) {
    this.#courses = courses;
    this.draw();
  }

  /** Shows an action, `null` for no more. */
  showAction(action) {
    this.#shown = action;
    this.draw();
  }

  /** Cells that can be chosen next, in the order of their names. */
  stops() {
    return [...this.#goals()].sort();
  }

  #actions() {
    return this.#game.view && !this.#played && this.mayAct() ? this.#game.view.actions : [];
  }

  #along(path) {
    return this.#actions().filter(({ steps }) => steps.length >= path.length && begins(steps, path));
  }

  /** The piece that must move, where only one can. */
  #only() {
    const firsts = new Set(this.#actions().map(({ steps }) => steps[0]));
    const [first] = firsts;
    const goesOn = this.#actions().some(({ steps }) => steps.length > 1);
    return firsts.size === 1 && first && goesOn ? [first] : [];
  }

  #goals() {
    const next = this.#along(this.#path).map(({ steps }) => steps[this.#path.length]);
    return new Set(next.filter((cell) => cell !== undefined));
  }

  #meant(cell) {
    return this.#game.view.board.cells.find(({ name: known }) => known === cell)?.meant ?? cell;
  }

  /** The actions that choosing a cell would complete. */
  #completed(cell) {
    const path = [...this.#path, this.#meant(cell)];
    return this.#along(path).filter(({ steps }) => steps.length === path.length);
  }

  #point(cell) {
    const meant = cell ? this.#completed(cell) : [];
    const preview = meant.length === 1 ? meant[0] : null;
    if (preview === this.#preview || byId("chooser").hidden === false) return;
    this.#preview = preview;
    this.draw();
  }

  #choose({ cell: clicked, drag }) {
    const cell = this.#meant(clicked);
    if (drag) this.#path = [];
    const completed = this.#completed(cell);
    const path = [...this.#path, cell];
    const goesOn = this.#along(path).some(({ steps }) => steps.length > path.length);
    closeChooser();
    this.#preview = null;
    if (completed.length === 1 && !goesOn) return drag ? undefined : this.#play(completed[0]);
    if (completed.length) return this.#offer(completed, cell);
    if (goesOn) {
      this.#path = path;
      announce(`${cell} chosen: ${this.stops().length} goals, ${this.stops().join(", ")}`);
    } else if (this.#path.length) {
      const taken = this.#path.at(-1) === cell;
      this.#path = [];
      // Another piece is chosen, or none.
      if (!taken && this.#along([cell]).length) return this.#choose({ cell });
      this.#path = this.#only();
      announce("nothing chosen");
    }
    this.draw();
  }

  #offer(actions, at) {
    const show = (action) => {
      this.#preview = action;
      this.draw();
    };
    this.draw();
    choose(actions.map((action) => [action, action.text]), {
      at,
      show,
      take: (action) => this.#play(action),
      leave: () => {
        this.clear();
        this.#board.focus();
      },
    });
  }

  #play(action) {
    closeChooser();
    this.#path = [];
    this.#preview = null;
    this.#played = true;
    this.draw();
    this.#game.play(action.action);
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
      this.#game.view.board.cells.map((cell) => {
        let text = `${cell.name}, ${this.#content(cell)}`;
        const completed = this.#completed(cell.name);
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
    const decisions = this.#actions().filter(({ steps }) => !steps.length);
    const box = byId("decisions");
    box.hidden = !decisions.length;
    box.replaceChildren(
      ...decisions.map((action) => html("button", { "data-action": action.action, onclick: () => this.#play(action) }, decision(action.text))),
    );
  }

  draw() {
    const { view } = this.#game;
    if (!view) return;
    const preview = this.#preview ?? this.#shown;
    this.#board.show({
      board: view.board,
      last: view.last,
      path: this.#path,
      goals: this.#goals(),
      preview,
      courses: this.#path.length > this.#only().length || this.#preview ? [] : this.#courses,
      labels: this.#labels(),
      movable: new Set(this.#actions().filter(({ steps }) => steps.length > 1).map(({ steps }) => steps[0])),
    });
    this.#drawDecisions();
    byId("task").textContent = view.end ? ending(view.end) : `Turn ${view.turn}. ${view.task}.`;
    byId("preview").textContent = preview ? `${name(view.to_move)}: ${preview.text}` : "";
  }
}
