// The game that another one has taken the place of, and how to get it back.

import { byId, html } from "./dom.js";

/** Offers what another game replaces; the function that it returns offers a game that was kept, with its variations. */
export function initForgotten(game, variations) {
  const place = byId("forgotten");
  const offer = (before, lines) => {
    const plies = Math.max(before.moves.length, ...lines.map((line) => line.length));
    if (!plies) return;
    const restore = async () => {
      // The game that goes is offered in turn.
      place.hidden = true;
      if (await game.begin(before)) variations.set(lines);
      else place.hidden = false;
    };
    const words = `The game before this one had ${plies} ${plies === 1 ? "ply" : "plies"}. `;
    place.replaceChildren(words, html("button", { class: "link", onclick: restore }, "Bring back"));
    place.hidden = false;
  };
  game.addEventListener("replaced", ({ detail: before }) => {
    const { lines } = variations;
    variations.set([]);
    // An exercise leads back to the game before by itself, and is no game to bring back.
    if (!before.exercise && !game.exercise) offer(before, lines);
  });
  return offer;
}
