// Puts the page together.

import { announce, complain } from "./announce.js";
import { Analysis } from "./analysis.js";
import { call } from "./api.js";
import { Board } from "./board.js";
import { byId, html } from "./dom.js";
import { Explorer } from "./explorer.js";
import { initForgotten } from "./forgotten.js";
import { Game } from "./game.js";
import { initKeys } from "./keys.js";
import { remember, remembered } from "./memory.js";
import { initMoves } from "./moves.js";
import { Play } from "./play.js";
import { initRecord } from "./record.js";
import { Runs } from "./runs.js";
import { Selection } from "./selection.js";
import { initTabs } from "./tabs.js";
import { initTheme } from "./theme.js";
import { Variations } from "./variations.js";
import { describe, name } from "./words.js";

/** Milliseconds after which people wonder whether anything is going on. */
const PATIENCE = 200;

/** Shows that the server is asked what a position looks like, if that takes a while. */
function initBusy(game) {
  let timer;
  const { dataset } = document.documentElement;
  game.addEventListener("asked", () => {
    clearTimeout(timer);
    timer = setTimeout(() => (dataset.busy = ""), PATIENCE);
  });
  game.addEventListener("answered", () => {
    clearTimeout(timer);
    delete dataset.busy;
  });
}

function initSeats(game, board, play) {
  const draw = () => {
    if (!game.view) return;
    const { dice, to_move: mover, end } = game.view;
    const people = play.people();
    const over = end || people.resigned;
    byId("odds").classList.toggle("flipped", board.layout.flip);
    for (const [id, player] of [["seat-far", board.layout.flip ? "white" : "black"], ["seat-near", board.layout.flip ? "black" : "white"]]) {
      const count = dice.filter((die) => die.player === player).length;
      const seat = byId(id);
      const acts = mover === player && !over;
      const doing = acts ? (play.isThinking && game.isLast ? ", thinking …" : ", to move") : "";
      const who = people[player] ? `${people[player] === "human" ? "you" : people[player]}; ` : "";
      seat.classList.toggle("active", acts);
      seat.replaceChildren(
        html("span", { class: `chip ${player}`, "aria-hidden": "true" }),
        html("b", {}, name(player)),
        html("span", { class: "soft" }, `${who}${count} dice${doing}`),
      );
    }
  };
  game.addEventListener("change", draw);
  board.addEventListener("turned", draw);
  play.told = draw;
}

async function main() {
  initTheme();
  const status = await call("/api/status");
  const game = new Game();
  const board = new Board();
  const selection = new Selection(game, board);
  const play = new Play(game, board, selection, status, byId("panel-play"));
  const act = (action) => play.act(action);
  const analysis = new Analysis(game, selection, status, byId("panel-analysis"), act);
  const explorer = new Explorer(game, selection, byId("panel-explorer"), status, act);
  const runs = new Runs(game, (names) => play.leave(names), byId("panel-runs"), status);
  initBusy(game);
  initSeats(game, board, play);
  initMoves(game);
  const variations = new Variations(game, play);
  initForgotten(game, play, variations);
  initRecord(game, () => play.people(), (names) => play.leave(names));

  const show = async (panel) => {
    analysis.activate(panel === "analysis");
    const names = status.has_runs && ["explorer", "runs"].includes(panel) ? (await call("/api/runs")).runs : [];
    if (["play", "analysis"].includes(panel)) {
      const now = await call("/api/status");
      play.update(now);
      analysis.update(now);
    }
    explorer.activate(panel === "explorer", names);
    runs.activate(panel === "runs", names);
  };
  let shown = "play";
  const keep = () => {
    if (!game.view) return;
    remember({ game: { ...game.whole(), at: game.view.at }, lines: variations.lines, play: play.state, panel: shown });
  };
  variations.told = keep;
  const { told } = play;
  play.told = () => {
    told();
    keep();
  };
  const openTab = initTabs((panel) => {
    shown = panel;
    keep();
    complain("");
    show(panel).catch((error) => complain(error.message));
  });

  game.addEventListener("trouble", ({ detail }) => complain(detail.message));
  game.addEventListener("change", () => {
    complain("");
    const { at } = game.view;
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("last").disabled = byId("forward").disabled = at === game.moves.length;
  });
  game.addEventListener("played", ({ detail: action }) => {
    const { plies } = game.view;
    const { player } = plies.at(-1);
    announce(`${name(player)}: ${describe(action, player)}. ${game.view.task}`);
  });

  const doings = {
    first: () => game.go(0),
    back: () => game.go(game.view.at - 1),
    forward: () => game.go(game.view.at + 1),
    last: () => game.go(game.moves.length),
    west: () => board.turn(-1),
    east: () => board.turn(1),
    flip: () => board.flip(!board.layout.flip),
    takeBack: () => play.takeBack(),
    hint: () => play.hint(),
    help: () => byId("help").showModal(),
  };
  for (const [id, doing] of Object.entries({
    first: doings.first, back: doings.back, forward: doings.forward, last: doings.last,
    "turn-west": doings.west, "turn-east": doings.east, flip: doings.flip, "help-open": doings.help,
  })) byId(id).addEventListener("click", doing);
  board.addEventListener("turned", () => byId("flip").setAttribute("aria-pressed", board.layout.flip));
  initKeys(board, selection, doings);
  byId("type-move").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = byId("typed");
    if (!field.value.trim()) return;
    if (await act(field.value.trim())) field.value = "";
  });

  const before = remembered();
  if (before) play.restore(before.play);
  if (before && (await game.begin(before.game))) variations.set(before.lines ?? []);
  else await game.begin();
  if (before && before.panel !== shown) openTab(before.panel);
  document.documentElement.dataset.ready = "yes";
}

main().catch((error) => complain(error.message));
