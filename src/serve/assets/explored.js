// Moves that were played in a position, as a table.

import { html } from "./dom.js";
import { FEW, disclosure, hovering, moreButton, moveCell } from "./move_table.js";
import { generation } from "./player.js";
import { chips, sentences } from "./verdicts.js";
import { name, percent } from "./words.js";

/** The article's classes of first moves, as people say them. */
const CLASSES = {
  "one-step": "one step forward",
  "wrap-bump": "wraparound bump",
  "duck-3": "3 behind the Chamber",
  exchange: "exchange",
  "two-to-chamber": "2 towards the Chamber",
  "three-away": "3 away from the Chamber",
  "five-away": "5 away from the Chamber",
  four: "4, in any direction",
  other: "2 away from the Chamber",
};

export const KINDS = { selfplay: "self-play", measurement: "measurement", match: "match", study: "study" };

const count = (number) => number.toLocaleString("en-GB");

function results({ games, white, draws, black, truncated }) {
  if (!games) return null;
  const decided = white + draws + black;
  if (!decided) return html("span", { class: "soft" }, "no result");
  const part = (role, number) => {
    const element = html("i", { class: role }, decided && number / decided > 0.15 ? percent(number / decided) : "");
    element.style.flexGrow = number;
    return element;
  };
  const words = `${name("white")} won ${white}, draws ${draws}, ${name("black")} won ${black}${truncated ? `, no result ${truncated}` : ""}`;
  return html("span", { class: "odds flat", title: words, role: "img", "aria-label": words },
    part("white", white), part("draw", draws), part("black", black));
}

const heads = (first) => html("thead", {}, html("tr", {}, ...[[first, ""], ...columns()].map(([text, title]) => html("th", { title }, text))));

const columns = () => [
  ["games", "games in which it was played"],
  ["results", `${name("white")} wins, draws, ${name("black")} wins`],
  ["value", `${name("white")}'s expected score after the move, the mean over the searches of these games`],
  ["visits", "share of the search visits in this position, including searches that chose another move"],
];

function figures({ tally, value, visits }, all) {
  const number = (text, title) => html("td", { class: "number", title }, text);
  return [
    number(tally.games ? count(tally.games) : "–", all.games ? percent(tally.games / all.games) : undefined),
    html("td", { class: "wide" }, results(tally)),
    number(value === null ? "–" : percent(value)),
    number(visits ? percent(visits / all.visits) : "–", visits ? `${count(visits)} visits` : undefined),
  ];
}

/** All that was played or searched, added up; by player where `of` says so. */
function sums(moves) {
  const all = { games: 0, visits: 0 };
  for (const { tally, visits } of moves) {
    all.games += tally.games;
    all.visits += visits;
  }
  return all;
}

/** What each player made of a move; `moves` are all of the position. */
function byPlayer(move, moves) {
  const key = ({ run, kind, player }) => `${run} ${kind} ${player}`;
  const wholes = new Map();
  for (const by of moves.flatMap((other) => other.by)) {
    wholes.set(key(by), [...(wholes.get(key(by)) ?? []), by]);
  }
  const runs = new Set(move.by.map(({ run }) => run));
  const rows = move.by.toReversed().map((by) =>
    html("tr", {},
      html("td", {}, generation(by.player), html("small", { class: "soft" }, ` ${KINDS[by.kind]}${runs.size > 1 ? `, ${by.run}` : ""}`)),
      ...figures(by, sums(wholes.get(key(by))))));
  return html("div", { class: "by" }, html("table", { class: "candidates" }, heads("by"), html("tbody", {}, ...rows)));
}

/**
 * A table of `moves`. `open` is the set of those that are shown at length, `whole.on` says whether all are shown, and
 * `again()` is called when that has changed; `point(action)` is called with what the
 * pointer or the keyboard is at, `null` for nothing, and `play(action)` with what was chosen.
 */
export function exploredTable(moves, { open, whole, again, point, play }) {
  const all = sums(moves);
  const shown = whole.on ? moves : moves.slice(0, FEW);
  const rows = shown.flatMap((move) => {
    const { action, text, class: kind, verdicts, by } = move;
    const { more, toggle } = disclosure(move, {
      open,
      width: 6,
      label: `More about ${text}`,
      title: "By checkpoint, with the verdicts of studies",
      content: () => [...(by.length ? [byPlayer(move, moves)] : []), ...sentences(verdicts)],
    });
    const row = html("tr", { "data-action": action, ...hovering(move, point) },
      moveCell(move, { point, play }),
      ...figures(move, all),
      html("td", {}, by.length || verdicts.length ? toggle : null));
    const said = html("tr", { class: "said", ...hovering(move, point) }, html("td", { colspan: 6 }, html("small", { class: "soft" }, kind ? `${CLASSES[kind]} ` : "", ...chips(verdicts))));
    return kind || verdicts.length ? [row, said, more] : [row, more];
  });
  const head = heads("move");
  head.firstChild.append(html("th", {}, html("span", { class: "unseen" }, "more")));
  return html("div", {}, html("table", { class: "candidates explored" }, head, html("tbody", {}, ...rows)),
    moreButton(moves, { id: "all-moves", whole, again }),
    moves.some(({ verdicts }) => verdicts.length) ? html("p", { class: "soft" }, "A1 to D5 are claims of the article. ▸ shows what they say.") : null);
}
