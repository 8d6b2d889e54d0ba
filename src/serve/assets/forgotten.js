// Plies that were lost by playing on from an earlier position or by another game, and how to get them back.

import { byId, html } from "./dom.js";

/** `play.isOn` tells whether a match is on, in which plies that are taken back are gone for good. */
export function initForgotten(game, play) {
  const place = byId("forgotten");
  game.addEventListener("forgot", ({ detail: { before, lost, replaced } }) => {
    // A single ply that is taken back is soon played again.
    if (replaced ? lost === 0 : play.isOn || lost < 2) return;
    const restore = () => {
      place.hidden = true;
      play.leave();
      game.begin(before);
    };
    const words = replaced ? "The game before this one had" : "Forgotten:";
    place.replaceChildren(`${words} ${lost} ${lost === 1 ? "ply" : "plies"}. `, html("button", { class: "link", onclick: restore }, "Bring back"));
    place.hidden = false;
  });
}
