// Addresses of games and positions, to send to somebody.

import { pathTo, readdress } from "./memory.js";

/** The address of the page with the game on it, at the position shown, from the slash on. */
export function pathOf(game) {
  const { name, start, seed, rules, moves } = game.whole();
  const said = { start, seed, rules, moves: moves.join(" "), at: game.isLast ? null : game.view.at };
  return pathTo(name, Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== "")));
}

/** The whole address. */
export const linkOf = (game) => `${location.origin}${pathOf(game)}`;

/** Milliseconds before the address follows the game: browsers let no page change it more often than about twice a second. */
const PAUSE = 600;

/** Keeps the address of the page that of the game on the board, and calls `told` when it has changed. Exercises have addresses of their own. */
export function initAddress(game, told) {
  let timer;
  const follow = () => {
    if (game.exercise) return;
    readdress(pathOf(game));
    told();
  };
  game.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, PAUSE);
  });
  // The page that is loaded again comes with the address of now.
  window.addEventListener("beforeunload", () => clearTimeout(timer));
}

/** What an address may say, and what of it has to be a number, up to which one. */
const KEYS = ["game", "start", "seed", "rules", "moves", "at", "tutorial", "puzzle"];
const NUMBERS = { seed: 2 ** 32 - 1, at: Infinity };

/** The game that an address has, `null` for none; and what of the address cannot be understood. */
export function gameOf(address) {
  const trouble = [...address.keys()].filter((key) => !KEYS.includes(key)).map((key) => `The address says ${key}, expected only ${KEYS.join(", ")}.`);
  const number = (key) => {
    const text = address.get(key);
    if (text === null) return null;
    if (/^\d+$/.test(text) && Number(text) <= NUMBERS[key]) return Number(text);
    trouble.push(`The address says ${key}=${text}, expected a whole number${NUMBERS[key] < Infinity ? ` from 0 to ${NUMBERS[key]}` : ""}.`);
    return null;
  };
  const { seed, at } = Object.fromEntries(Object.keys(NUMBERS).map((key) => [key, number(key)]));
  const names = seed !== null || ["start", "rules", "moves"].some((key) => address.has(key));
  const moves = (address.get("moves") ?? "").split(/\s+/).filter(Boolean);
  return [names ? { start: address.get("start"), seed, rules: address.get("rules"), moves, at: at ?? undefined } : null, trouble];
}
