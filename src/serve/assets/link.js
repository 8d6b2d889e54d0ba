// Addresses of games and positions, to send to somebody.

/** The address of the page with the game on it, at the position shown, from the slash on. */
export function pathOf(game) {
  const address = new URLSearchParams(game.name === "chase" ? {} : { game: game.name });
  const { start, seed, rules, moves } = game.whole();
  if (start) address.set("start", start);
  if (seed !== null) address.set("seed", seed);
  if (rules) address.set("rules", rules);
  if (moves.length) address.set("moves", moves.join(" "));
  if (!game.isLast) address.set("at", game.view.at);
  return address.size ? `/?${address}` : "/";
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
    history.replaceState(null, "", pathOf(game));
    told();
  };
  game.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, PAUSE);
  });
  // The page that is loaded again comes with the address of now.
  window.addEventListener("beforeunload", () => clearTimeout(timer));
}

/** The game that an address has; `null` for none. */
export function gameOf(address) {
  if (!["start", "seed", "moves"].some((key) => address.has(key))) return null;
  const moves = (address.get("moves") ?? "").split(/\s+/).filter(Boolean);
  const number = (key) => (/^\d+$/.test(address.get(key) ?? "") ? Number(address.get(key)) : null);
  return { start: address.get("start"), seed: number("seed"), rules: address.get("rules"), moves, at: number("at") ?? undefined };
}
