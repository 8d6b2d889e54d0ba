// The board as a picture: cells, dice, and what is marked on them. What marks mean is decided elsewhere.

import { Cells, translate } from "./cells.js";
import { course } from "./course.js";
import { die } from "./dice.js";
import { svg } from "./dom.js";
import { BOARD, CELLS, CHAMBER, HEXAGON, Layout, VIEW, columnOf, rowOf } from "./geometry.js";

/** Three tints, no two neighbours alike; nine columns let the pattern close around the cylinder. */
function tint(cell) {
  const row = rowOf(cell);
  return `c${(columnOf(cell) + 9 - Math.ceil(row / 2) + 2 * row) % 3}`;
}

function hexagon(cell) {
  const path = svg("path", { d: `M0 0${HEXAGON}`, class: cell === CHAMBER ? "chamber" : tint(cell) });
  if (cell !== CHAMBER) return [path];
  return [path, svg("path", { class: "ring", d: "M0 0m0-15l13 7.5v15l-13 7.5-13-7.5v-15z" })];
}

/** Signs of goals, told apart by their shape. */
const SIGNS = {
  go: () => svg("circle", { r: 5.5 }),
  capture: () => svg("circle", { class: "line", r: 17 }),
  bump: () => svg("path", { class: "line", d: "M-15 -14l-4 14 4 14M15 -14l4 14-4 14" }),
  exchange: () => svg("path", { class: "line", d: "M-9 -17h18M-9 17h18" }),
  absorb: () => svg("path", { class: "line", d: "M0 -22v8M-4 -18h8" }),
  chamber: () => svg("path", { d: "M0 -11l2.600 7.400 7.800.2-6.200 4.800 2.200 7.500L0 4.400l-6.400 4.500 2.200-7.500-6.200-4.800 7.800-.2z" }),
};

export class Board extends Cells {
  layout = new Layout();
  /** What is drawn; see `show`. */
  #scene = { dice: [], marks: {} };
  #layers = {};
  #tints = [];
  /** What the dice were drawn from. */
  #standing = "";
  pulls = true;

  constructor() {
    super();
    const [x, y, width, height] = BOARD;
    const inner = svg("svg", { x, y, width, height, viewBox: BOARD.join(" ") });
    this.svg.setAttribute("viewBox", VIEW.join(" "));
    for (const name of ["ghosts", "cells", "tints", "last", "names", "way", "dice", "goals", "after", "courses"]) {
      this.#layers[name] = svg("g", { class: name });
      inner.append(this.#layers[name]);
    }
    this.#layers.edge = svg("g", { class: "edge" });
    this.svg.replaceChildren(this.#layers.edge, inner);
    for (const cell of CELLS) {
      this.#layers.cells.append(this.add(cell, ...hexagon(cell)));
    }
    this.focusable("A5");
    this.#place();
  }

  /**
   * Draws a scene: `dice` as the server lists them, `last` the action that led here, `goals` as pairs of cell and names
   * of signs, `chosen` a cell, `preview` an action, `courses` as pairs of legs and how they look, `labels` for each
   * cell what is read out.
   */
  show(scene) {
    this.#scene = { ...this.#scene, ...scene };
    this.#draw();
  }

  /** Colours cells: objects with the `name` of a cell, a `role`, `white` or `black`, and the `strength` of the colour up to 1. */
  tint(cells) {
    this.#tints = cells;
    this.#draw();
  }

  /** Turns the cylinder by columns to the east. */
  turn(columns) {
    const turn = this.layout.turn + (this.layout.flip ? -columns : columns);
    this.#turnTo(((Math.round(turn) % 9) + 9) % 9);
  }

  /** Seats the other player below. */
  flip(flipped) {
    this.layout.flip = flipped;
    this.#turnTo(this.layout.turn);
  }

  /** Moves the dice of an action that was just played: one after the other, as each bumps the next. */
  animate({ legs }) {
    let after = 0;
    for (const [index, { from, to, steps, cause }] of legs.entries()) {
      const [x, y] = this.layout.place(to);
      const ends = (way) => Math.hypot(way.at(-1)[0] - x, way.at(-1)[1] - y) < 1;
      const way = this.layout.ways(from, steps).find(ends) ?? [];
      const done = this.glide(this.#layers.dice.querySelector(`[data-die="${to}"]`), way, after);
      // Both halves leave the Chamber at once, after the time that the whole die took to come there.
      if (to === CHAMBER) after += 300;
      else if (cause !== "leaves" || legs[index + 1]?.cause === "bumped") after = done;
    }
  }

  #turnTo(turn) {
    this.layout.turn = turn;
    this.#place();
    this.#draw();
    this.dispatchEvent(new Event("turned"));
  }

  /** Moves what stands on the board whatever happens in the game. */
  #place() {
    const { layout } = this;
    const names = [];
    for (const cell of CELLS) {
      this.elements.get(cell).setAttribute("transform", translate(layout.place(cell)));
      const [x, y] = layout.place(cell);
      if (cell !== CHAMBER) names.push(svg("text", { class: "name", x, y: y + 19 }, cell));
    }
    this.#layers.names.replaceChildren(...names);
    const edge = [];
    for (const row of "ABCDEFGHI") {
      const [, y] = layout.place(`${row}1`);
      edge.push(svg("text", { x: -30, y: y + 4 }, row), svg("text", { x: 410, y: y + 4 }, row));
    }
    for (const column of "123456789") {
      for (const row of "AI") {
        const [x, y] = layout.place(`${row}${column}`);
        edge.push(svg("text", { x, y: y > 100 ? y + 36 : y - 28 }, column));
      }
    }
    this.#layers.edge.replaceChildren(...edge);
  }

  #draw() {
    const { layout } = this;
    const { dice, last, goals = [], chosen, preview, courses = [], labels } = this.#scene;
    const layers = this.#layers;
    const at = new Map(dice.map((die) => [die.cell, die]));
    const both = (cell) => [layout.place(cell), ...layout.ghosts(cell)];

    const ghosts = CELLS.flatMap((cell) =>
      layout.ghosts(cell).map((place) => svg("g", { transform: translate(place), "data-ghost": cell }, ...hexagon(cell))),
    );
    const ghostDice = dice.flatMap(({ cell, player, pips }) =>
      layout.ghosts(cell).map((place) => die(player, pips, place)),
    );
    layers.ghosts.replaceChildren(...ghosts, ...ghostDice);

    layers.tints.replaceChildren(
      ...this.#tints.flatMap(({ name, role, strength }) =>
        both(name).map((place) => svg("path", { class: role, opacity: strength.toFixed(2), transform: translate(place), d: `M0 0${HEXAGON}` }))),
    );

