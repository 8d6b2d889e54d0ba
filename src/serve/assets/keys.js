// What keys do, beside what browsers do with them anyway.

import { byId } from "./dom.js";

/** `doings` are called by the names below. */
export function initKeys(board, selection, doings) {
  byId("board").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    // After a click the arrows go through the game, as they do elsewhere.
    if (step && board.isByKeyboard) {
      const next = board.layout.neighbour(board.focused, ...step);
      if (next) board.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      board.choose({ cell: board.focused });
    } else if (event.key === "n" || event.key === "N") {
      const stops = selection.stops();
      if (stops.length) board.focus(stops.find((cell) => cell > board.focused) ?? stops[0]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  byId("typed").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    board.focus();
  });
  const keys = {
    ArrowLeft: doings.back,
    ArrowRight: doings.forward,
    ",": doings.back,
    ".": doings.forward,
    Home: doings.first,
    End: doings.last,
    "[": doings.west,
    "]": doings.east,
    f: doings.flip,
    u: doings.takeBack,
    h: doings.hint,
    b: () => board.focus(),
    m: () => byId("typed").focus(),
    "?": doings.help,
    Escape: () => selection.clear(),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea") || event.target.closest("dialog");
    const doing = keys[event.key];
    if (!doing || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    doing();
  });
}
