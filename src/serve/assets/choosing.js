// Choosing an action on a board, whatever the game: what is common to dice and to other pieces.

import { choose, closeChooser } from "./chooser.js";
import { byId } from "./dom.js";
import { describe, ending, name } from "./words.js";

/**
 * A class that extends this one has `choose({cell, touch, drag})`, which is called when a cell was chosen; `completed(cell)`,
 * the actions that choosing a cell would complete; `stops()`, the cells that can be chosen next; `forget()`, which takes
 * back the choice so far; `words(action)`, an action for people; and `draw()`. What is legal comes from the server.
 */
export class Choosing {
  /** Whether the person at the page may act for the player to move. */
  mayAct = () => true;
  /** The end of the game, where it is shown. */
  end = () => this.game.view.end;
  game;
  board;
  /** The action that is pointed at. */
  preview = null;
  /** Arrows from elsewhere: candidates, hints. */
  courses = [];
  /** An action that somebody else shows. */
  shown = null;
  /** What is said below the board while nothing else is. */
  #remark = "";
  /** Whether an action was played and the board does not show it yet: nothing more can be chosen on it. */
  #played = false;

  constructor(game, board) {
    this.game = game;
    this.board = board;
    game.addEventListener("change", () => {
      this.courses = [];
      this.#remark = "";
      this.settle();
    });
    game.addEventListener("answered", () => this.#played && this.settle());
    board.addEventListener("choose", ({ detail }) => this.choose(detail));
    board.addEventListener("point", ({ detail }) => this.#point(detail));
  }

  /** Another position is shown. */
  settle() {
    // A row of a table that goes away under the pointer does not say that it was left.
    this.shown = null;
    this.#played = false;
    this.clear();
  }

  /** Takes back the choice so far. */
  clear() {
    this.forget();
    this.preview = null;
    closeChooser();
    this.draw();
  }

  /** Arrows beside those of the choice: pairs of legs and looks; and what to say of them below the board. */
  setCourses(courses, remark = "") {
    this.courses = courses;
    this.#remark = remark;
    this.draw();
  }

  /** Shows what an action would do, `null` for no more. */
  showAction(action) {
    this.shown = action;
    this.draw();
  }

  /** The legal actions, if the person may act. */
  get actions() {
    return this.game.view && this.mayAct() && !this.#played ? this.game.view.actions : [];
  }

  /** Asks at a cell which of several actions is meant. */
  offer(actions, at) {
    this.draw();
    choose(actions.map((action) => [action, this.words(action)]), {
      at,
      show: (action) => {
        this.preview = action;
        this.draw();
      },
      take: (action) => this.play(action),
      leave: () => {
        this.clear();
        this.board.focus();
      },
    });
  }

  play(action) {
    this.#played = true;
    this.clear();
    this.game.play(action.action);
  }

  /** Says below the board what is to be done, or how the game has ended, and what the action that is shown would do. */
  say(task, preview, more = "") {
    const end = this.end();
    byId("task").textContent = end ? ending(end) : task;
    byId("preview").textContent = preview ? `${name(this.game.view.to_move)}: ${this.words(preview)}${more}` : this.#remark || this.#before();
  }

  /** What led to the position shown, in words, where they say more than its text. */
  #before() {
    const { last, plies, at } = this.game.view;
    if (!last?.kind) return "";
    const { player } = plies[at - 1];
    return `${name(player)} played: ${describe(last, player)}.`;
  }

  #point(cell) {
    const meant = cell ? this.completed(cell) : [];
    const preview = meant.length === 1 ? meant[0] : null;
    if (preview === this.preview || byId("chooser").hidden === false) return;
    this.preview = preview;
    this.draw();
  }
}
