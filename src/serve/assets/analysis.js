// What a search thinks of the position shown, for as long as it is shown.

import { complain } from "./announce.js";
import { call, follow, isAbort, server } from "./api.js";
import { byId, html, setOptions } from "./dom.js";
import { candidates, points } from "./candidates.js";
import { withLegs } from "./game.js";
import { PlayerChoice } from "./player.js";
import { Occupancy } from "./occupancy.js";
import { Review } from "./review_card.js";
import { describe, name, percent, player as playerOf, short } from "./words.js";

const SHOWN = 8;
/** Actions that an alpha-beta search lists: each costs a search of its own. */
const LINES = 4;
/** Arrows on the board, and what they can be of. */
const ARROWS = 4;
const ARROWS_OF = new Set(["visits", "prior"]);
/** Plies of a line that is pointed at, and how many of them are drawn. */
const LINE = 8;
const DRAWN = 3;

export class Analysis {
  #game;
  #selection;
  /** Plays an action. */
  #act;
  #running = null;
  /** Whether the panel is open. */
  #active = false;
  #on = false;
  /** Most simulations of a request. */
  #most;
  /** Nodes of an alpha-beta search for each simulation that is asked for; they take as long as several. */
  #nodes;
  #parts = {};
  #review;
  #occupancy;
  #report = null;
  /** How often the position shown was visited before it was, from searches of earlier ones; and how long it was searched. */
  #earlier = null;
  #seconds = 0;
  /** The limit of the last search. */
  #asked = 0;
  #pointed = null;
  /** The action whose line stands below the table. */
  #lined = null;
  #lines = new Map();

