// Puts the page together.

import { announce, complain } from "./announce.js";
import { initBanner } from "./banner.js";
import { Analysis } from "./analysis.js";
import { call, server } from "./api.js";
import { Board } from "./board.js";
import { OpeningBook } from "./book.js";
import { Cluster } from "./cluster.js";
import { byId, html, setOptions } from "./dom.js";
import { Exercise } from "./exercise.js";
import { Explorer } from "./explorer.js";
import { initForgotten } from "./forgotten.js";
import { Game } from "./game.js";
import { initKeys } from "./keys.js";
import { Learn } from "./learn.js";
import { pathTo, remember, remembered } from "./memory.js";
import { gameOf, initAddress } from "./link.js";
import { initMoves } from "./moves.js";
import { PathSelection } from "./path.js";
import { Play } from "./play.js";
import { initRecord } from "./record.js";
import { Rules } from "./rules.js";
import { Runs } from "./runs.js";
import { SceneBoard } from "./scene.js";
import { Selection } from "./selection.js";
import { initTabs } from "./tabs.js";
import { initTheme } from "./theme.js";
import { Variations } from "./variations.js";
import { callSides, describe, name } from "./words.js";

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

/** How many dice a player of Chase has captured in the plies up to the position shown. */
function captured({ plies, at }, player) {
  const own = plies.slice(0, at).filter((ply) => ply.player === player);
  return own.reduce((sum, { text }) => sum + text.split(":").length - 1, 0);
}

function initSeats(game, board, play) {
  const draw = () => {
    if (!game.view) return;
    const { dice, board: scene, to_move: mover, end } = game.view;
    const pieces = dice ?? scene.cells.flatMap((cell) => cell.pieces);
    const people = play.people();
    const over = end || people.resigned;
    byId("odds").classList.toggle("flipped", board.layout.flip);
    for (const [id, player] of [["seat-far", board.layout.flip ? "white" : "black"], ["seat-near", board.layout.flip ? "black" : "white"]]) {
      const count = pieces.filter((piece) => piece.player === player).length;
      const seat = byId(id);
      const acts = mover === player && !over;
      const isHuman = people[player] === "human";
      const doing = acts ? (play.isThinking && game.isLast ? ", thinking …" : isHuman ? ", your move" : ", to move") : "";
      const who = people[player] ? `${isHuman ? "you" : people[player]}; ` : "";
      const taken = dice ? captured(game.view, player) : 0;
      seat.classList.toggle("active", acts);
      seat.replaceChildren(
        html("span", { class: `chip ${player}`, "aria-hidden": "true" }),
        html("b", {}, name(player)),
        html("span", { class: "soft" }, `${who}${count} ${dice ? "dice" : count === 1 ? "piece" : "pieces"}${taken ? `, ${taken} captured` : ""}${doing}`),
      );
    }
  };
  game.addEventListener("change", draw);
  board.addEventListener("turned", draw);
  play.told = draw;
}

/** What the server says of the game that the address names, and why it is another one, if it is. */
async function askStatus() {
  const named = new URLSearchParams(location.search).get("game") ?? "chase";
  try {
    return [await call(`/api/status/${encodeURIComponent(named)}`), ""];
  } catch (error) {
    return [await call("/api/status"), error.message];
  }
}

/** Shows which game it is, and lets another one be chosen: each has an address of its own. */
function initChooser({ game, games, sides, first_is_dark: dark }) {
  const chooser = byId("game");
  setOptions(chooser, games.map(({ name, title }) => [name, title]));
  chooser.value = game;
  const { title, summary } = games.find(({ name }) => name === game);
  chooser.title = summary;
  chooser.hidden = false;
  chooser.addEventListener("change", () => location.assign(pathTo(chooser.value)));
  // The browser goes back to this page as it was left.
  window.addEventListener("pageshow", () => (chooser.value = game));
  callSides(sides);
  const { dataset } = document.documentElement;
  dataset.board = game === "chase" ? "chase" : "scene";
  if (game !== "chase") {
    document.title = `${title} – Chase`;
    byId("typed").placeholder = "";
    if (dark) dataset.dark = "first";
  }
}

/** A seed for a position that is drawn at random. */
const drawSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** Leads from where one begins to play to the rules, the tutorial and the puzzles. */
function initLinks(title, learn, openRules, goTo) {
  const link = (key, text) => {
    const address = new URLSearchParams({ [key]: "1" });
    const follow = (event) => {
      event.preventDefault();
      goTo(address);
    };
    return html("a", { href: `/?${address}`, onclick: follow }, text);
  };
  const rules = html("button", { id: "to-rules", class: "link", onclick: openRules }, "The rules");
  const more = learn.hasTutorial ? [" and ", link("tutorial", "the tutorial"), " take three minutes each; ", link("puzzle", "puzzles"), " come next."] : [" are beside the board."];
  byId("panel-play").prepend(html("p", { id: "newcomers", class: "soft" }, `New to ${title}? `, rules, ...more));
}

