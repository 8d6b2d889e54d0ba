// The game that another one has taken the place of, and how to get it back.

import { byId, html } from "./dom.js";

/** `play` is left when a game of before comes back. */
export function initForgotten(game, play, variations) {
  const place = byId("forgotten");
  game.addEventListener("replaced", ({ detail: before }) => {
    const { lines } = variations;
    variations.set([]);
    // An exercise leads back to the game before by itself, and is no game to bring back.
    if (before.exercise || game.exercise) return;
    const plies = Math.max(before.moves.length, ...lines.map((line) => line.length));
    if (!plies) return;
    const restore = async () => {
      place.hidden = true;
      play.leave();
      if (await game.begin(before)) variations.set(lines);
    };
    const words = `The game before this one had ${plies} ${plies === 1 ? "ply" : "plies"}. `;
    place.replaceChildren(words, html("button", { class: "link", onclick: restore }, "Bring back"));
    place.hidden = false;
  });
}