    const lastCells = last ? new Set([last.from, ...last.legs.map((leg) => leg.to)]) : [];
    const filled = (cell, role) => both(cell).map((place) => svg("path", { class: role, transform: translate(place), d: `M0 0${HEXAGON}` }));
    layers.last.replaceChildren(
      ...[...lastCells].filter((cell) => cell !== CHAMBER).flatMap((cell) => filled(cell, "mark")),
      ...(chosen ? filled(chosen, "chosen") : []),
    );
    layers.way.replaceChildren(...(last?.legs.length ? [course(layout, last.legs, { role: "way", width: 2.5 })] : []));

    const changed = new Map((preview?.changes ?? []).map(({ cell, die }) => [cell, die]));
    // Dice that stand as they did stay, and so does their movement.
    const standing = JSON.stringify([dice, [...changed.keys()], layout.turn, layout.flip]);
    if (standing !== this.#standing) {
      this.#standing = standing;
      layers.dice.replaceChildren(
        ...dice.map(({ cell, player, pips }) => {
          const element = die(player, pips, layout.place(cell), changed.has(cell) ? "leaving" : "");
          element.dataset.die = cell;
          return element;
        }),
      );
    }
    layers.goals.replaceChildren(
      ...goals.flatMap(([cell, signs]) =>
        both(cell).map((place) =>
          svg("g", { class: `goal ${at.has(cell) ? "on-die" : ""}`, transform: translate(place) }, ...signs.map((sign) => SIGNS[sign]())),
        ),
      ),
    );
    layers.after.replaceChildren(
      ...[...changed].filter(([, face]) => face).map(([cell, [player, pips]]) => die(player, pips, layout.place(cell), "coming")),
    );
    layers.courses.replaceChildren(
      ...courses.map(([legs, look]) => course(layout, legs, look)),
      ...(preview?.legs.length ? [course(layout, preview.legs, { role: "preview", width: 4 })] : []),
    );

    const goalCells = new Set(goals.map(([cell]) => cell));
    for (const [cell, element] of this.elements) {
      element.setAttribute("aria-label", labels?.get(cell) ?? cell);
      element.classList.toggle("goal-cell", goalCells.has(cell));
      element.toggleAttribute("aria-current", chosen === cell);
    }
  }

  /** Where on the board a pointer is. */
  under(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return this.layout.at(point.x, point.y);
  }

  isMovable(cell) {
    return this.#scene.movable?.has(cell);
  }

  /** Up and down the page scrolls. */
  way(event, down) {
    return Math.abs(event.clientX - down.x);
  }

  /** Turns the cylinder with the pointer. */
  pulled(event, down) {
    this.svg.classList.add("turning");
    down.turn ??= this.layout.turn;
    const columns = ((event.clientX - down.x) * (VIEW[2] / this.svg.getBoundingClientRect().width)) / 40;
    this.layout.turn = down.turn + (this.layout.flip ? -columns : columns);
    this.#place();
    this.#draw();
  }

  letGo() {
    this.svg.classList.remove("turning");
    this.turn(0);
  }
}