async function main() {
  initTheme();
  const [status, trouble] = await askStatus();
  initChooser(status);
  const isChase = status.game === "chase";
  const game = new Game(status.game);
  const board = isChase ? new Board() : new SceneBoard();
  const selection = isChase ? new Selection(game, board) : new PathSelection(game, board);
  const play = new Play(game, board, selection, status, byId("panel-play"));
  const variations = new Variations(game, play);
  const exercise = new Exercise(game, variations);
  const rules = new Rules(status.game, byId("panel-rules"));
  selection.mayAct = () => play.mayAct() && exercise.mayAct();
  // Who may act has changed since the position was drawn.
  exercise.addEventListener("drawn", () => selection.draw());
  const act = (action) => {
    if (exercise.mayAct()) return play.act(action);
    complain("Nothing can be played in this exercise now: try again, go on, or close it.");
    return false;
  };
  const analysis = new Analysis(game, selection, board, status, byId("panel-analysis"), act);
  const book = new OpeningBook(game, selection, byId("panel-explorer"), act);
  const explorer = new Explorer(game, selection, byId("panel-explorer"), status, act, book);
  const runs = new Runs(game, byId("panel-runs"), status);
  const cluster = status.has_cluster ? new Cluster(byId("panel-runs")) : null;
  initBusy(game);
  initSeats(game, board, play);
  initBanner(game, play, (panel) => openTab(panel));
  initMoves(game);
  const offer = initForgotten(game, variations);
  initRecord(game, () => play.people());

  const show = async (panel) => {
    runs.activate(panel === "runs");
    cluster?.activate(panel === "runs");
    book.activate(panel === "explorer");
    if (panel === "runs") return explorer.activate(false, []);
    if (panel === "rules") await rules.activate();
    const now = await call(`/api/status/${status.game}`);
    play.update(now);
    analysis.update(now);
    if (panel === shown) explorer.activate(panel === "explorer", now.runs);
  };
  let shown = "play";
  const keep = () => {
    // After an exercise the game before it goes on.
    if (!game.view || game.exercise) return;
    remember(status.game, { game: game.kept(), lines: variations.lines, panel: shown, address: location.search });
  };
  window.addEventListener("pagehide", keep);
  initAddress(game, keep);
  variations.told = keep;
  const { told } = play;
  play.told = () => {
    told();
    keep();
  };
  const openTab = initTabs((panel) => {
    shown = panel;
    // Some panels need more room than the board does.
    document.documentElement.dataset.panel = panel;
    keep();
    complain("");
    analysis.activate(panel === "analysis");
    show(panel).catch((error) => complain(error.message));
  });
  // What the panel could not ask.
  server.addEventListener("back", () => {
    complain("");
    show(shown).catch((error) => complain(error.message));
  });

  game.addEventListener("trouble", ({ detail }) => complain(detail.message));
  game.addEventListener("change", () => {
    complain("");
    const { at } = game.view;
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("last").disabled = byId("forward").disabled = at === game.moves.length;
    byId("drawn").hidden = game.seed === null;
    byId("drawn").textContent = `The first position was drawn with seed ${game.seed}.`;
  });
  game.addEventListener("played", ({ detail: action }) => {
    board.animate(action);
    const { plies, at } = game.view;
    const { player } = plies[at - 1];
    announce(`${name(player)}: ${describe(action, player)}. ${game.view.task}`);
  });

  const doings = {
    first: () => game.go(0),
    back: () => game.step(-1),
    forward: () => game.step(1),
    last: () => game.go(Infinity),
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
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    board.focus();
  });
  byId("type-move").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = byId("typed");
    const text = field.value.trim();
    // The next one may be typed meanwhile.
    if (text && (await game.inTurn(() => act(text))) && field.value.trim() === text) field.value = "";
  });

  const address = new URLSearchParams(location.search);
  const [named, wrong] = gameOf(address);
  const [here, last] = remembered(status.game);
  // Whoever comes back to a page finds its game; the address of another game comes before that of another page.
  const before = here ?? (!named || last?.address === location.search ? last : null);
  if (before && (await game.begin(before.game))) variations.set(before.lines);
  else if (before || !named || !(await game.begin(named))) {
    if (named) wrong.unshift(`The address names no game: ${byId("notice").textContent}`);
    // To be put right there.
    if (named?.moves.length) [byId("record-text").value, byId("load").open] = [named.moves.join(" "), true];
    await game.begin(status.begins_at_random ? { seed: drawSeed() } : {});
  } else {
    if (named.seed !== game.seed) wrong.push("The seed in the address has no effect: no first position of this game is drawn.");
    if (named.at > game.moves.length) wrong.push(`The address says at=${named.at}, expected at most ${game.moves.length}, the number of plies.`);
    const isSame = last?.game.moves.join(" ") === game.moves.join(" ") && last.game.seats?.human === null;
    if (last && !isSame) offer(last.game, last.lines);
  }
  if (before && before.panel !== shown) openTab(before.panel);
  const learn = new Learn(byId("panel-learn"), game, board, exercise, status);
  const goTo = async (address) => (await learn.open(address)) && openTab("learn");
  const { title } = status.games.find(({ name }) => name === status.game);
  initLinks(title, learn, () => openTab("rules"), goTo);
  await goTo(address).catch((error) => wrong.push(error.message));
  const said = [trouble, ...wrong].filter(Boolean).join("\n");
  if (said) complain(said);
  document.documentElement.dataset.ready = "yes";
}

main().catch((error) => complain(error.message));
