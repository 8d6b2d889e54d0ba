// The panel of the rules of the game, which the server has written out with its diagrams.

import { call } from "./api.js";
import { html } from "./dom.js";

export class Rules {
  #name;
  #panel;

  constructor(name, panel) {
    this.#name = name;
    this.#panel = panel;
  }

  /** Shows the rules, once they are there. */
  async activate() {
    if (!this.#panel.hasChildNodes()) this.#show(await call(`/api/games/${this.#name}/rules`));
    // On a phone the panel is below the board.
    if (this.#panel.getBoundingClientRect().top > window.innerHeight / 2) this.#panel.scrollIntoView();
  }

  #show({ title, summary, entering, rules }) {
    const text = html("div", { class: "prose" });
    // HTML of the server's own: no raw HTML of a text is left in it.
    text.innerHTML = rules;
    this.#panel.replaceChildren(
      html("article", { id: "rules", class: "card", "aria-labelledby": "rules-title" },
        html("h2", { id: "rules-title" }, `The rules of ${title}`),
        html("p", { class: "summary" }, summary),
        html("p", { class: "entering" }, html("b", {}, "To enter a move: "), entering),
        text));
  }
}
