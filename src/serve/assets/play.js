// Playing against somebody.

import { announce, complain } from "./announce.js";
import { call, isAbort, server } from "./api.js";
import { byId, html, setOptions } from "./dom.js";
import { NOBODY } from "./game.js";
import { PlayerChoice } from "./player.js";
import { describe, ending, name } from "./words.js";

const UNITS = { level: "level, 1 to 10", simulations: "simulations per move", milliseconds: "milliseconds per move", depth: "plies ahead" };
const BY_HAND = "hand";

export class Play {
  #game;
  #selection;
  #players;
  #thinking = null;
  #parts = {};

  constructor(game, board, selection, status, panel) {
    this.#game = game;
    this.#selection = selection;
    this.#players = status.players.filter((player) => player.plays);
    this.#build(panel, status);
    selection.mayAct = () => this.mayAct();
    selection.end = () => this.end;
    game.addEventListener("replaced", ({ detail: before }) => {
      this.#settle();
      // On a phone the board is above what games begin with.
      if (before.at !== undefined && !game.exercise) byId("board").scrollIntoView({ block: "nearest" });
    });
    game.addEventListener("change", () => this.#changed());
    server.addEventListener("back", () => this.#parts.retry.hidden || this.#retry());
    this.#begun = (flip) => board.flip(flip);
  }

  #begun;

  mayAct() {
    const { human, resigned } = this.#seats;
    const live = this.#game.isLast && human !== null && resigned === null;
    // Looking back in a game, nothing can be played: going on from there would take the opponent's moves back.
    return human === null || (live && this.#game.view.to_move === human);
  }

  /** The end of the game, by its rules or by resignation, if its last position is shown; `null` if it has not ended. */
  get end() {
    const { view, isLast } = this.#game;
    const { resigned } = this.#seats;
    if (resigned === null || !isLast) return view.end;
    return { result: resigned === "white" ? "black" : "white", reason: `${name(resigned)} resigned` };
  }

  /** The colour of the person in a match; `null` where both sides are moved by hand. */
  get human() {
    return this.#seats.human;
  }

  /** Whether a match is on, and not over. */
  get isOn() {
    const { human, resigned, ended } = this.#seats;
    return human !== null && resigned === null && !ended;
  }

  /** Plays an action that was chosen elsewhere than on the board; whether that was done. */
  async act(text) {
    if (this.mayAct()) return this.#game.play(text);
    if (this.isOn) {
      complain(this.#game.isLast ? "It is not your move." : "You are looking at an earlier position. ▶| returns to the current one.");
      return false;
    }
    // A match that is over is a game like any other.
    this.leave();
    return this.#game.play(text);
  }

  /** Who plays; belongs to the game, and comes and goes with it. */
  get #seats() {
    return this.#game.seats;
  }

  #seat(changes) {
    this.#game.seats = { ...this.#seats, ...changes };
  }

  /** Whether the opponent is about to move. */
  get isThinking() {
    return this.#thinking !== null;
  }

  /** Called when something has changed that seats show. */
  told = () => {};

  /** Who plays, for records. */
  people() {
    const { human, opponent, names, resigned } = this.#seats;
    const of = (player) => (human === null ? names[player] : player === human ? "human" : opponent.text);
    return { white: of("white"), black: of("black"), resigned };
  }

  /** Both sides are moved by hand from here on. */
  leave() {
    this.#stop();
    this.#seat(NOBODY);
    this.#changed();
  }

  /** Takes back that one has resigned, else the last ply, against an opponent the plies since one's own last. */
  takeBack() {
    return this.#game.inTurn(() => {
      const { view, moves, at: shown } = this.#game;
      const { human, resigned } = this.#seats;
      if (resigned !== null) return this.#resign(null);
      if (!moves.length) return false;
      this.#stop();
      announce("taken back");
      if (human === null) return this.#game.cut(Math.max(0, shown - 1));
      let at = moves.length - 1;
      while (at > 0 && view.plies[at].player !== human) at -= 1;
      return this.#game.cut(view.plies[at].player === human ? at : 0);
    });
  }

