// What games made of the position shown, and what studies say of its moves.

import { complain } from "./announce.js";
import { call, isAbort } from "./api.js";
import { html, setOptions } from "./dom.js";
import { exploredTable, KINDS } from "./explored.js";
import { generation } from "./player.js";

const count = (number) => number.toLocaleString("en-GB");

/** Kinds that are left out at first: games of self-play, where moves are chosen at random, if there are others. */
const leaveOut = (kinds) => (kinds.selfplay && Object.keys(KINDS).some((kind) => kind !== "selfplay" && kinds[kind]) ? ["selfplay"] : []);

export class Explorer {
  #game;
  #selection;
  /** Plays an action. */
  #act;
  #active = false;
  #parts = {};
  #running = null;
  /** Kinds of games that are left out; `null` until it is known which there are. */
  #without = null;
  /** Moves that are shown at length. */
  #open = new Set();
  #hasRuns;
  /** Whether all moves are shown. */
  #whole = { on: false };

  /** Nothing was played or said of the position. */
  #nothing = false;
  #book;

  /** `book` is the opening book of the same position. */
  constructor(game, selection, panel, status, act, book) {
    this.#game = game;
    this.#book = book;
    this.#act = act;
    this.#selection = selection;
    this.#hasRuns = status.has_runs;
    const run = html("select", { id: "explored-run", onchange: () => this.#choose() });
    const player = html("select", { id: "explored-player", onchange: () => this.#show() });
    const kinds = html("div", { class: "row", id: "kinds", role: "group", "aria-label": "Kinds of games" });
    const facts = html("p", { class: "soft", id: "explored-facts" });
    const table = html("div", { id: "explored" });
    const chooser = html("div", { class: "row", hidden: !status.has_runs }, html("label", { for: "explored-run" }, "Run"), run);
    const players = html("div", { class: "row", hidden: true }, html("label", { for: "explored-player" }, "by"), player);
    const none = html("p", { id: "no-openings", hidden: true },
      "Nothing is known of this position: start ", html("code", {}, "chase serve --runs DIR"), " for the games of the runs, tournaments and studies in a folder and for its opening books, or with ",
      html("code", {}, "--study DIR"), " for the verdicts of a study.");
    this.#parts = { run, player, players, kinds, facts, none, table };
    panel.append(html("div", { class: "card" }, html("h2", {}, "Openings"), chooser, kinds, players, facts, none, table));
    book.addEventListener("known", () => this.#showNone());
    game.addEventListener("change", () => {
      this.#open.clear();
      this.#show();
    });
  }

  /** Looks only while its panel is open. */
  async activate(active, runs) {
    this.#active = active;
    if (!active) return this.#running?.abort();
    setOptions(this.#parts.run, [["", "all"], ...runs.map((name) => [name, name])]);
    await this.#show();
  }

  #choose() {
    this.#without = null;
    this.#parts.player.value = "";
    this.#show();
  }

  async #show() {
    const { run, player, facts, table } = this.#parts;
    this.#running?.abort();
    if (!this.#active || !this.#game.view) return;
    const running = new AbortController();
    this.#running = running;
    const game = this.#game.stated();
    facts.textContent ||= "Reading games …";
    const kinds = this.#without?.size ? Object.keys(KINDS).filter((kind) => !this.#without.has(kind)) : null;
    const body = { game, run: run.value || null, kinds, player: (run.value && player.value) || null };
    try {
      let answer;
      do {
        answer = await call("/api/explorer", body, running.signal);
        if (this.#without === null && leaveOut(answer.kinds).length) {
          this.#without = new Set(leaveOut(answer.kinds));
          return this.#show();
        }
        this.#tell(answer);
      } while (answer.more && !running.signal.aborted);
    } catch (error) {
      if (isAbort(error)) return;
      table.replaceChildren();
      facts.textContent = "";
      complain(error.message);
    }
  }

  #tell({ games, plies, more, full, runs, left_out: leftOut, reasons, kinds, players, moves }) {
    const { run, facts, table } = this.#parts;
    // Moves of which nothing is known are left out: the article has a class for each first move.
    const known = moves.filter(({ tally, visits, verdicts }) => tally.games || visits || verdicts.length);
    this.#nothing = !more && known.length === 0 && Object.keys(kinds).length === 0;
    this.#showNone();
    this.#showKinds(kinds);
    this.#showPlayers(run.value ? players : []);
    facts.textContent = !this.#hasRuns ? "" : [
      `${count(games)} games${more ? ", reading more …" : "."}`,
      full && run.value ? "Older games did not fit into memory: start chase serve with a larger --memory." : "",
      full && !run.value ? `Only games of ${runs.join(", ")} fit into memory: choose one run, or start chase serve with a larger --memory.` : "",
      leftOut ? `${count(leftOut)} files or lines could not be read: ${reasons.join("; ")}.` : "",
    ].join(" ").trim();
    const words = games ? `None of these games reached this position (only the first ${plies} plies of a game are counted).` : "";
    table.replaceChildren(
      known.length
        ? exploredTable(known, {
            open: this.#open,
            whole: this.#whole,
            again: () => this.#show(),
            point: (action) => this.#point(action),
            play: (action) => this.#act(action),
          })
        : html("p", {}, words),
    );
  }

  #showNone() {
    this.#parts.none.hidden = !this.#nothing || this.#book.knows;
  }

  #point(action) {
    const legal = this.#game.view.actions.find((other) => other.action === action);
    this.#selection.showAction(legal ?? null);
  }

  #showKinds(kinds) {
    const there = Object.keys(KINDS).filter((kind) => kinds[kind]);
    const boxes = there.map((kind) => {
      const box = html("input", {
        type: "checkbox", id: `kind-${kind}`, checked: !this.#without?.has(kind),
        onchange: () => {
          this.#without ??= new Set();
          if (box.checked) this.#without.delete(kind);
          else this.#without.add(kind);
          this.#show();
        },
      });
      const title = kind === "study" ? "includes games whose first plies the study forced" : undefined;
      return html("label", { class: "box", title }, box, ` ${KINDS[kind]} `, html("span", { class: "soft" }, count(kinds[kind])));
    });
    const focused = document.activeElement?.id;
    this.#parts.kinds.replaceChildren(...(there.length > 1 ? boxes : []));
    if (focused?.startsWith("kind-")) document.getElementById(focused)?.focus();
  }

  #showPlayers(players) {
    this.#parts.players.hidden = players.length < 2;
    // A list that is open under a pointer stays as it is.
    if (document.activeElement === this.#parts.player) return;
    setOptions(this.#parts.player, [["", "all"], ...players.map(([name, games]) => [name, `${generation(name)} (${count(games)} games)`])]);
  }
}
