// The end of a game, below the board.

import { byId, html } from "./dom.js";
import { ending } from "./words.js";

/** How the end is for the person who plays. */
function mood({ result }, human) {
  if (!human || !["white", "black"].includes(result)) return "";
  return result === human ? "You have won. " : "You have lost. ";
}

/** Shows when a game has come to its end; `openTab` opens a panel. */
export function initBanner(game, play, openTab) {
  const banner = byId("banner");
  const show = () => {
    const { end } = play;
    banner.hidden = !end || !game.isLast || game.exercise;
    if (banner.hidden) return;
    const close = () => (banner.hidden = true);
    const button = (id, text, doing, kind = "") => html("button", { id, class: kind, onclick: doing }, text);
    banner.replaceChildren(
      html("p", {}, html("b", {}, mood(end, play.human)), `${ending(end)}.`),
      html("div", { class: "row" },
        button("banner-new", "New game", () => { close(); openTab("play"); byId("start").focus(); }, "main"),
        button("banner-analyse", "Analyse", () => { close(); openTab("analysis"); }),
        button("banner-close", "Close", close, "quiet")),
    );
  };
  game.addEventListener("change", show);
  game.addEventListener("resigned", show);
}
