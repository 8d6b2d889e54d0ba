// Where cells are on the screen. The same measures as in the pictures that the program draws.

const HALF = 20;
const ROW = 34.65;
const AROUND = 360;

/** Left, top, width and height of the board with its faint copies. */
export const BOARD = [-21, -24, 422, 325.2];
/** The same with the names at the sides. */
export const VIEW = [-39, -42, 458, 361.2];
/** A hexagon around its centre, after a move there. */
export const HEXAGON = "m0-23.1l20 11.55v23.1l-20 11.55-20-11.55v-23.1z";
export const CHAMBER = "E5";

const ROWS = "ABCDEFGHI";

/** All names of cells. */
export const CELLS = [...ROWS].flatMap((row) => Array.from({ length: 9 }, (_, column) => `${row}${column + 1}`));

/** Row from 0 for A, column from 0. */
export const rowOf = (cell) => ROWS.indexOf(cell[0]);
export const columnOf = (cell) => Number(cell[1]) - 1;
const modulo = (number, by) => ((number % by) + by) % by;

/** The cell in a row and column, which wraps around; `null` beyond rows A and I. */
export function cellAt(row, column) {
  return row >= 0 && row < ROWS.length ? `${ROWS[row]}${modulo(column, 9) + 1}` : null;
}

/** How the cylinder is turned, in columns to the east, and who sits below. */
export class Layout {
  turn = 0;
  flip = false;

  /** A point of the board that is not flipped, as it is seen. */
  #seen([x, y]) {
    return this.flip ? [380 - x, 8 * ROW - y] : [x, y];
  }

  /** The middle of a cell on the board that is not flipped, the one between the sides. */
  #unflipped(cell) {
    const row = rowOf(cell);
    const shift = row % 2 === 0 ? 2 : 1;
    const left = row % 2 === 0 ? 20 : 0;
    const x = HALF * (2 * columnOf(cell) + shift) + 2 * HALF * this.turn;
    return [left + modulo(x - left, AROUND), ROW * (8 - row)];
  }

  /** The middle of a cell. */
  place(cell) {
    return this.#seen(this.#unflipped(cell));
  }

  /** The middles of its faint copies that can be seen. */
  ghosts(cell) {
    const [x, y] = this.#unflipped(cell);
    const copies = [x - AROUND, x + AROUND].filter((x) => x > -40 && x < 420);
    return copies.map((x) => this.#seen([x, y]));
  }

  /** The corners of a way from a cell, as often as it can be seen: steps in half columns and rows. */
  ways(cell, steps) {
    const [x, y] = this.#unflipped(cell);
    return [-AROUND, 0, AROUND].map((shift) => {
      let at = [x + shift, y];
      const way = [at];
      for (const [columns, rows] of steps) {
        at = [at[0] + HALF * columns, at[1] - ROW * rows];
        way.push(at);
      }
      return way;
    }).filter((way) => way.some(([x]) => x > -21 && x < 401))
      .map((way) => way.map((point) => this.#seen(point)));
  }

  /** The cell at a point, `null` beside the board. */
  at(x, y) {
    let nearest = null;
    let distance = 22;
    for (const cell of CELLS) {
      for (const [u, v] of [this.place(cell), ...this.ghosts(cell)]) {
        const away = Math.hypot(u - x, v - y);
        if (away < distance) [nearest, distance] = [cell, away];
      }
    }
    return nearest;
  }

  /** The cell beside another as it is seen: `dx` −1 or 1 in the row, or `dy` 1 up. */
  neighbour(cell, dx, dy) {
    const sign = this.flip ? -1 : 1;
    return cellAt(rowOf(cell) + sign * dy, columnOf(cell) + sign * dx);
  }
}
