// What tables of moves have in common: moves to play, rows that open, and a button for all moves.

import { html } from "./dom.js";
import { short } from "./words.js";

/** Moves that are shown before somebody asks for the rest. */
export const FEW = 12;

/** Attributes of a row: what the pointer is at is told to `point(action)`, `null` for nothing. */
export const hovering = ({ action }, point) => ({ onpointerenter: () => point(action), onpointerleave: () => point(null) });

/** The first cell of a row: a button that plays the move. */
export const moveCell = (move, { point, play }) =>
  html("td", {}, html("button", {
    class: "link",
    title: `Play ${move.text}`,
    onclick: () => play(move.action),
    onfocus: () => point(move.action),
    onblur: () => point(null),
  }, short(move)));

/**
 * A row below that of a move, and the button that shows and hides it. `open` is the set of actions whose rows are shown,
 * `content()` what the row has, an array; it is asked for when the row is shown.
 */
export function disclosure({ action }, { open, width, label, title, content }) {
  const more = html("tr", { class: "more", hidden: true }, html("td", { colspan: width }));
  const toggle = html("button", { class: "link", "aria-expanded": "false", "aria-label": label, title }, "▸");
  const show = (shown) => {
    more.hidden = !shown;
    toggle.setAttribute("aria-expanded", shown);
    toggle.textContent = shown ? "▾" : "▸";
    if (!shown) return void open.delete(action);
    open.add(action);
    more.firstChild.replaceChildren(...content());
  };
  toggle.addEventListener("click", () => show(more.hidden));
  if (open.has(action)) show(true);
  return { more, toggle };
}

/** The button that shows all moves or the first few; `whole.on` says which, and `again()` is called when that has changed. */
export function moreButton(moves, { id, few = FEW, whole, again }) {
  const onclick = () => {
    whole.on = !whole.on;
    again();
  };
  return moves.length > few ? html("button", { id, onclick }, whole.on ? `The first ${few} only` : `All ${moves.length} moves`) : null;
}
