// What a tab of the browser remembers of each game, so that a reload loses nothing; and what the browser knows to be solved.

/** Each game has its own place. */
const key = (name) => (name === "chase" ? "game" : `game:${name}`);

/** Keeps a state of the game with that name as long as the tab is open; where that is not allowed, nothing is kept. */
export function remember(name, state) {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(state));
  } catch {
    // No storage, or no room in it.
  }
}

/** What was kept, `null` for nothing. */
export function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)));
  } catch {
    return null;
  }
}

/** What was solved, of a game's puzzles or of the tutorial: kept by the browser. */
export function solved(kind) {
  try {
    return new Set(JSON.parse(localStorage.getItem(`solved:${kind}`)) ?? []);
  } catch {
    return new Set();
  }
}

/** Keeps that something was solved. */
export function solve(kind, what) {
  try {
    localStorage.setItem(`solved:${kind}`, JSON.stringify([...solved(kind).add(what)]));
  } catch {
    // It is solved all the same.
  }
}
