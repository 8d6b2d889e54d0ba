// What happens, in words.

/** What the game on the page calls its first and its second player. */
let sides = ["white", "black"];

export function callSides(called) {
  sides = called;
}

/** A player's name at the start of a sentence; `white` is the first player of any game. */
export function name(player) {
  const called = sides[["white", "black"].indexOf(player)];
  return called[0].toUpperCase() + called.slice(1);
}

/** The player whom the game calls so. */
export const player = (called) => ["white", "black"][sides.indexOf(called)];

/** An action without a place on the board. */
export function decision(text) {
  const words = text === "--" ? "pass" : text;
  return words[0].toUpperCase() + words.slice(1);
}

const list = (items) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;

/** The form of an action for people; of one that bumps a whole row, its beginning. */
export const short = ({ text }) => (text.length > 16 && text.includes("/") ? `${text.split("/")[0]}/…` : text);

/** All that an action does, for `player` who would play it. */
export function describe(action, player) {
  // Of other games than Chase, texts say it all.
  if (!action.kind) return action.text;
  const after = new Map(action.changes.map(({ cell, die }) => [cell, die]));
  const pips = (cell) => after.get(cell)?.[1];
  if (action.kind === "absorb") return `${action.from} absorbs the missing pips and becomes a ${pips(action.from)}`;
  if (action.kind === "exchange") {
    const [giver, receiver] = [pips(action.from), pips(action.to)];
    return `${action.from} gives ${action.points} to ${action.to}: they become ${giver} and ${receiver}`;
  }
  const [first, ...others] = action.legs;
  let text = `${first.from} ${first.captures ? "captures on" : "to"} ${first.to === "E5" ? "the Chamber" : first.to}`;
  const exits = others.filter((leg) => leg.cause === "leaves");
  if (exits.length === 1) text += `, leaves whole on ${exits[0].to}${exits[0].captures ? " and captures there" : ""}`;
  if (exits.length === 2) {
    const say = (leg) => `a ${leg.speed} ${leg.captures ? "captures on" : "goes to"} ${leg.to}`;
    text += `, splits: ${list(exits.map(say))}`;
  }
  const bumps = others.filter((leg) => leg.cause === "bumped");
  if (bumps.length) {
    text += `; bumps ${list(bumps.map((leg) => `${leg.from} ${leg.captures ? "to capture on" : "to"} ${leg.to}`))}`;
  }
  // Only absorption changes a die of the player who does not act.
  const absorbed = action.changes.filter(({ die }) => die && die[0] !== player);
  if (absorbed.length) {
    text += `; ${list(absorbed.map(({ cell, die }) => `${cell} becomes a ${die[1]}`))} by absorbing`;
  }
  return text;
}

/** The end of a game. */
export function ending({ result, reason }) {
  if (result === "draw") return `Drawn: ${reason}`;
  if (result === "truncated") return `No result: ${reason}`;
  const why = reason === "four dice" ? `${name(result === "white" ? "black" : "white")} has four dice or fewer left` : reason;
  return `${name(result)} has won: ${why}`;
}

/** A number with the sign of negative numbers, not a hyphen. */
export const minus = (number) => number.replace("-", "−");

export const percent = (share) => `${(100 * share).toFixed(share > 0.0995 ? 0 : 1)} %`;
