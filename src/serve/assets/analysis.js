// What a search thinks of the position shown.

import { complain } from "./announce.js";
import { call, follow, isAbort } from "./api.js";
import { byId, html, setOptions } from "./dom.js";
import { candidates, points } from "./candidates.js";
import { withLegs } from "./game.js";
import { valueGraph } from "./graph.js";
import { PlayerChoice } from "./player.js";
import { accuracyOf, review } from "./review.js";
import { name, percent, player as playerOf, short } from "./words.js";

const SHOWN = 8;
/** Arrows on the board, and plies of a line that is pointed at. */
const ARROWS = 4;
const LINE = 6;
/** Mistakes of a game that are listed. */
const WORST = 5;

export class Analysis {
  #game;
  #selection;
  /** Plays an action. */
  #act;
  #running = null;
  /** The analysis of the whole game that is going on. */
  #tour = null;
  /** The game that the review is of. */
  #reviewed = null;
  #on = false;
  #parts = {};
  #report = null;
  #pointed = null;
  /** The action whose line stands below the table. */
  #lined = null;
  #lines = new Map();

  constructor(game, selection, status, panel, act) {
    this.#game = game;
    this.#act = act;
    this.#selection = selection;
    this.#build(panel, status);
    game.addEventListener("change", () => this.#changed());
    game.addEventListener("valued", () => this.#drawGraph());
  }

  #build(panel, status) {
    const judges = status.players.filter((player) => player.analyses);
    const judge = new PlayerChoice({ id: "judge", players: judges, onchange: () => this.#again() });
    const usual = Math.min(status.limits.simulations, judges[0].efforts[0].usual * 5);
    const simulations = html("input", {
      id: "simulations", type: "number", inputmode: "numeric", required: true, min: 1, max: status.limits.simulations, value: usual,
      onchange: () => this.#again(),
    });
    const toggle = html("button", { id: "analyse", class: "main", "aria-pressed": "false", onclick: () => this.#toggle() }, "Analyse");
    const more = html("button", { id: "more", title: "Search the same number of simulations again", disabled: true, onclick: () => this.#more() }, "More");
    const endless = html("input", { id: "endless", type: "checkbox", onchange: () => endless.checked && this.#report?.stop && this.#again() });
    const arrows = html("select", { id: "arrows", onchange: () => this.#drawArrows() });
    setOptions(arrows, [["visits", "of the search"], ["prior", "of the policy alone"]]);
    const whole = html("button", { id: "analyse-game", onclick: () => this.#whole() }, "Whole game");
    const facts = html("p", { id: "facts", class: "soft" }, "");
    const table = html("div", { id: "candidates" });
    const line = html("p", { id: "line", class: "line" });
    const graph = html("div", { id: "value-graph" });
    const verdict = html("div", { id: "review" });
    this.#parts = { judge, simulations, toggle, more, endless, arrows, whole, facts, table, line, graph, verdict };
    panel.append(
      html(
        "div",
        { class: "card" },
        html("h2", {}, "Analysis"),
        html("div", { class: "row" }, html("label", { for: "judge" }, "Engine"), ...judge.elements),
        html("div", { class: "row" }, html("label", { for: "simulations" }, "Simulations"), simulations, toggle, more, whole),
        html("div", { class: "row" },
          html("label", { class: "box", title: "Searches on and on, as far as the server allows" }, endless, " without end"),
          html("label", { for: "arrows" }, "Arrows"), arrows),
        facts, table, line,
      ),
      html("div", { class: "card" }, html("h2", {}, `Win chance (${name("white")})`), graph,
        html("p", { class: "soft" }, "Analysed positions. Click to go to one."), verdict),
    );
  }

  /** Players who are there by now. */
  update(status) {
    this.#parts.judge.update(status.players.filter((player) => player.analyses));
  }

  /** Shows the expected result beside the board while the panel is open, and stops thinking when it is left. */
  activate(active) {
    byId("odds").hidden = !active;
    if (active !== this.#on) this.#toggle();
    if (active) this.#drawArrows();
    else this.#selection.setCourses([]);
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

  /** Goes on where the search was done. */
  #more() {
    if (this.#on) this.#again();
    else this.#toggle();
  }

  #stop() {
    this.#running?.abort();
    this.#running = null;
    // What was found so far stays, and can be gone on from.
    if (!this.#report || this.#report.stop) return;
    this.#parts.facts.textContent = `${this.#found(this.#report)}, paused.`;
    this.#parts.more.disabled = false;
  }

  #changed() {
    this.#stop();
    if (this.#tour && this.#tour.key !== this.#key()) this.#tour.abort();
    this.#report = null;
    this.#pointed = this.#lined = null;
    this.#lines.clear();
    this.#drawOdds({ wdl: null });
    this.#parts.more.disabled = true;
    this.#parts.table.replaceChildren();
    this.#parts.facts.textContent = "";
    this.#parts.line.replaceChildren();
    this.#drawGraph();
    // Another game, or another end of it, has another review.
    if (this.#reviewed !== this.#key()) this.#parts.verdict.replaceChildren();
    this.#selection.setCourses([]);
    if (this.#on) this.#again();
  }

  async #search(game, signal, tell) {
    const { judge, simulations } = this.#parts;
    const body = { game, player: judge.id, simulations: Number(simulations.value), top: SHOWN };
    await follow("/api/analyse", body, signal, (kind, data) => {
      if (signal.aborted) return;
      if (kind === "failure") throw new Error(data.error);
      tell(data);
    });
  }

  async #again() {
    this.#stop();
    if (!this.#on || !this.#game.view || !this.#parts.simulations.reportValidity()) return;
    this.#tour?.abort();
    this.#parts.facts.textContent ||= "Waiting for the search …";
    const running = new AbortController();
    this.#running = running;
    const ply = this.#game.view.at;
    try {
      await this.#search(this.#game.stated(), running.signal, (report) => this.#tell(report, ply));
      // The next search goes on with the tree of this one.
      const canGoOn = ["simulations", "time"].includes(this.#report?.stop);
      if (this.#parts.endless.checked && canGoOn && !running.signal.aborted) this.#again();
    } catch (error) {
      if (isAbort(error) || running.signal.aborted) return;
      this.#toggle();
      this.#parts.facts.textContent = "";
      complain(error.message);
    }
  }

  #note(report, ply) {
    if (report.value === null) return;
    const mine = points(report.value);
    this.#game.note(ply, playerOf(report.to_move) === "white" ? mine : 1 - mine, report.actions[0]?.text);
  }

  #tell(report, ply) {
    this.#report = report;
    this.#note(report, ply);
    this.#drawOdds(report);
    const { table, facts } = this.#parts;
    const end = { simulations: "done", time: "time is up", proven: "proven", memory: "memory is full", "game-over": "the game is over", stopped: "stopped" };
    const proof = report.proven ? ` Proven: ${report.proven === "draw" ? "a draw" : `${report.proven} wins`}.` : "";
    this.#parts.more.disabled = !["simulations", "time"].includes(report.stop);
    // What is done goes on with the next position until it is stopped.
    if (this.#on) this.#parts.toggle.textContent = report.stop ? "Stop following" : "Pause";
    const state = report.stop ? `, ${end[report.stop]}.` : " …";
    facts.textContent = `${this.#found(report)}${state}${proof}`;
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

  /** How long a search has thought. */
  #found(report) {
    const count = (number) => number.toLocaleString("en-GB");
    // The position's own evaluation is a visit too.
    const kept = report.visits - report.simulations - 1;
    const before = kept > 0 ? ` after ${count(kept)} earlier ones` : "";
    return `${count(report.simulations)} simulations in ${report.seconds.toFixed(1)} s${before}`;
  }

  #drawOdds({ wdl, to_move: player }) {
    const odds = byId("odds");
    const { win, draw, loss } = wdl ?? { win: 0, draw: 0, loss: 0 };
    const [white, black] = playerOf(player) === "white" ? [win, loss] : [loss, win];
    for (const [role, share] of Object.entries({ white, draw, black })) {
      const part = odds.querySelector(`.${role}`);
      part.style.flexGrow = share;
      part.textContent = share > 0.12 ? percent(share) : "";
    }
    const words = `${name("white")} wins ${percent(white)}, draw ${percent(draw)}, ${name("black")} wins ${percent(black)}`;
    odds.setAttribute("aria-label", wdl ? words : "No expectation yet");
  }

  #drawArrows() {
    const { view } = this.#game;
    if (!this.#report || this.#pointed) return;
    const legal = new Map(view.actions.map((action) => [action.action, action]));
    const measure = this.#parts.arrows.value;
    const most = Math.max(1e-9, ...this.#report.actions.map((action) => action[measure]));
    const ranked = this.#report.actions.toSorted((one, other) => other[measure] - one[measure]);
    const shown = ranked.filter((action) => action[measure] > 0).slice(0, ARROWS).reverse();
    this.#selection.setCourses(
      shown.flatMap((action) => {
        const legs = legal.get(action.action)?.legs.slice(0, 1);
        if (!legs) return [];
        const share = action[measure] / most;
        const worth = action.q === null ? undefined : `${Math.round(100 * points(action.q))}`;
        const label = measure === "prior" ? `${Math.round(100 * action.prior)}` : worth;
        const role = legal.get(action.action).kind === "exchange" ? "candidate dashed" : "candidate";
        return [[legs, { role, width: 1.5 + 3.5 * share, opacity: 0.45 + 0.5 * share, label }]];
      }),
    );
  }

  async #point(action) {
    this.#pointed = action;
    const { line } = this.#parts;
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
    if (this.#lined !== action) {
      this.#lined = action;
      const { moves } = this.#game.stated();
      const follow = (index) => this.#walk([...moves, ...words.slice(0, index + 1)]);
      const ply = (ply, index) => html("button", { class: "link", title: "Play the line up to here", onclick: () => follow(index) }, short(ply));
      line.replaceChildren("Expected: ", ...plies.flatMap((one, index) => [ply(one, index), "  "]));
    }
    this.#selection.setCourses(
      // Of later plies the bumps are left out, which would cover the board.
      plies.map(({ legs }, index) => [index ? legs.filter(({ cause }) => cause !== "bumped") : legs, { role: index % 2 ? "reply" : "candidate", width: 3, opacity: 1 - 0.12 * index, label: `${index + 1}` }]).reverse(),
    );
  }

  /** Plays a line, where the person may. */
  async #walk(moves) {
    const first = this.#game.stated().moves.length;
    for (const move of moves.slice(first)) if (!(await this.#act(move))) return;
  }

  /** The game that is on the board, whatever position of it is shown. */
  #key() {
    return JSON.stringify(this.#game.whole());
  }

  /** Analyses every position of the game, also while others of them are looked at. */
  async #whole() {
    if (this.#tour) return this.#tour.abort();
    const { whole, simulations } = this.#parts;
    if (this.#on) this.#toggle();
    if (!simulations.reportValidity()) return;
    const tour = Object.assign(new AbortController(), { key: this.#key() });
    this.#tour = tour;
    whole.textContent = "Stop";
    const game = this.#game.whole();
    try {
      for (let ply = 0; ply <= game.moves.length && !tour.signal.aborted; ply += 1) {
        let last = null;
        await this.#search({ ...game, moves: game.moves.slice(0, ply) }, tour.signal, (report) => (last = report));
        if (last && !tour.signal.aborted) this.#note(last, ply);
      }
    } catch (error) {
      if (!isAbort(error)) complain(error.message);
    }
    this.#tour = null;
    whole.textContent = "Whole game";
    this.#game.dispatchEvent(new Event("reviewed"));
    this.#drawReview();
  }

  /** The worst moves of the game, and how well each side played, as far as the analysis of it went. */
  #drawReview() {
    this.#reviewed = this.#key();
    const { view, values, best } = this.#game;
    const reviewed = review(view.plies, values, best);
    const worst = reviewed.filter(({ mark }) => mark).sort((one, other) => other.loss - one.loss).slice(0, WORST);
    const scores = ["white", "black"].flatMap((player) => {
      const score = accuracyOf(player, reviewed);
      return score === null ? [] : [`${name(player)} ${score.toFixed(0)} %`];
    });
    const item = ({ number, player, text, turn, loss, mark, best: better }) =>
      html("li", {},
        html("button", { class: "link", title: "Go to the position before this move", onclick: () => this.#game.go(number - 1) }, `${turn}${player === "white" ? "." : "…"} ${text}`),
        html("b", { class: "mistake" }, ` ${mark} `),
        `lost ${Math.round(100 * loss)} points; better was ${better}`);
    this.#parts.verdict.replaceChildren(
      ...(scores.length ? [html("p", {}, html("b", {}, "Accuracy: "), scores.join(", "))] : []),
      ...(worst.length ? [html("h3", {}, "Worst moves"), html("ul", { class: "worst" }, ...worst.map(item))] : []),
    );
  }

  #drawGraph() {
    const { view, values, moves } = this.#game;
    if (!view) return;
    const go = (ply) => this.#game.go(ply);
    this.#parts.graph.replaceChildren(valueGraph({ values, plies: moves.length, at: view.at, go }));
  }
}
