// Choosing who plays or judges: a player, and of a run's networks the checkpoint.

import { html, setOptions } from "./dom.js";

/** `gen-000050` as people say it. */
export const generation = (checkpoint) => checkpoint.replace(/^gen-0*(?=\d)/, "generation ");

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