  /** Asks the best player there is what it would do. */
  async hint() {
    const [adviser] = this.#players;
    if (!this.#game.view) return;
    if (!this.mayAct() || this.#game.view.end) return complain("There is a hint when it is your move.");
    this.#tell(`Asking ${adviser.name} …`);
    const asked = this.#game.stated();
    const isOld = () => JSON.stringify(asked) !== JSON.stringify(this.#game.stated());
    try {
      const choice = await call("/api/play", { game: asked, player: adviser.id, effort: null });
      if (isOld()) return;
      const action = this.#game.view.actions.find((action) => action.action === choice.action);
      if (!action) return;
      this.#selection.setCourses([[action.legs, { role: "hint", width: 5 }]]);
      const text = describe(action, this.#game.view.to_move);
      this.#tell(action.kind ? `Hint: ${choice.text}, that is, ${text}.` : `Hint: ${choice.text}.`);
      announce(`Hint: ${text}`);
    } catch (error) {
      if (!isAbort(error) && !isOld()) complain(error.message);
    }
  }

  #effort() {
    const { unit, amount } = this.#parts;
    return unit.value && !unit.hidden ? { unit: unit.value, amount: Number(amount.value) } : null;
  }

  #build(panel, status) {
    const side = html("select", { id: "side" });
    setOptions(side, [["white", `${name("white")}, who begins`], ["black", name("black")], ["either", "random"]]);
    const others = [[BY_HAND, "no one: move both sides"]];
    const opponent = new PlayerChoice({ id: "opponent", players: this.#players, others, onchange: () => this.#showEfforts() });
    const amount = html("input", { id: "amount", type: "number", inputmode: "numeric", required: true });
    const unit = html("select", { id: "unit", "aria-label": "Limit per move", onchange: () => this.#showRange() });
    const strength = html("div", { class: "row" }, html("label", { for: "amount" }, "Strength"), amount, unit);
    const level = html("p", { id: "level", class: "soft" }, "Levels 1 to 5 play what looks good at first sight, 6 to 10 read ahead. Each has more search, or less chance, than the one below.");
    const here = html("input", { id: "from-here", type: "checkbox" });
    const seed = html("input", { id: "seed", type: "number", inputmode: "numeric", min: 0, max: 2 ** 32 - 1, placeholder: "any" });
    const drawn = html("div", { class: "row", hidden: !status.begins_at_random }, html("label", { for: "seed", title: "Of the first position, which is drawn at random" }, "Seed"), seed);
    const state = html("p", { id: "match", class: "soft" }, "You move both sides.");
    const button = (id, text, doing, more = {}) => html("button", { id, onclick: doing, ...more }, text);
    this.#parts = { side, opponent, amount, unit, strength, level, here, drawn, seed, state };
    this.#parts.takeBack = button("take-back", "Take back", () => this.takeBack(), { title: "Take back (u)" });
    this.#parts.hint = button("hint", "Hint", () => this.hint(), { title: "Hint (h)" });
    this.#parts.resign = button("resign", "Resign", () => this.#resign(this.human), { disabled: true });
    this.#parts.retry = button("retry", "Ask again", () => this.#retry(), { hidden: true });
    this.#parts.panel = panel;
    this.#parts.match = html(
      "div",
      { class: "card" },
      state,
      html(
        "div",
        { class: "row" },
        this.#parts.takeBack,
        this.#parts.hint,
        this.#parts.resign,
        this.#parts.retry,
      ),
    );
    panel.append(
      html(
        "div",
        { class: "card" },
        html("h2", {}, "New game"),
        html("div", { class: "row" }, html("label", { for: "side" }, "You play"), side),
        html("div", { class: "row" }, html("label", { for: "opponent" }, "against"), ...opponent.elements),
        strength,
        level,
        drawn,
        html("div", { class: "row" }, html("label", { class: "box", title: "Keeps the moves up to the position shown" }, here, " from the position on the board")),
        html("div", { class: "row" }, button("start", "Start", () => this.#start(), { class: "main" })),
      ),
      this.#parts.match,
    );
    this.#showEfforts();
  }

  /** Players who are there by now. */
  update(status) {
    this.#players = status.players.filter((player) => player.plays);
    this.#parts.opponent.update(this.#players);
  }

  #showEfforts() {
    const efforts = this.#parts.opponent.player?.efforts ?? [];
    this.#parts.strength.hidden = this.#parts.unit.hidden = efforts.length === 0;
    // Levels are for people, and come first.
    const units = Object.keys(UNITS).filter((unit) => efforts.some((effort) => effort.unit === unit));
    setOptions(this.#parts.unit, units.map((unit) => [unit, UNITS[unit]]));
    this.#showRange();
  }

  #showRange() {
    const range = this.#parts.opponent.player?.efforts.find(({ unit }) => unit === this.#parts.unit.value);
    this.#parts.level.hidden = range?.unit !== "level";
    if (!range) return;
    const { amount } = this.#parts;
    amount.min = range.least;
    amount.max = range.most;
    amount.value = range.usual;
  }

  async #start() {
    const { side, opponent, amount, here, drawn, seed: begin } = this.#parts;
    if (!this.#parts.unit.hidden && !amount.reportValidity()) return;
    if (!begin.reportValidity()) return;
    const { player, id } = opponent;
    const human = side.value === "either" ? (Math.random() < 0.5 ? "white" : "black") : side.value;
    const effort = this.#effort();
    const called = id.replace(/^agent:/, "");
    const strength = effort && (effort.unit === "level" ? `level ${effort.amount}` : `${effort.amount} ${UNITS[effort.unit]}`);
    const text = effort ? `${called}, ${strength}` : called;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const seats = player ? { ...NOBODY, human, opponent: { id, effort, text, seed } } : NOBODY;
    // The moves that led here count for repetition, and can be taken back.
    const fresh = drawn.hidden ? {} : { seed: begin.value === "" ? crypto.getRandomValues(new Uint32Array(1))[0] : Number(begin.value) };
    const stated = here.checked ? this.#game.stated() : fresh;
    if (!(await this.#game.begin({ ...stated, seats }))) return;
    here.checked = false;
    announce(player ? `new game: you play ${name(human)}` : "new game, you move both sides");
  }

  /** Another game is on the board: seats the person below, and puts a match where people look for it. */
  #settle() {
    this.#stop();
    const { human } = this.#seats;
    this.#begun(human === "black");
    const { panel, match } = this.#parts;
    if (human === null) panel.append(match);
    else panel.prepend(match);
  }

  #retry() {
    complain("");
    this.#changed();
  }

  /** The person gives up, or with `null` goes on after all. */
  #resign(resigned) {
    this.#stop();
    this.#seat({ resigned });
    this.#changed();
    this.#selection.clear();
    this.#game.dispatchEvent(new Event("resigned"));
    // Where the game has ended.
    return this.#game.go(this.#game.moves.length);
  }

  #stop() {
    this.#thinking?.abort();
    this.#thinking = null;
  }

  #tell(text) {
    this.#parts.state.textContent = text;
    this.told();
  }

  #changed() {
    const { view } = this.#game;
    if (!view) return;
    if (this.#game.isLast) this.#seat({ ended: view.end !== null });
    const { human, opponent, resigned } = this.#seats;
    this.#parts.retry.hidden = true;
    this.#parts.takeBack.disabled = !this.#game.moves.length;
    this.#parts.hint.disabled = !this.mayAct() || view.end !== null;
    this.#parts.resign.disabled = human === null || view.end !== null || resigned !== null;
    if (human === null) return this.#tell("You move both sides.");
    const against = `You play ${name(human)} against ${opponent.text}.`;
    if (resigned) return this.#tell(`${against} You have resigned.`);
    if (view.end) {
      if (this.#game.isLast) announce(ending(view.end));
      return this.#tell(`${against} ${ending(view.end)}.`);
    }
    if (!this.#game.isLast) return this.#tell(`${against} You are looking at an earlier position.`);
    if (view.to_move === human) return this.#tell(`${against} It is your move.`);
    this.#reply(opponent);
    this.#tell(`${against} It is thinking …`);
  }

  async #reply({ id: player, effort, seed }) {
    const game = this.#game.whole();
    const key = game.moves.join(" ");
    // Looking at earlier positions does not disturb it.
    if (this.#thinking?.key === key) return;
    this.#stop();
    const thinking = Object.assign(new AbortController(), { key });
    this.#thinking = thinking;
    try {
      const choice = await call("/api/play", { game, player, effort, seed }, thinking.signal);
      await this.#game.inTurn(() => {
        if (thinking.signal.aborted || this.#game.moves.join(" ") !== key) return true;
        this.#thinking = null;
        return this.#game.play(choice.action, game);
      }) || this.#offerRetry("its move could not be shown");
    } catch (error) {
      if (isAbort(error)) return;
      this.#thinking = null;
      complain(error.message);
      this.#offerRetry(error.message);
    }
  }

  #offerRetry(reason) {
    this.#tell(`The opponent could not move: ${reason}`);
    this.#parts.retry.hidden = false;
  }
}
