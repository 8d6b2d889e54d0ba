// The actions that a search considers, as a table.

import { html } from "./dom.js";
import { percent, short } from "./words.js";

/** Expected score from 0 to 1 for a value from −1 to 1. */
export const points = (value) => (value + 1) / 2;

/** What an action is worth to the player to move, in words. */
function worth({ q, proven }) {
  if (proven) return proven === "draw" ? "drawn" : `${proven} wins`;
  return q === null ? "–" : percent(points(q));
}

/** The same with a decimal, for values that no sampling has blurred. */
function exactWorth(action) {
  return action.proven ? worth(action) : `${(100 * points(action.q)).toFixed(1)} %`;
}

/**
 * A table of `report.actions`; `point(action)` is called with what the pointer or the keyboard is at, `null` for
 * nothing, and `play(action)` with what was chosen.
 */
export function candidates(report, { point, play }) {
  // An alpha-beta search has no visits and no policy.
  const byDepth = report.depth !== undefined;
  const total = report.actions.reduce((sum, { visits }) => sum + visits, 0) || 1;
  const row = (action) =>
    html(
      "tr",
      { "data-action": action.action, onpointerenter: () => point(action), onpointerleave: () => point(null) },
      html(
        "td",
        {},
        html(
          "button",
          { class: "link", title: `Play ${action.text}`, onclick: () => play(action), onfocus: () => point(action), onblur: () => point(null) },
          short(action),
        ),
      ),
      html("td", { class: "number" }, byDepth ? exactWorth(action) : worth(action)),
      ...(byDepth
        ? [html("td", { class: "number" }, action.depth)]
        : [
            html("td", { class: "number" }, action.visits.toLocaleString("en-GB")),
            html("td", {}, html("meter", { value: action.visits / total, title: `${percent(action.visits / total)} of the visits` })),
            html("td", { class: "number" }, percent(action.prior)),
          ]),
    );
  const searched = [["visits", "simulations that began with this action"], [html("span", { class: "unseen" }, "share of the visits"), ""], ["prior", "the probability before the search"]];
  const columns = [
    ["move", ""],
    ["points", `expected score of ${report.to_move}, the player to move`],
    ...(byDepth ? [["plies", "how far the search has looked ahead"]] : searched),
  ];
  return html(
    "table",
    { class: "candidates" },
    html("thead", {}, html("tr", {}, ...columns.map(([head, title]) => html("th", { title }, head)))),
    html("tbody", {}, ...report.actions.map(row)),
  );
}