  constructor(game, selection, board, status, panel, act) {
    this.#game = game;
    this.#act = act;
    this.#selection = selection;
    this.#most = status.limits.simulations;
    this.#nodes = status.limits.nodes / status.limits.simulations;
    this.#build(panel, status);
    const engine = { pause: () => this.#on && this.#toggle(), point: (action) => this.#pointAt(action), search: (game, simulations, ...rest) => this.#search(game, this.#byNodes ? this.#nodes * simulations : simulations, ...rest) };
    this.#review = new Review(game, engine, this.#most, panel);
    this.#occupancy = new Occupancy(game, board, this.#parts.legend);
    game.addEventListener("change", () => this.#changed());
    game.addEventListener("valued", () => this.#report || this.#drawKnown());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#stop() : this.#again()));
    server.addEventListener("back", () => this.#again());
  }

  #build(panel, status) {
    const judges = status.players.filter((player) => player.analyses);
    const judge = new PlayerChoice({ id: "judge", players: judges, onchange: () => this.#judged() });
    const unit = html("label", { for: "simulations" }, "Simulations");
    const simulations = html("input", {
      id: "simulations", type: "number", inputmode: "numeric", min: 1, max: this.#most, placeholder: "no limit",
      title: "Simulations after which the search rests; empty for as many as fit into memory",
      onchange: () => this.#again(),
    });
    const toggle = html("button", { id: "analyse", class: "main", "aria-pressed": "false", onclick: () => this.#toggle() }, "Analyse");
    const overlay = html("select", { id: "overlay", onchange: () => this.#showOverlay() });
    setOptions(overlay, [
      ["visits", "what the search prefers"],
      ["prior", "what the policy alone prefers"],
      ...(status.game === "chase" ? [["occupancy", "where dice will be at the end"]] : []),
      ["nothing", "nothing"],
    ]);
    const facts = html("p", { id: "facts", class: "soft" }, "");
    const legend = html("p", { id: "legend", class: "soft", hidden: true });
    const table = html("div", { id: "candidates" });
    const line = html("p", { id: "line", class: "line" });
    this.#parts = { judge, unit, simulations, toggle, overlay, facts, legend, table, line };
    panel.append(
      html(
        "div",
        { class: "card" },
        html("h2", {}, "Analysis"),
        html("div", { class: "row" }, html("label", { for: "judge" }, "Engine"), ...judge.elements),
        html("div", { class: "row" }, unit, simulations, toggle),
        html("div", { class: "row" }, html("label", { for: "overlay" }, "Show"), overlay),
        legend, facts, table, line,
      ),
    );
  }

  /** True if the search is by alpha-beta: it counts nodes, and begins anew with each request. */
  get #byNodes() {
    return this.#parts.judge.player?.analyses === "nodes";
  }

  /** The most that a request may ask for. */
  get #limit() {
    return this.#byNodes ? this.#nodes * this.#most : this.#most;
  }

  /** Another engine was chosen. */
  #judged() {
    this.#showUnit();
    this.#changed();
  }

  /** Names what the search counts. */
  #showUnit() {
    const { unit, simulations } = this.#parts;
    const name = this.#byNodes ? "Nodes" : "Simulations";
    if (unit.textContent !== name) simulations.value = "";
    unit.textContent = name;
    this.#review.count(this.#byNodes ? "thousand nodes" : "simulations");
    simulations.max = this.#limit;
    simulations.title = this.#byNodes
      ? "Nodes after which the search rests; empty for as many as the time allows"
      : "Simulations after which the search rests; empty for as many as fit into memory";
  }

  /** Players who are there by now. */
  update(status) {
    const before = this.#parts.judge.id;
    this.#parts.judge.update(status.players.filter((player) => player.analyses));
    if (this.#parts.judge.id !== before) this.#judged();
  }

  /** Shows the expected result beside the board while the panel is open, and stops thinking when it is left. */
  activate(active) {
    byId("odds").hidden = !active;
    this.#active = active;
    if (active !== this.#on) this.#toggle();
    if (active) this.#showOverlay();
    else {
      this.#occupancy.show(null);
      this.#selection.setCourses([]);
    }
  }

  /** Shows on the board what is chosen to be shown. */
  #showOverlay() {
    if (!this.#active) return;
    const { overlay, judge } = this.#parts;
    this.#occupancy.show(overlay.value === "occupancy" ? judge.id : null);
    this.#drawArrows();
  }

  #toggle() {
    if (!this.#on && !this.#parts.simulations.reportValidity()) return;
    this.#on = !this.#on;
    const { toggle } = this.#parts;
    toggle.textContent = this.#on ? "Pause" : "Analyse";
    toggle.setAttribute("aria-pressed", this.#on);
    if (this.#on) this.#again();
    else this.#stop();
  }

  #stop() {
    this.#running?.abort();
    this.#running = null;
    if (!this.#report) return void (this.#parts.facts.textContent = "");
    // What was found so far stays; the next search of this position goes on with the tree of the one before.
    if (!this.#report.stop) this.#parts.facts.textContent = `${this.#found(this.#report)}, paused.`;
    if (this.#report.depth !== undefined) return;
    this.#seconds += this.#report.seconds;
    this.#report = { ...this.#report, seconds: 0 };
  }

  #changed() {
    this.#stop();
    this.#report = null;
    this.#earlier = null;
    this.#seconds = 0;
    this.#pointed = this.#lined = null;
    this.#lines.clear();
    this.#drawKnown();
    this.#parts.table.replaceChildren();
    this.#parts.facts.textContent = "";
    this.#parts.line.replaceChildren();
    this.#showOverlay();
    if (this.#on) this.#again();
  }

  async #search(game, count, signal, tell) {
    const counted = this.#byNodes ? { nodes: count, top: LINES } : { simulations: count, top: SHOWN };
    const body = { game, player: this.#parts.judge.id, ...counted };
    await follow("/api/analyse", body, signal, (kind, data) => {
      if (signal.aborted) return;
      if (kind === "failure") throw new Error(data.error);
      tell(data);
    });
  }

  async #again() {
    this.#stop();
    const { simulations, facts } = this.#parts;
    if (!this.#on || document.hidden || !this.#game.view || !simulations.reportValidity()) return;
    this.#review.stop();
    const limit = Number(simulations.value);
    // An alpha-beta search has no tree to go on with: what is done is not done again.
    if (this.#byNodes && this.#report?.stop && this.#asked === limit) return;
    this.#asked = limit;
    const left = this.#byNodes ? limit || this.#limit : limit ? limit - this.#searched() : this.#most;
    if (left <= 0) return this.#tell({ ...this.#report, stop: "simulations" }, this.#game.view.at, limit);
    facts.textContent ||= "Waiting for the search …";
    const running = new AbortController();
    this.#running = running;
    const ply = this.#game.view.at;
    try {
      await this.#search(this.#game.stated(), left, running.signal, (report) => this.#tell(report, ply, limit));
      // What a request may search is limited; without a limit of one's own the next one goes on.
      const goesOn = !limit && !this.#byNodes && ["simulations", "time"].includes(this.#report?.stop);
      if (goesOn && !running.signal.aborted) this.#again();
    } catch (error) {
      if (isAbort(error) || running.signal.aborted) return;
      // It goes on when the server is back.
      if (error.isLost) this.#stop();
      else this.#toggle();
      facts.textContent = "";
      complain(error.message);
    }
  }

  #tell(report, ply, limit) {
    this.#report = report;
    // The position's own evaluation is a visit too.
    this.#earlier ??= Math.max(0, report.visits - report.simulations - 1);
    this.#review.note(report, ply);
    this.#drawOdds(report);
    const { table, facts } = this.#parts;
    const end = { simulations: "done", nodes: "done", depth: "done", time: "time is up", proven: "proven", memory: "memory is full", stopped: "stopped" };
    const proof = report.proven ? ` Proven: ${report.proven === "draw" ? "a draw" : `${report.proven} wins`}.` : "";
    const rests = report.stop && (limit || report.depth !== undefined || !["simulations", "time"].includes(report.stop));
    // What rests goes on with the next position until it is stopped.
    if (this.#on) this.#parts.toggle.textContent = rests ? "Stop following" : "Pause";
    const state = rests ? `, ${end[report.stop]}.` : " …";
    facts.textContent = report.stop === "game-over" ? "The game is over." : `${this.#found(report)}${state}${proof}`;
    // The table is not taken from under a pointer or a finger.
    if (this.#pointed && !report.stop) return;
    const focused = table.contains(document.activeElement) && document.activeElement.closest("tr").dataset.action;
    table.replaceChildren(
      report.actions.length
        ? candidates(report, { point: (action) => this.#point(action), play: (action) => this.#act(action.action) })
        : "",
    );
    if (focused) table.querySelector(`[data-action="${focused}"] button`)?.focus();
    this.#drawArrows();
  }

  /** How many simulations were of the position since it is shown. */
  #searched() {
    return this.#report ? Math.max(0, this.#report.visits - this.#earlier - 1) : 0;
  }

  /** How long a search has thought about the position. */
  #found(report) {
    const count = (number) => number.toLocaleString("en-GB");
    if (report.depth !== undefined) return `${count(report.nodes)} nodes, ${report.depth} plies deep, in ${report.seconds.toFixed(1)} s`;
    const before = this.#earlier ? ` after ${count(this.#earlier)} earlier ones` : "";
    return `${count(this.#searched())} simulations in ${(this.#seconds + report.seconds).toFixed(1)} s${before}`;
  }

  /** What is expected by an analysis of before, if there was one. */
  #drawKnown() {
    const { view, values } = this.#game;
    const white = values.get(view?.at);
    const known = white === undefined ? "No expectation yet" : `Expected score: ${name("white")} ${percent(white)}, ${name("black")} ${percent(1 - white)}`;
    this.#drawParts({ white: white ?? 0, draw: 0, black: white === undefined ? 0 : 1 - white }, known);
  }

  #drawOdds({ wdl, to_move: player }) {
    // An alpha-beta search has an expected score alone, which has been noted.
    if (!wdl) return this.#drawKnown();
    const { win, draw, loss } = wdl;
    const [white, black] = playerOf(player) === "white" ? [win, loss] : [loss, win];
    this.#drawParts({ white, draw, black }, `${name("white")} wins ${percent(white)}, draw ${percent(draw)}, ${name("black")} wins ${percent(black)}`);
  }

  #drawParts(parts, words) {
    const odds = byId("odds");
    for (const [role, share] of Object.entries(parts)) {
      const part = odds.querySelector(`.${role}`);
      part.style.flexGrow = share;
      part.textContent = share > 0.12 ? percent(share) : "";
    }
    odds.setAttribute("aria-label", words);
  }

  #drawArrows() {
    const { view } = this.#game;
    if (this.#pointed) return;
    if (!this.#report || !ARROWS_OF.has(this.#parts.overlay.value)) return this.#selection.setCourses([]);
    const legal = new Map(view.actions.map((action) => [action.action, action]));
    const measure = this.#parts.overlay.value;
    // An alpha-beta search prefers what is worth more; it has no policy.
    const byWorth = measure === "visits" && this.#report.depth !== undefined;
    const size = (action) => (byWorth ? points(action.q) : action[measure] ?? 0);
    const most = Math.max(1e-9, ...this.#report.actions.map(size));
    const ranked = this.#report.actions.toSorted((one, other) => size(other) - size(one));
    const shown = ranked.filter((action) => size(action) > 0).slice(0, ARROWS).reverse();
    this.#selection.setCourses(
      shown.flatMap((action) => {
        const legs = legal.get(action.action)?.legs.slice(0, 1);
        if (!legs) return [];
        const share = size(action) / most;
        const worth = action.q === null ? undefined : `${Math.round(100 * points(action.q))}`;
        const label = measure === "prior" ? `${Math.round(100 * action.prior)}` : worth;
        const role = legal.get(action.action).kind === "exchange" ? "candidate dashed" : "candidate";
        return [[legs, { role, width: 1.5 + 3.5 * share, opacity: 0.45 + 0.5 * share, label }]];
      }),
    );
  }

  async #point(action) {
    this.#pointed = action;
    // The line stays, to be walked along.
    if (!action) return this.#drawArrows();
    const words = action.line.slice(0, LINE);
    const key = words.join(" ");
    if (!this.#lines.has(key)) {
      try {
        this.#lines.set(key, (await call("/api/line", { game: this.#game.stated(), line: words })).plies.map(withLegs));
      } catch {
        return;
      }
    }
    if (this.#pointed !== action) return;
    const plies = this.#lines.get(key);
    if (this.#lined !== action) this.#drawLine(action, words, plies);
    this.#drawPlies(plies.slice(0, DRAWN), 0);
  }

  /** The line below the table: each ply of it can be pointed at, and played up to there. */
  #drawLine(action, words, plies) {
    this.#lined = action;
    const { moves } = this.#game.stated();
    const ply = (ply, index) => {
      const point = () => {
        this.#pointed = ply;
        this.#drawPlies([ply], index);
      };
      const leave = () => this.#point(null);
      const follow = () => this.#walk([...moves, ...words.slice(0, index + 1)]);
      return html("button", { class: "link", title: `${describe(ply, ply.player)}. Click to play the line up to here.`, onclick: follow, onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave }, short(ply));
    };
    this.#parts.line.replaceChildren("Expected: ", ...plies.flatMap((one, index) => [ply(one, index), "  "]));
  }

  /** Draws plies of a line, the first of which has this number from 0, and says in words what it does. */
  #drawPlies(plies, from) {
    const labels = new Map();
    plies.forEach(({ legs }, index) => {
      const end = legs[0]?.to ?? legs[0]?.cells.at(-1);
      labels.set(end, [...(labels.get(end) ?? []), from + index + 1]);
    });
    const courses = plies.map(({ legs, player }, index) => {
      const end = legs[0]?.to ?? legs[0]?.cells.at(-1);
      const [first, ...others] = labels.get(end) ?? [];
      // Where several plies end on a cell, one label has the numbers of all.
      const label = first === from + index + 1 ? [first, ...others].join(" ") : undefined;
      // Of later plies the bumps are left out, which would cover the board.
      const shown = index ? legs.filter(({ cause }) => cause !== "bumped") : legs;
      return [shown, { role: player === this.#game.view.to_move ? "candidate" : "reply", width: 3, opacity: 1 - 0.15 * index, label }];
    });
    const [ply] = plies;
    this.#selection.setCourses(courses.reverse(), `${name(ply.player)}: ${describe(ply, ply.player)}.`);
  }

  /** Draws an action of the position shown, and says what it does. */
  #pointAt(exact) {
    const { actions, to_move: player } = this.#game.view;
    const action = actions.find((other) => other.action === exact);
    if (action) this.#drawPlies([{ ...action, player }], 0);
  }

  /** Plays a line, where the person may. */
  async #walk(moves) {
    const first = this.#game.stated().moves.length;
    for (const move of moves.slice(first)) if (!(await this.#act(move))) return;
  }
}
