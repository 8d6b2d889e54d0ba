// Addresses of games and positions, to send to somebody.

/** The address of the page with the game on it, at the position shown. */
export function linkOf(game) {
  const address = new URLSearchParams(game.name === "chase" ? {} : { game: game.name });
  const { start, seed, rules, moves } = game.whole();
  if (start) address.set("start", start);
  if (seed !== null) address.set("seed", seed);
  if (rules) address.set("rules", rules);
  if (moves.length) address.set("moves", moves.join(" "));
  if (!game.isLast) address.set("at", game.view.at);
  return `${location.origin}/${address.size ? `?${address}` : ""}`;
}

/** The game that an address has; `null` for none. */
export function gameOf(address) {
  if (!["start", "seed", "moves"].some((key) => address.has(key))) return null;
  const moves = (address.get("moves") ?? "").split(/\s+/).filter(Boolean);
  const number = (key) => (/^\d+$/.test(address.get(key) ?? "") ? Number(address.get(key)) : null);
  return { start: address.get("start"), seed: number("seed"), rules: address.get("rules"), moves, at: number("at") ?? undefined };
}
