// The moves of the game, to look at and to go to.

import { call } from "./api.js";
import { byId, html } from "./dom.js";
import { review } from "./review.js";
import { describe } from "./words.js";

/** Plies by number of the turn: a turn may have several, for a choice of dice to absorb is one. */
function turns(plies) {
  const rows = [];
  plies.forEach((ply, index) => {
    let row = rows.at(-1);
    if (row?.turn !== ply.turn) rows.push((row = { turn: ply.turn, white: [], black: [] }));
    row[ply.player].push([ply, index + 1]);
  });
  return rows;
}

/** Says in words what a ply of the game did, once somebody points at it. */
async function explain(button, game, ply, number) {
  if (button.title) return;
  const { moves, ...start } = game.whole();
  try {
    const { plies } = await call("/api/line", { game: { ...start, moves: moves.slice(0, number - 1) }, line: [ply.action] });
    button.title = `${describe(plies[0], ply.player)}${button.dataset.judged ?? ""}`;
  } catch {
    // The move itself is there to be read.
  }
}

export function initMoves(game) {
  const list = byId("moves");
  const draw = () => {
    if (!game.view) return;
    const { plies, at } = game.view;
    const judged = new Map(review(plies, game.values, game.best).map((ply) => [ply.number, ply]));
    const button = ([ply, number]) => {
      const { mark, word, best } = judged.get(number) ?? {};
      const element = html(
        "button",
        {
          "aria-current": number === at ? "step" : null,
          "data-judged": mark ? `; ${word}, better was ${best.text}` : null,
          onclick: () => game.go(number),
          onpointerenter: () => explain(element, game, ply, number),
          onfocus: () => explain(element, game, ply, number),
        },
        ...ply.text.split(/(?<=\/)/).flatMap((part, index) => (index ? [html("wbr"), part] : [part])),
        mark ? html("b", { class: "mistake" }, ` ${mark}`) : null,
      );
      return element;
    };
    const rows = turns(plies).map(({ turn, white, black }) =>
      html(
        "li",
        {},
        html("span", { class: "number" }, `${turn}.`),
        html("span", {}, ...white.map(button)),
        html("span", {}, ...black.map(button)),
      ),
    );
    list.replaceChildren(...(rows.length ? rows : [html("li", { class: "none" }, "No moves yet.")]));
    const current = list.querySelector("[aria-current]");
    // Not scrollIntoView, which would scroll the page as well.
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    else list.scrollTop = 0;
  };
  game.addEventListener("change", draw);
  game.addEventListener("reviewed", draw);
}
