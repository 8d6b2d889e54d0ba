// What keys do, beside what browsers do with them anyway.

import { byId } from "./dom.js";

/** Signs with a meaning, and the places where an American keyboard has them. */
const SIGNS = { "[": "BracketLeft", "]": "BracketRight", ",": "Comma", ".": "Period", "?": "Slash" };
/** What takes the keys of people who type or choose. */
const TYPING = "textarea, select, input:not([type=checkbox], [type=radio]), dialog *";
/** Keys that do more the longer they are held. */
const HELD = new Set(["ArrowLeft", "ArrowRight", ",", ".", "[", "]"]);

/**
 * What a key means on any keyboard: letters mean the same in both cases, those of other scripts what is in their place on an
 * American keyboard, and signs may need AltGr or Option. `null` for what is meant for the browser.
 */
export function meaning(event) {
  const { key, code } = event;
  // AltGr is Control and Alt for some systems.
  const composed = event.getModifierState("AltGraph") || (event.altKey && !event.ctrlKey && key in SIGNS && SIGNS[key] !== code);
  if (!composed && (event.ctrlKey || event.metaKey || event.altKey)) return null;
  if (key.length > 1) return key;
  if (key <= "~") return key.toLowerCase();
  if (composed) return null;
  return code.startsWith("Key") ? code[3].toLowerCase() : Object.keys(SIGNS).find((sign) => SIGNS[sign] === code) ?? null;
}

/** `doings` are called by the names below. */
export function initKeys(board, selection, doings) {
  byId("board").addEventListener("keydown", (event) => {
    const key = meaning(event);
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    // After a click the arrows go through the game, as they do elsewhere.
    if (step && board.isByKeyboard) {
      const next = board.layout.neighbour(board.focused, ...step);
      if (next) board.focus(next);
    } else if (key === "Enter" || key === " ") {
      board.choose({ cell: board.focused });
    } else if (key === "n") {
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
    const key = meaning(event);
    if (!keys[key] || event.target.matches(TYPING)) return;
    event.preventDefault();
    if (!event.repeat || HELD.has(key)) keys[key]();
  });
}
