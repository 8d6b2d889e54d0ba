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

/**
 * A table of `report.actions`; `point(action)` is called with what the pointer or the keyboard is at, `null` for
 * nothing, and `play(action)` with what was chosen.
 */
export function candidates(report, { point, play }) {
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
      html("td", { class: "number" }, worth(action)),
      html("td", { class: "number" }, action.visits.toLocaleString("en-GB")),
      html("td", {}, html("meter", { value: action.visits / total, title: `${percent(action.visits / total)} of the visits` })),
      html("td", { class: "number" }, percent(action.prior)),
    );
  const heads = ["move", "points", "visits", "", "prior"];
  const titles = ["", `expected score of ${report.to_move}, the player to move`, "simulations that began with this action", "", "the probability before the search"];
  return html(
    "table",
    { class: "candidates" },
    html("thead", {}, html("tr", {}, ...heads.map((head, index) => html("th", { title: titles[index] }, head)))),
    html("tbody", {}, ...report.actions.map(row)),
  );
}
