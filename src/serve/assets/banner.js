// The end of a game, below the board.

import { byId, html } from "./dom.js";
import { name } from "./words.js";

/** How the end is, for the person who plays if there is one. Why it is so stands below. */
function mood({ result }, human) {
  if (!["white", "black"].includes(result)) return result === "draw" ? "A draw." : "The game was stopped without a result.";
  if (!human) return `${name(result)} has won.`;
  return result === human ? "You have won." : "You have lost.";
}

/** Shows when a game has come to its end; `openTab` opens a panel. */
export function initBanner(game, play, openTab) {
  const banner = byId("banner");
  const show = () => {
    const { view } = game;
    banner.hidden = !view?.end || !game.isLast || game.exercise;
    if (banner.hidden) return;
    const close = () => (banner.hidden = true);
    const button = (id, text, doing, kind = "") => html("button", { id, class: kind, onclick: doing }, text);
    banner.replaceChildren(
      html("p", {}, html("b", {}, mood(view.end, play.human))),
      html("div", { class: "row" },
        button("banner-new", "New game", () => { close(); openTab("play"); byId("start").focus(); }, "main"),
        button("banner-analyse", "Analyse", () => { close(); openTab("analysis"); }),
        button("banner-close", "Close", close, "quiet")),
    );
  };
  game.addEventListener("change", show);
}
