// Lines beside the game: what was played before somebody went another way from an earlier position.

import { byId, html } from "./dom.js";

/** Plies of a line that are shown. */
const SHOWN = 12;

/** How many plies two lines have in common. */
export function common(one, other) {
  const differs = one.findIndex((move, ply) => move !== other[ply]);
  return differs < 0 ? one.length : differs;
}

const moves = (plies) => plies.map(({ action }) => action);

export class Variations {
  /** Plies, as the server tells them, of each line, from the same start as the game; none is the beginning of another. */
  #lines = [];
  #game;

  /** `play.isOn` tells whether a match is on, in which what is taken back is gone for good. */
  constructor(game, play) {
    this.#game = game;
    game.addEventListener("left", ({ detail: { before, lost, cut } }) => {
      // A single ply that is taken back is soon played again.
      if (!play.isOn && !(cut && lost < 2)) this.#lines.push(before.plies);
    });
    game.addEventListener("change", () => this.#settle());
  }

  /** The lines, which `set` takes. */
  get lines() {
    return this.#lines;
  }

  /** Called when lines were set, by which nothing else has changed. */
  told = () => {};

  /** Other lines: those of another game, or fewer. */
  set(lines) {
    this.#lines = lines;
    this.#settle();
    this.told();
  }

  /** Drops what is part of the game or of another line, and shows the others by where they leave the game. */
  #settle() {
    const game = this.#game.moves;
    const known = [game];
    const longest = this.#lines.toSorted((one, other) => other.length - one.length);
    this.#lines = longest.filter((line) => {
      if (known.some((longer) => common(moves(line), longer) === line.length)) return false;
      known.push(moves(line));
      return true;
    });
    const rows = this.#lines.map((line) => [common(moves(line), game), line]);
    rows.sort(([one], [other]) => one - other);
    byId("variations").hidden = !rows.length;
    byId("variations-list").replaceChildren(...rows.map(([from, line]) => this.#row(from, line)));
  }

  #row(from, line) {
    const rest = line.slice(from);
    const spaced = (buttons) => buttons.flatMap((button) => [button, " "]);
    const ply = ({ text, turn, player }, index) => {
      const begins = index === 0 || rest[index - 1].turn !== turn;
      const number = begins ? `${turn}.${player === "black" ? " …" : ""} ` : "";
      return html("button", { onclick: () => this.#game.follow(moves(line), from + index + 1) }, number, text);
    };
    const more = rest.length > SHOWN ? html("span", { class: "soft" }, `… and ${rest.length - SHOWN} more`) : null;
    const drop = () => this.set(this.#lines.filter((other) => other !== line));
    return html(
      "li",
      {},
      html("span", {}, ...spaced(rest.slice(0, SHOWN).map(ply)), more),
      html("button", { title: "Delete this variation", "aria-label": `Forget the variation ${rest[0].text}`, onclick: drop }, "×"),
    );
  }
}
