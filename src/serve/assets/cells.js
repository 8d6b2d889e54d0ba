// The cells of a board: which one the keyboard is at, and what keys, pointers and fingers do with them.

import { byId, svg } from "./dom.js";

/** Pixels that a pointer moves before it drags. */
const DRAG = 6;

/** Milliseconds that a piece takes for a step, and the steps after which it takes no longer. */
const PACE = 70;
const MOST_STEPS = 6;

export const translate = ([x, y]) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;

/**
 * Events: `choose` with `{cell, touch, drag}`, `point` with a cell or `null`, `turned` after the board was turned or flipped.
 *
 * A board that extends this class has `under(event)`, the cell under a pointer, and `isMovable(cell)`, whether a piece
 * there can be dragged. If the board itself can be dragged, `pulls` is true, and `pulled` and `letGo` say what that does.
 */
export class Cells extends EventTarget {
  /** The picture that the cells are in. */
  svg = byId("board");
  /** The element of each cell by its name. */
  elements = new Map();
  /** Whether the board itself can be dragged. */
  pulls = false;
  #focus = null;
  /** Whether the keyboard points at the cell that has the focus. */
  #byKeyboard = false;

  constructor() {
    super();
    this.#listen();
  }

  /** Makes the element of a cell. */
  add(cell, ...children) {
    const element = svg("g", { class: "cell", "data-cell": cell, role: "button", tabindex: -1 }, ...children);
    element.addEventListener("focus", () => this.#focused(cell));
    element.addEventListener("blur", () => this.#left());
    this.elements.set(cell, element);
    return element;
  }

  /** Goes to a cell, or to where the keyboard was last. */
  focus(cell = this.#focus) {
    const element = this.elements.get(cell);
    if (!element) return;
    // Where a click has focused it, nothing would tell that it is the keyboard now.
    if (element === document.activeElement) element.blur();
    element.focus();
  }

  /** The cell that the keyboard is at. */
  get focused() {
    return this.#focus;
  }

  /** Whether the keyboard points at that cell. */
  get isByKeyboard() {
    return this.#byKeyboard;
  }

  /** Makes a cell the one that the keyboard comes to. */
  focusable(cell) {
    this.elements.get(this.#focus)?.setAttribute("tabindex", -1);
    this.elements.get(cell).setAttribute("tabindex", 0);
    this.#focus = cell;
  }

  /** Points at a cell, `null` for none. */
  pointAt(cell) {
    this.dispatchEvent(new CustomEvent("point", { detail: cell }));
  }

  /** Chooses a cell: `touch` with a finger that has not seen what it would do, `drag` to drag what is there. */
  choose(choice) {
    this.dispatchEvent(new CustomEvent("choose", { detail: choice }));
  }

  /** Lets a piece come to where it stands along some points, after a while; returns when it will be there. */
  glide(element, points, after = 0) {
    if (!element || points.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches) return after;
    const duration = PACE * Math.min(points.length - 1, MOST_STEPS) + PACE;
    const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    element.animate(frames, { duration, delay: after, fill: "backwards", easing: "ease-in-out" });
    return after + duration;
  }

  /** How far a pointer has gone since it was pressed. */
  way(event, down) {
    return Math.hypot(event.clientX - down.x, event.clientY - down.y);
  }

  /** The board is dragged: `down` is how that began. */
  pulled() {}

  /** The board is no longer dragged. */
  letGo() {}

  #focused(cell) {
    this.focusable(cell);
    this.#byKeyboard = this.elements.get(cell).matches(":focus-visible");
    if (this.#byKeyboard) this.pointAt(cell);
  }

  /** A finger moves the focus too, after it was lifted: that points nowhere. */
  #left() {
    if (this.#byKeyboard) this.pointAt(null);
    this.#byKeyboard = false;
  }

  #listen() {
    let down = null;
    const element = this.svg;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const cell = this.under(event);
      const movable = cell !== null && this.isMovable(cell);
      down = { x: event.clientX, y: event.clientY, cell, movable, dragging: false, pointer: event.pointerId };
    });
    element.addEventListener("pointermove", (event) => {
      if (down && !down.dragging && (down.movable || this.pulls) && this.way(event, down) >= DRAG) {
        down.dragging = true;
        element.setPointerCapture(down.pointer);
        if (down.movable) this.choose({ cell: down.cell, drag: true });
      }
      if (down?.dragging && !down.movable) this.pulled(event, down);
      else if (event.pointerType !== "touch" || down?.dragging) this.pointAt(this.under(event));
    });
    element.addEventListener("pointerup", (event) => {
      if (!down) return;
      const { dragging, movable, cell: from } = down;
      const cell = this.under(event);
      down = null;
      if (dragging && !movable) this.letGo();
      else if (cell && !(dragging && cell === from)) {
        // What a finger or a drag points at has been seen by nobody before it is let go, or all the time.
        this.choose({ cell, touch: event.pointerType === "touch" && !dragging });
      }
    });
    element.addEventListener("pointercancel", () => {
      if (down?.dragging && !down.movable) this.letGo();
      down = null;
    });
    element.addEventListener("pointerleave", (event) => {
      // A finger leaves whenever it is lifted.
      if (!down && event.pointerType !== "touch") this.pointAt(null);
    });
  }
}
