// Lines of numbers: the value over the game, and the curves of a run.

import { html, svg } from "./dom.js";
import { name } from "./words.js";

const WIDTH = 400;
const HEIGHT = 110;

/** White's expected points by ply: click to go there. `go(ply)` is called, `plies` is the length of the game. */
export function valueGraph({ values, plies, at, go }) {
  const x = (ply) => (plies ? (ply / plies) * WIDTH : 0);
  const y = (points) => (1 - points) * HEIGHT;
  const points = [...values].filter(([ply]) => ply <= plies).sort(([one], [other]) => one - other);
  const element = svg(
    "svg",
    { class: "graph", viewBox: `-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`, role: "img", "aria-label": `${name("white")}'s expected points over the game` },
    svg("rect", { class: "ground", width: WIDTH, height: HEIGHT }),
    svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    svg("path", { class: "now", d: `M${x(at)} 0V${HEIGHT}` }),
    svg("path", { class: "curve", d: points.map(([ply, value], index) => `${index ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("") }),
    svg("text", { x: 4, y: 13 }, `${name("white")} wins`),
    svg("text", { x: 4, y: HEIGHT - 5 }, `${name("black")} wins`),
    ...points.map(([ply, value]) => svg("circle", { cx: x(ply), cy: y(value), r: ply === at ? 4 : 2 })),
  );
  element.addEventListener("click", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(element.getScreenCTM().inverse());
    go(Math.round((point.x / WIDTH) * plies));
  });
  return element;
}

const short = (number) => (Math.abs(number) >= 1000 || Number.isInteger(number) ? Math.round(number).toLocaleString("en-GB") : number.toPrecision(3));

/** A curve with its extremes and its last point: pairs of step and number. */
export function curve(title, points, unit) {
  const [steps, numbers] = [points.map(([step]) => step), points.map(([, number]) => number)];
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const [first, last] = [steps[0], steps.at(-1)];
  const x = (step) => (last > first ? ((step - first) / (last - first)) * WIDTH : WIDTH / 2);
  const y = (number) => (most > least ? (1 - (number - least) / (most - least)) * HEIGHT : HEIGHT / 2);
  const line = points.map(([step, number], index) => `${index ? "L" : "M"}${x(step).toFixed(1)} ${y(number).toFixed(1)}`).join("");
  return html(
    "figure",
    { class: "curve" },
    html("figcaption", {}, html("b", {}, title), ` ${short(numbers.at(-1))}`),
    svg(
      "svg",
      { class: "graph", viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, role: "img", "aria-label": `${title}: from ${short(numbers[0])} to ${short(numbers.at(-1))}` },
      svg("path", { class: "curve", d: line }),
      svg("circle", { cx: x(last), cy: y(numbers.at(-1)), r: 4 }),
    ),
    html("p", { class: "soft" }, `${short(least)} to ${short(most)}; ${unit} ${first} to ${last}`),
  );
}
