// A board of any game: cells and pieces as the server describes them, and what is marked on them.

import { Cells, translate } from "./cells.js";
import { arrow, plate, trimmed } from "./course.js";
import { svg } from "./dom.js";

/** Pixels per width of a cell, and the room for names around the board. */
const UNIT = 40;
const MARGIN = 16;
const RADIUS = 14.5;
/** How far the pieces of a stack stand out above each other, and the whole stack at most. */
const STEP = 3.5;
const HIGHEST = 15;
const CROWN = "M-7 5l-2-9 5 4 4-6.5 4 6.5 5-4-2 9z";

const NEAR = 1 / Math.sqrt(3);
const FAR = 2 / Math.sqrt(3);
const CORNERS = {
  square: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
  hexagon: [[0, -FAR], [1, -NEAR], [1, NEAR], [0, FAR], [-1, NEAR], [-1, -NEAR]],
};

const outline = (corners, half) => `M${corners.map(([x, y]) => `${(half * x).toFixed(2)} ${(half * y).toFixed(2)}`).join("L")}z`;

/** A disc, or a figure of its own. */
function disc({ player, king, label, figure }, y, isTop, role) {
  if (figure) {
    const path = svg("path", { class: "figure", d: figure, transform: `scale(${UNIT / 100})` });
    return svg("g", { class: `piece ${player} ${role}`, transform: `translate(0 ${y.toFixed(2)})` }, path);
  }
  return svg(
    "g",
    { class: `piece ${player} ${role}`, transform: `translate(0 ${y.toFixed(2)})` },
    svg("circle", { r: RADIUS }),
    isTop && king ? svg("path", { class: "crown", d: CROWN }) : null,
    isTop && label ? svg("text", { y: 4.5 }, label) : null,
  );
}

/** The pieces of a cell, which are listed from the top. */
function stack({ name, pieces }, place, role = "") {
  const step = Math.min(STEP, HIGHEST / pieces.length);
  // As much below the middle of the cell as above it, but not out of the cell.
  const lowest = Math.min(4, (step * (pieces.length - 1)) / 2);
  const discs = pieces.toReversed().map((piece, below) => disc(piece, lowest - step * below, below === pieces.length - 1, role));
  const count = pieces.length > 2 ? svg("text", { class: "count", x: 13, y: 17 }, `${pieces.length}`) : null;
  return svg("g", { class: "stack", "data-stack": name, transform: translate(place) }, ...discs, count);
}

/** Where cells are on the screen. */
class Layout {
  flip = false;
  #cells = new Map();

  set(cells) {
    this.#cells = new Map(cells.map((cell) => [cell.name, cell]));
  }

  /** The middle of a cell. */
  place(name) {
    const { x, y } = this.#cells.get(name);
    const sign = this.flip ? -1 : 1;
    return [sign * x * UNIT, sign * y * UNIT];
  }

  /** The nearest cell in a direction: `dx` −1 or 1 to the right, or `dy` 1 up; nothing at the edge. */
  neighbour(from, dx, dy) {
    const [x, y] = this.place(from);
    let [nearest, least] = [null, Infinity];
    for (const name of this.#cells.keys()) {
      const [u, v] = this.place(name);
      const along = dx * (u - x) - dy * (v - y);
      const aside = Math.abs(dy * (u - x) + dx * (v - y));
      // Within 60° of the direction; of two neighbours as near as each other, the first.
      if (along > 1 && aside < 1.8 * along && along + 1.5 * aside < least - 1e-6) {
        [nearest, least] = [name, along + 1.5 * aside];
      }
    }
    return nearest;
  }
}

export class SceneBoard extends Cells {
  layout = new Layout();
  #scene = null;
  #layers = {};

