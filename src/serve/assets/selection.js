// Choosing an action: a die, its goal, and which one where several lead there. What is legal comes from the server.

import { announce } from "./announce.js";
import { choose, closeChooser } from "./chooser.js";
import { byId } from "./dom.js";
import { CELLS, CHAMBER } from "./geometry.js";
import { describe, ending, name } from "./words.js";

/** Which sign an action has on its goal. */
function sign(action, at) {
  if (action.kind !== "move") return action.kind;
  if (action.to === CHAMBER) return "chamber";
  const die = at.get(action.to);
  if (!die || action.to === action.from) return action.legs[0].captures ? "capture" : "go";
  return action.legs[0].captures ? "capture" : "bump";
}

export class Selection {
  /** Whether the person at the page may act for the player to move. */
  mayAct = () => true;
  #game;
  #board;
  #chosen = null;
  #preview = null;
  /** What a finger has asked to see, and plays if it asks again. */
  #tapped = null;
  /** Arrows from elsewhere: candidates, hints. */
  #courses = [];
  /** An action that somebody else shows. */
  #shown = null;

  constructor(game, board) {
    this.#game = game;
    this.#board = board;
    game.addEventListener("change", () => this.clear());
    board.addEventListener("choose", ({ detail }) => this.#choose(detail));
    board.addEventListener("point", ({ detail }) => this.#point(detail));
  }

  /** Takes back the choice so far. */
  clear() {
    this.#chosen = this.#preview = null;
    closeChooser();
    this.draw();
  }

  /** Arrows beside those of the choice: pairs of legs and looks. */
  setCourses(courses) {
    this.#courses = courses;
    this.draw();
  }

  /** Shows what an action would do, `null` for no more. */
  showAction(action) {
    this.#shown = action;
    this.draw();
  }

  /** Cells that can be chosen next, in the order of their names. */
  stops() {
    const cells = this.#chosen ? this.#actionsFrom(this.#chosen).map((action) => action.to) : this.#movable();
    return [...new Set(cells)].sort();
  }

  #actions() {
    return this.#game.view && this.mayAct() ? this.#game.view.actions : [];
  }

  #actionsFrom(cell) {
    return this.#actions().filter((action) => action.from === cell);
  }

  #movable() {
    return this.#actions().map((action) => action.from);
  }

  /** What choosing a cell would mean. */
  #meant(cell) {
    const actions = this.#actions();
    const absorptions = actions.filter((action) => action.kind === "absorb" && action.from === cell);
    if (absorptions.length || !this.#chosen) return absorptions;
    return this.#actionsFrom(this.#chosen).filter((action) => action.to === cell);
  }

  #point(cell) {
    const meant = cell ? this.#meant(cell) : [];
    const preview = meant.length === 1 ? meant[0] : null;
    if (preview === this.#preview || byId("chooser").hidden === false) return;
    this.#preview = preview;
    this.draw();
  }

  #choose({ cell, touch, drag }) {
    const meant = this.#meant(cell);
    if (meant.length && !drag) {
      const [action] = meant;
      if (meant.length > 1) {
        this.#offer(meant, cell);
      } else if (touch && this.#preview !== action && this.#isInvolved(action)) {
        this.#preview = this.#tapped = action;
        announce(`${describe(action, this.#game.view.to_move)}. Tap again to play.`);
        this.draw();
      } else {
        this.#play(action);
      }
      return;
    }
    closeChooser();
    const same = this.#chosen === cell && !drag;
    this.#chosen = !same && this.#actionsFrom(cell).some((action) => action.kind !== "absorb") ? cell : null;
    this.#preview = null;
    if (this.#chosen) {
      const goals = new Set(this.#actionsFrom(cell).map((action) => action.to));
      announce(`${cell} chosen: ${goals.size} goals, ${[...goals].sort().join(", ")}`);
    } else if (same) {
      announce("nothing selected");
    }
    this.draw();
  }

  /** Whether an action does more than put a die on an empty cell. */
  #isInvolved(action) {
    return action.kind !== "move" || action.legs.length > 1 || action.changes.length > 2 || action.legs[0].captures;
  }

  #offer(actions, at) {
    const { to_move: player } = this.#game.view;
    const show = (action) => {
      this.#preview = action;
      this.draw();
    };
    choose(actions.map((action) => [action, describe(action, player)]), {
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
    this.#chosen = this.#preview = null;
    this.#game.play(action.action);
  }

  /** What is read out on each cell. */
  #labels(at) {
    const actions = this.#actions();
    const movable = new Set(actions.map((action) => action.from));
    const player = this.#game.view.to_move;
    return new Map(
      CELLS.map((cell) => {
        const die = at.get(cell);
        let text = cell;
        if (cell === CHAMBER) text += ", the Chamber";
        else text += die ? `, ${die.player} ${die.pips}` : ", empty";
        const meant = this.#meant(cell);
        if (meant.length === 1) text += `: ${describe(meant[0], player)}`;
        else if (meant.length) text += `: ${meant.length} ways`;
        else if (!this.#chosen && movable.has(cell)) text += ", can be chosen";
        else if (cell === this.#chosen) text += ", chosen";
        return [cell, text];
      }),
    );
  }

  draw() {
    const { view } = this.#game;
    if (!view) return;
    const at = new Map(view.dice.map((die) => [die.cell, die]));
    const goals = new Map();
    const absorbs = this.#actions().filter((action) => action.kind === "absorb");
    for (const action of this.#chosen ? this.#actionsFrom(this.#chosen) : absorbs) {
      const signs = goals.get(action.to) ?? new Set();
      goals.set(action.to, signs.add(sign(action, at)));
    }
    const preview = this.#preview ?? this.#shown;
    this.#board.show({
      dice: view.dice,
      last: view.last,
      chosen: this.#chosen,
      goals: [...goals].map(([cell, signs]) => [cell, [...signs]]),
      preview,
      courses: this.#chosen || this.#preview ? [] : this.#courses,
      labels: this.#labels(at),
      movable: new Set(absorbs.length ? [] : this.#movable()),
    });
    const end = view.end && ending(view.end);
    const absorb = absorbs.length ? ": choose one of the marked dice" : "";
    byId("task").textContent = `${end ?? `Turn ${view.turn}. ${view.task}${absorb}`}`;
    const again = preview && preview === this.#tapped ? " Tap again to play." : "";
    byId("preview").textContent = preview ? `${name(view.to_move)}: ${describe(preview, view.to_move)}.${again}` : "";
  }
}
