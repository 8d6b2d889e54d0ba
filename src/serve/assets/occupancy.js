// Where dice will be at the end of the game, as a network expects: colours on the cells of the board.

import { call, isAbort, server } from "./api.js";
import { name, percent } from "./words.js";

/** How much a difference of probabilities is seen, and the strongest colour, through which cells can still be told. */
const CONTRAST = 2;
const DEEPEST = 0.8;

export class Occupancy {
  #game;
  #board;
  #legend;
  /** The network that is asked; `null` while nothing is shown. */
  #judge = null;
  #running = null;
  /** What is expected of each cell, by its name. */
  #cells = new Map();

  constructor(game, board, legend) {
    this.#game = game;
    this.#board = board;
    this.#legend = legend;
    game.addEventListener("change", () => this.#judge && this.#ask());
    server.addEventListener("back", () => this.#judge && this.#ask());
    board.addEventListener("point", ({ detail: cell }) => this.#judge && this.#say(this.#cells.get(cell)));
  }

  /** Shows what a network expects, `null` for nothing. */
  show(judge) {
    if (judge === this.#judge) return;
    this.#judge = judge;
    this.#running?.abort();
    this.#legend.hidden = judge === null;
    if (judge === null) this.#tint([]);
    else this.#ask();
  }

  #tint(cells) {
    this.#cells = new Map(cells.map((cell) => [cell.name, cell]));
    this.#board.tint?.(cells.map(({ name, white, black }) => ({ name, role: white > black ? "white" : "black", strength: Math.min(DEEPEST, CONTRAST * Math.abs(white - black)) })));
  }

  /** What the colours mean, or what is expected of one cell. */
  #say(cell) {
    this.#legend.textContent = cell
      ? `${cell.name} when the game ends: ${name("white")} ${percent(cell.white)}, ${name("black")} ${percent(cell.black)}.`
      : `What this network expects of the end of the game. Blue: a die of ${name("white")} is likelier there than one of ${name("black")}; orange: the other way round. Point at a cell for the figures.`;
  }

  async #ask() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const { cells } = await call("/api/occupancy", { game: this.#game.stated(), player: this.#judge }, running.signal);
      if (running.signal.aborted) return;
      this.#tint(cells);
      this.#say();
    } catch (error) {
      if (isAbort(error)) return;
      this.#tint([]);
      this.#legend.textContent = error.message;
    }
  }
}
