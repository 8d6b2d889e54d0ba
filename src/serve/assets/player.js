// Choosing who plays or judges: a player, and of a run's networks the checkpoint.

import { html, setOptions } from "./dom.js";

/**
 * A checkpoint as people say it: `gen-000050` is generation 50, and `net:runs/quick-1/checkpoints/gen-000050,simulations=16` is
 * quick-1 generation 50, simulations 16.
 */
export const generation = (checkpoint) =>
  checkpoint
    .replace(/^net:(?:[^,]*\/)?([^,/]+)\/checkpoints\/(?=gen-\d)/, "$1 ")
    .replace(/^net:(?:[^,]*\/)?(?=[^,/]+)/, "")
    .replace(/(^| )gen-0*(?=\d)/, "$1generation ")
    .replace(/,(\w[\w-]*)=/g, ", $1 ");

export class PlayerChoice {
  #players = [];
  #others;
  #select;
  #checkpoint;

  /** `others` are options beside the players, pairs of value and text. */
  constructor({ id, players, others = [], onchange }) {
    this.#others = others;
    const changed = () => {
      this.#showCheckpoints();
      onchange();
    };
    this.#select = html("select", { id, onchange: changed });
    this.#checkpoint = html("select", { id: `${id}-checkpoint`, "aria-label": "Checkpoint", onchange });
    this.update(players);
  }

  get elements() {
    return [this.#select, this.#checkpoint];
  }

  /** Others may be there by now; the choice stays if it can. */
  update(players) {
    this.#players = players;
    setOptions(this.#select, [...players.map(({ id, name }) => [id, name]), ...this.#others]);
    this.#showCheckpoints();
  }

  /** The player; nothing if one of the others is chosen. */
  get player() {
    return this.#players.find(({ id }) => id === this.#select.value);
  }

  /** What requests call the choice. */
  get id() {
    const { value } = this.#select;
    return this.#checkpoint.hidden || !this.#checkpoint.value ? value : `${value}/${this.#checkpoint.value}`;
  }

  #showCheckpoints() {
    const [newest, ...older] = this.player?.checkpoints ?? [];
    this.#checkpoint.hidden = older.length === 0;
    if (!older.length) return this.#checkpoint.replaceChildren();
    setOptions(this.#checkpoint, [["", `newest, ${generation(newest)}`], ...older.map((name) => [name, generation(name)])]);
  }
}
