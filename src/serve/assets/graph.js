// Lines of numbers: the value over the game, and the curves of a run.

import { html, svg } from "./dom.js";
import { minus, name } from "./words.js";

const WIDTH = 400;
const HEIGHT = 110;

/** White's expected score by ply: click to go there. `go(ply)` is called, `plies` is the length of the game. */
export function valueGraph({ values, plies, at, go }) {
  const x = (ply) => (plies ? (ply / plies) * WIDTH : 0);
  const y = (points) => (1 - points) * HEIGHT;
  const points = [...values].filter(([ply]) => ply <= plies).sort(([one], [other]) => one - other);
  const element = svg(
    "svg",
    { class: "graph", viewBox: `-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`, role: "img", "aria-label": `${name("white")}'s expected score over the game` },
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

const short = (number) => minus(Math.abs(number) >= 1000 || Number.isInteger(number) ? Math.round(number).toLocaleString("en-GB") : number.toPrecision(3));

/** Room for the numbers at the axes. */
const LEFT = 46;
const BELOW = 16;

/** About `count` round numbers from `least` to `most`, each with its text. */
function ticks(least, most, count) {
  if (!(most > least)) return [[least, short(least)]];
  const rough = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const first = Math.ceil(least / step);
  // As many digits as tell neighbours apart.
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = (number) => minus(number.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  const numbers = Array.from({ length: Math.floor(most / step + 1e-9) - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  return numbers.map((number) => [number, text(number)]);
}

/**
 * A curve with its axes: `points` are pairs of step and number, `low` and `high` the ends of their intervals, where they are
 * known. What a pointer is nearest to is said below.
 */
export function curve(title, points, unit, { low = [], high = [] } = {}) {
  const numbers = points.map(([, number]) => number);
  const all = [...numbers, ...[...low, ...high].map(([, number]) => number)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const [first, last] = [points[0][0], points.at(-1)[0]];
  const x = (step) => LEFT + (last > first ? ((step - first) / (last - first)) * (WIDTH - LEFT) : (WIDTH - LEFT) / 2);
  const y = (number) => (most > least ? (1 - (number - least) / (most - least)) * HEIGHT : HEIGHT / 2);
  const at = ([step, number]) => `${x(step).toFixed(1)} ${y(number).toFixed(1)}`;
  const line = (list) => list.map((point, index) => `${index ? "L" : "M"}${at(point)}`).join("");
  const band = low.length && high.length ? svg("path", { class: "band", d: `${line(low)}${line(high.toReversed()).replace("M", "L")}z` }) : null;
  const interval = new Map(low.map(([step, number]) => [step, [number, high.find(([other]) => other === step)?.[1]]]));
  const words = ([step, number]) => {
    const [from, to] = interval.get(step) ?? [];
    return `${unit} ${step.toLocaleString("en-GB")}: ${short(number)}${to === undefined ? "" : ` [${short(from)}, ${short(to)}]`}`;
  };
  const mark = svg("circle", { cx: x(last), cy: y(numbers.at(-1)), r: 4 });
  const said = html("p", { class: "soft" }, words(points.at(-1)));
  const picture = svg(
    "svg",
    { class: "graph", viewBox: `0 -6 ${WIDTH + 8} ${HEIGHT + BELOW + 8}`, role: "img", "aria-label": `${title}: from ${short(numbers[0])} to ${short(numbers.at(-1))}` },
    ...ticks(least, most, 4).flatMap(([number, text]) => [
      svg("path", { class: "middle", d: `M${LEFT} ${y(number).toFixed(1)}H${WIDTH}` }),
      svg("text", { class: "left", x: LEFT - 5, y: y(number) + 4 }, text),
    ]),
    ...ticks(first, last, 4).filter(([step]) => Number.isInteger(step)).map(([step, text]) => svg("text", { class: "below", x: x(step), y: HEIGHT + BELOW }, text)),
    band ?? "",
    svg("path", { class: "curve", d: line(points) }),
    mark,
  );
  const point = (event) => {
    const seen = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const nearest = points.reduce((one, other) => (Math.abs(x(other[0]) - seen.x) < Math.abs(x(one[0]) - seen.x) ? other : one));
    mark.setAttribute("cx", x(nearest[0]));
    mark.setAttribute("cy", y(nearest[1]));
    said.textContent = words(nearest);
  };
  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  return html("figure", { class: "curve" }, html("figcaption", {}, html("b", {}, title), ` ${short(numbers.at(-1))}`), picture, said);
}
