// What a tab of the browser remembers of the game, so that a reload loses nothing.

const KEY = "game";

/** Keeps a state as long as the tab is open; where that is not allowed, nothing is kept. */
export function remember(state) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // No storage, or no room in it.
  }
}

/** What was kept, `null` for nothing. */
export function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
