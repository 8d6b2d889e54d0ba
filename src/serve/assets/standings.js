// Who is how strong in a match or tournament.

import { html } from "./dom.js";
import { generation } from "./player.js";
import { minus } from "./words.js";

/** What is known of a rating: Elo and its interval, or a bound. */
function elo({ standing, elo: value, low, high }, isAnchor) {
  if (isAnchor) return ["0", ""];
  const whole = (number) => minus(Math.round(number).toLocaleString("en-GB"));
  if (standing === "at-least") return [`≥ ${whole(value)}`, "no upper bound"];
  if (standing === "at-most") return [`≤ ${whole(value)}`, "no lower bound"];
  if (standing !== "rated") return ["–", "unknown"];
  return [whole(value), `[${whole(low)}, ${whole(high)}]`];
}

/** The standings of a report, strongest player first. */
export function standingsTable({ games, of, anchor, players }) {
  const number = (text) => html("td", { class: "number" }, text);
  const row = ({ name, player, games: { wins, draws, losses }, rating }) => {
    const [value, interval] = elo(rating, name === anchor);
    return html("tr", {}, html("td", { title: player }, generation(name)), number(value), number(interval), number(`${wins}–${draws}–${losses}`));
  };
  const heads = [["player", ""], ["Elo", `above ${anchor}`], ["95 %", "confidence interval of the rating"], ["won–drawn–lost", ""]];
  return html("div", {},
    html("table", { class: "candidates" },
      html("thead", {}, html("tr", {}, ...heads.map(([text, title]) => html("th", { title }, text)))),
      html("tbody", {}, ...players.map(row))),
    html("p", { class: "soft" }, `${games.toLocaleString("en-GB")} of ${of.toLocaleString("en-GB")} games; Elo above ${generation(anchor)}.`));
}
