// The faces of dice.

import { svg } from "./dom.js";

/** Pips as strokes of no length, whose round ends make dots. */
const PIPS = [
  "M0 0h0",
  "M-6.5-6.5h0M6.5 6.5h0",
  "M-6.5-6.5h0M0 0h0M6.5 6.5h0",
  "M-6.5-6.5h0M6.5-6.5h0M-6.5 6.5h0M6.5 6.5h0",
  "M-6.5-6.5h0M6.5-6.5h0M0 0h0M-6.5 6.5h0M6.5 6.5h0",
  "M-6.5-7h0M-6.5 0h0M-6.5 7h0M6.5-7h0M6.5 0h0M6.5 7h0",
];

/** A die of a player, with its middle at a point. */
export function die(player, pips, [x, y], role = "") {
  return svg(
    "g",
    { class: `die ${player} ${role}`, transform: `translate(${x} ${y})` },
    svg("rect", { x: -12.5, y: -12.5, width: 25, height: 25, rx: 5 }),
    svg("path", { d: PIPS[pips - 1] }),
  );
}
