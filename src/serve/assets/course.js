// The ways that dice go, as arrows that leave the board at one side and come back at the other.

import { svg } from "./dom.js";

const distance = ([x, y], [u, v]) => Math.hypot(u - x, v - y);
const between = ([x, y], [u, v], part) => [x + part * (u - x), y + part * (v - y)];
const path = (points) => points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");

/** Cuts a way back at its ends, which are in the middles of cells. */
export function trimmed(points, begin, end) {
  const last = points.length - 1;
  const first = between(points[0], points[1], begin / distance(points[0], points[1]));
  const tip = between(points[last], points[last - 1], end / distance(points[last], points[last - 1]));
  return [first, ...points.slice(1, last), tip];
}

/** An arrow along a way. */
export function arrow(points, width) {
  const [from, tip] = points.slice(-2);
  const length = distance(from, tip);
  if (length === 0) return null;
  const long = Math.min(2.2 * width + 3, 0.8 * length);
  const base = between(tip, from, long / length);
  const [dx, dy] = [(tip[0] - base[0]) / long, (tip[1] - base[1]) / long];
  const half = 1.2 * width + 1.3;
  const head = [tip, [base[0] - half * dy, base[1] + half * dx], [base[0] + half * dy, base[1] - half * dx]];
  return svg(
    "g",
    {},
    svg("path", { class: "shaft", "stroke-width": width, d: path([...points.slice(0, -1), base]) }),
    svg("path", { class: "head", d: `${path(head)}z` }),
  );
}

/** What is written at a point, readable on whatever is there. */
export const plate = ([x, y], label) => [
  svg("rect", { class: "plate", x: x - 4 - 3 * label.length, y: y - 7, width: 8 + 6 * label.length, height: 14, rx: 4 }),
  svg("text", { class: "tag", x, y: y + 3.3 }, label),
];

/**
 * The ways of all dice of an action. Those of bumped dice are thinner. `label` is put where the first one ends.
 */
export function course(layout, legs, { role, width = 4, label, opacity }) {
  // What is written on an arrow stays readable however faint it is.
  const arrows = svg("g", { opacity });
  const group = svg("g", { class: `course ${role}` }, arrows);
  for (const leg of legs) {
    const thick = leg.cause === "bumped" ? 0.65 * width : width;
    for (const way of layout.ways(leg.from, leg.steps)) {
      arrows.append(arrow(trimmed(way, leg.cause === "leaves" ? 15 : 12, 7), thick) ?? "");
    }
  }
  if (label !== undefined && legs.length) group.append(...plate(layout.place(legs[0].to), label));
  return group;
}
