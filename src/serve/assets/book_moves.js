// Moves of a book in a position, as a table.

import { html } from "./dom.js";
import { FEW, disclosure, hovering, moreButton, moveCell } from "./move_table.js";
import { short } from "./words.js";

/** Plies of a line that are shown. */
const PLIES = 8;

const NONE = "–";

/** Moves of a book often differ by less than a hundredth. */
const percent = (score) => (score === null || score === undefined ? NONE : `${(100 * score).toFixed(1)} %`);

/** What the score would be if the lowest or the highest score of a judge were right; nothing where all judges agree. */
const bounds = ({ low, high }) =>
  low === high ? null : html("small", { class: "soft bounds" }, `[${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`);

/** What both players are expected to play after the first move of a line. */
function rest(actions) {
  const texts = actions.slice(1, 1 + PLIES).map((text) => short({ text }));
  return `${texts.join(" ")}${actions.length > 1 + PLIES ? " …" : ""}`;
}

/** Moves with their lines, side by side under these titles. */
export function comparison(moves, titles) {
  const side = ({ text, backed, line: actions, challenge }, index) =>
    html("div", {},
      html("div", { class: "soft" }, titles[index]),
      html("div", {}, html("b", {}, short({ text })), ` ${percent(backed.mean)} `, bounds(backed)),
      actions.length > 1 ? html("div", {}, html("small", {}, `then ${rest(actions)}`)) : null,
      challenge ? html("div", { class: "soft" }, html("small", {}, tested(challenge))) : null);
  return html("div", { class: "compared" }, ...moves.map(side));
}

/** What a move threatens, and what broke it most, in words. */
function tested({ answers, threat }) {
  const worst = answers.filter(({ score, text }) => score !== null && text).sort((one, other) => one.score - other.score)[0];
  return [
    threat ? `threatens ${short(threat)}` : "",
    worst ? `strongest challenge ${short(worst)}, which leaves ${percent(worst.score)}` : "",
  ].filter(Boolean).join("; ");
}

/** What the book made of a move, in words. */
function said({ judges, followed, held, line: actions, replies }) {
  const expects = actions.length > 1 ? `; expects ${rest(actions)}` : "";
  // What is left after the best reply that anyone found, challengers among them.
  const holds = held === null ? "" : `; holds ${percent(held)}`;
  if (followed) return `followed${expects || (replies.length ? "" : ", the book ends here")}${holds}`;
  if (judges.length) return `not followed${expects}${holds}`;
  return `seen by the scout only${expects}`;
}

/**
 * A table of `moves`, best first, of a book by `judges` and a `scout`. `open` is the set of those that are shown at length,
 * `whole.on` says whether all are shown, and `again()` is called when that has changed; `point(action)` is called with what the
 * pointer or the keyboard is at, `null` for nothing, and `play(action)` with what was chosen.
 */
export function bookTable(moves, { judges, scout, open, whole, again, point, play }) {
  const judged = moves.filter(({ backed }) => backed).length;
  const few = Math.min(FEW, judged || FEW);
  const columns = [
    ["move", ""],
    ["score", "backed up from the ends of the book's lines; in brackets what it would be by the lowest and by the highest scores of the judges"],
    ...judges.map((player, index) => [judges.length > 1 ? `judge ${index + 1}` : "judge", player]),
    ["scout", scout],
  ];
  const width = columns.length + 1;
  const number = (...children) => html("td", { class: "number" }, ...children);
  const row = (move) => {
    const { action, text, backed, replies } = move;
    const { more, toggle } = disclosure(move, {
      open,
      width,
      label: `Why ${text} has its score`,
      title: "The best replies",
      content: () => [comparison(replies, ["Best reply", "Second best reply"])],
    });
    const scores = judges.map((_, index) => number(percent(move.judges[index])));
    return [
      html("tr", { "data-action": action, ...hovering(move, point) },
        moveCell(move, { point, play }),
        number(`${percent(backed?.mean)} `, backed && bounds(backed)),
        ...scores,
        number(percent(move.scout)),
        html("td", {}, replies.length ? toggle : null)),
      html("tr", { class: "said", ...hovering(move, point) }, html("td", { colspan: width }, html("small", { class: "soft" }, said(move)))),
      more,
    ];
  };
  const heads = columns.map(([text, title]) => html("th", { title: title || undefined, scope: "col" }, text));
  return html("div", {},
    html("div", { class: "sideways" },
      html("table", { class: "candidates explored booked", "aria-label": "Moves of the book" },
        html("thead", {}, html("tr", {}, ...heads, html("th", {}, html("span", { class: "unseen" }, "why")))),
        html("tbody", {}, ...(whole.on ? moves : moves.slice(0, few)).flatMap(row)))),
    moreButton(moves, { id: "all-book-moves", few, whole, again }));
}