  constructor() {
    super();
    for (const name of ["edge", "cells", "last", "marks", "names", "way", "pieces", "goals", "courses"]) {
      this.#layers[name] = svg("g", { class: name });
    }
    this.svg.classList.add("scene");
    this.svg.replaceChildren(...Object.values(this.#layers));
  }

  /**
   * Draws a scene: `board` as the server describes it, `last` the action that led here, `path` the cells chosen so far, `goals`
   * the cells to choose from, `movable` those to begin with, `preview` an action, `courses` as pairs of legs and how they look,
   * `labels` for each cell what is read out.
   */
  show(scene) {
    this.#scene = scene;
    if (this.elements.size !== scene.board.cells.length) this.#build();
    this.#draw();
  }

  /** Moves the piece of an action that was just played. */
  animate({ legs }) {
    const [{ cells = [] } = {}] = legs;
    const points = cells.map((cell) => this.layout.place(cell));
    this.glide(this.#layers.pieces.querySelector(`[data-stack="${cells.at(-1)}"]`), points);
  }

  /** There is nothing to turn. */
  turn() {}

  /** Seats the other player below. */
  flip(flipped) {
    this.layout.flip = flipped;
    if (this.#scene) {
      this.#place();
      this.#draw();
    }
    this.dispatchEvent(new Event("turned"));
  }

  /** Makes the cells, which are the same in all positions. */
  #build() {
    const { shape, cells } = this.#scene.board;
    this.layout.set(cells);
    const corners = CORNERS[shape];
    const half = corners.map(([x, y]) => [Math.max(0, x), y]);
    this.elements.clear();
    this.#layers.cells.replaceChildren();
    for (const { name, shade, colours } of cells) {
      const fills = colours.length
        ? [[corners, `colour-${colours[0]}`], ...(colours.length > 1 ? [[half, `colour-${colours[1]} half`]] : [])]
        : [[corners, shade]];
      const paths = fills.map(([points, role]) => svg("path", { class: role, d: outline(points, UNIT / 2) }));
      this.#layers.cells.append(this.add(name, ...paths));
    }
    this.focusable(cells[Math.floor(cells.length / 2)].name);
    this.#place();
  }

  /** Moves what stands on the board whatever happens in the game. */
  #place() {
    const { shape, cells } = this.#scene.board;
    const places = cells.map(({ name }) => this.layout.place(name));
    const [across, down] = [0, 1].map((axis) => places.map((place) => place[axis]));
    const around = UNIT / 2 + (shape === "square" ? MARGIN : 4);
    const [left, top] = [Math.min(...across), Math.min(...down)];
    const [width, height] = [Math.max(...across) - left, Math.max(...down) - top];
    // The corners of hexagons stand out.
    const more = shape === "hexagon" ? (UNIT / 2) * (FAR - 1) : 0;
    const view = [left - around, top - around - more, width + 2 * around, height + 2 * (around + more)];
    document.documentElement.style.setProperty("--aspect", (view[2] / view[3]).toFixed(3));
    this.svg.setAttribute("viewBox", view.map((number) => number.toFixed(1)).join(" "));
    for (const [name, element] of this.elements) element.setAttribute("transform", translate(this.layout.place(name)));
    const edge = [];
    for (const { name } of shape === "square" ? cells : []) {
      const [x, y] = this.layout.place(name);
      const [, file, rank] = name.match(/^([a-z]*)(.*)$/i);
      if (x === left) edge.push(svg("text", { x: x - UNIT / 2 - MARGIN / 2, y: y + 4 }, rank));
      if (y === top + height) edge.push(svg("text", { x, y: y + UNIT / 2 + MARGIN / 2 + 4 }, file));
    }
    this.#layers.edge.replaceChildren(...edge);
  }

  /** An arrow along cells, or a ring around a single one, with what is written at the end. */
  #course(legs, { role, width = 4, label, opacity }) {
    const marks = svg("g", { opacity });
    const group = svg("g", { class: `course ${role}` }, marks);
    for (const { cells } of legs) {
      const points = cells.map((cell) => this.layout.place(cell));
      const [x, y] = points.at(-1);
      if (points.length > 1) marks.append(arrow(trimmed(points, 10, 5), width) ?? "");
      else marks.append(svg("circle", { class: "around", cx: x, cy: y, r: 17, "stroke-width": width }));
      if (label !== undefined) group.append(...plate(points.at(-1), label));
    }
    return group;
  }

  #draw() {
    const { layout } = this;
    const { board, last, path, goals, preview, courses, labels } = this.#scene;
    const layers = this.#layers;
    const shape = outline(CORNERS[board.shape], UNIT / 2);
    const filled = (cell, role) => svg("path", { class: role, transform: translate(layout.place(cell)), d: shape });
    layers.last.replaceChildren(
      ...(last?.steps ?? []).map((cell) => filled(cell, "mark")),
      ...path.map((cell) => filled(cell, "chosen")),
    );
    const ring = outline(CORNERS[board.shape], UNIT / 2 - 2.5);
    layers.marks.replaceChildren(
      ...board.cells.filter(({ marked }) => marked).map(({ name }) => svg("path", { class: "marked", transform: translate(layout.place(name)), d: ring })),
    );
    layers.names.replaceChildren(
      ...(board.shape === "hexagon" ? board.cells : []).filter(({ pieces }) => !pieces.length).map(({ name, colours }) => {
        const [x, y] = layout.place(name);
        return svg("text", { class: `name ${colours.length ? "on-colour" : ""}`, x, y: y + 3 }, name);
      }),
    );
    layers.way.replaceChildren(...(last && last.steps.length > 1 ? [this.#course(last.legs, { role: "way", width: 2.5 })] : []));
    const leaving = preview?.steps.length > 1 ? preview.steps[0] : null;
    layers.pieces.replaceChildren(
      ...board.cells.filter(({ pieces }) => pieces.length).map((cell) => stack(cell, layout.place(cell.name), cell.name === leaving ? "leaving" : "")),
    );
    const occupied = new Set(board.cells.filter(({ pieces }) => pieces.length).map(({ name }) => name));
    // Where nearly all cells can be chosen, a sign on each would hide the board.
    const signed = path.length || goals.size <= board.cells.length / 3 ? goals : [];
    layers.goals.replaceChildren(
      ...[...signed].map((cell) => svg("g", { class: path.length ? "goal" : "goal first", transform: translate(layout.place(cell)) },
        occupied.has(cell) ? svg("circle", { class: "line", r: 17 }) : svg("circle", { r: 5.5 }))),
    );
    layers.courses.replaceChildren(
      ...courses.map(([legs, look]) => this.#course(legs, look)),
      ...(preview ? [this.#course(preview.legs, { role: "preview", width: 4 })] : []),
    );
    const meaning = new Map(board.cells.map(({ name, meant }) => [name, meant]));
    for (const [cell, element] of this.elements) {
      const meant = meaning.get(cell);
      element.setAttribute("aria-label", labels.get(cell) ?? cell);
      element.classList.toggle("goal-cell", goals.has(meant));
      element.classList.toggle("movable", this.#scene.movable.has(meant));
      element.toggleAttribute("aria-current", path.includes(cell));
    }
  }

  /** The cell under a pointer. */
  under(event) {
    const at = document.elementFromPoint(event.clientX, event.clientY);
    return at?.closest("#board [data-cell]")?.dataset.cell ?? null;
  }

  isMovable(cell) {
    return this.#scene?.movable.has(cell);
  }
}
