// Choosing an action of Chase: a die, its goal, and which one where several lead there.

import { announce } from "./announce.js";
import { closeChooser } from "./chooser.js";
import { Choosing } from "./choosing.js";
import { CELLS, CHAMBER } from "./geometry.js";
import { describe } from "./words.js";

/** Which sign an action has on its goal. */
function sign(action, at) {
  if (action.kind !== "move") return action.kind;
  if (action.to === CHAMBER) return "chamber";
  const die = at.get(action.to);
  if (!die || action.to === action.from) return action.legs[0].captures ? "capture" : "go";
  return action.legs[0].captures ? "capture" : "bump";
}

export class Selection extends Choosing {
  #chosen = null;
  /** What a finger has asked to see, and plays if it asks again. */
  #tapped = null;

  forget() {
    this.#chosen = null;
  }

  words(action) {
    return describe(action, this.game.view.to_move);
  }

  /** Cells that can be chosen next, in the order of their names. */
  stops() {
    const cells = this.#chosen ? this.#actionsFrom(this.#chosen).map((action) => action.to) : this.#movable();
    return [...new Set(cells)].sort();
  }

  #actionsFrom(cell) {
    return this.actions.filter((action) => action.from === cell);
  }

  #movable() {
    return this.actions.map((action) => action.from);
  }

  completed(cell) {
    const absorptions = this.actions.filter((action) => action.kind === "absorb" && action.from === cell);
    if (absorptions.length || !this.#chosen) return absorptions;
    return this.#actionsFrom(this.#chosen).filter((action) => action.to === cell);
  }

  choose({ cell, touch, drag }) {
    const meant = this.completed(cell);
    if (meant.length && !drag) {
      const [action] = meant;
      if (meant.length > 1) {
        this.offer(meant, cell);
      } else if (touch && this.preview !== action && this.#isInvolved(action)) {
        this.preview = this.#tapped = action;
        announce(`${this.words(action)}. Tap again to play.`);
        this.draw();
      } else {
        this.play(action);
      }
      return;
    }
    closeChooser();
    const same = this.#chosen === cell && !drag;
    this.#chosen = !same && this.#actionsFrom(cell).some((action) => action.kind !== "absorb") ? cell : null;
    this.preview = null;
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

  /** What is read out on each cell. */
  #labels(at) {
    const movable = new Set(this.#movable());
    return new Map(
      CELLS.map((cell) => {
        const die = at.get(cell);
        let text = cell;
        if (cell === CHAMBER) text += ", the Chamber";
        else text += die ? `, ${die.player} ${die.pips}` : ", empty";
        const meant = this.completed(cell);
        if (meant.length === 1) text += `: ${this.words(meant[0])}`;
        else if (meant.length) text += `: ${meant.length} ways`;
        else if (!this.#chosen && movable.has(cell)) text += ", can be chosen";
        else if (cell === this.#chosen) text += ", chosen";
        return [cell, text];
      }),
    );
  }

  draw() {
    const { view } = this.game;
    if (!view) return;
    const at = new Map(view.dice.map((die) => [die.cell, die]));
    const goals = new Map();
    const absorbs = this.actions.filter((action) => action.kind === "absorb");
    for (const action of this.#chosen ? this.#actionsFrom(this.#chosen) : absorbs) {
      const signs = goals.get(action.to) ?? new Set();
      goals.set(action.to, signs.add(sign(action, at)));
    }
    const preview = this.preview ?? this.shown;
    this.board.show({
      dice: view.dice,
      last: view.last,
      chosen: this.#chosen,
      goals: [...goals].map(([cell, signs]) => [cell, [...signs]]),
      preview,
      courses: this.#chosen || this.preview ? [] : this.courses,
      labels: this.#labels(at),
      movable: new Set(absorbs.length ? [] : this.#movable()),
    });
    const absorb = absorbs.length ? ": choose one of the marked dice" : "";
    const again = preview && preview === this.#tapped ? ". Tap again to play." : ".";
    this.say(`Turn ${view.turn}. ${view.task}${absorb}`, preview, again);
  }
}
