// The moves of the game, to look at and to go to.

import { byId, html } from "./dom.js";

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

export function initMoves(game) {
  const list = byId("moves");
  game.addEventListener("change", () => {
    const { plies, at } = game.view;
    const button = ([ply, number]) =>
      html(
        "button",
        { "aria-current": number === at ? "step" : null, onclick: () => game.go(number) },
        ply.text,
      );
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
  });
}
