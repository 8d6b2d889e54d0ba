// What a tab of the browser remembers of its pages, so that neither a reload nor going elsewhere and back loses anything; and
// what the browser knows to be solved.

/** Pages of which the tab remembers the game. */
const MOST = 20;

const draw = () => crypto.getRandomValues(new Uint32Array(2)).join("-");

/** This page in the history of the tab: whoever comes back to it finds what was kept here. */
const here = history.state?.page ?? draw();

/** Changes the address of the page; it stays the same page. */
export const readdress = (path) => history.replaceState({ page: here }, "", path);
readdress(location.href);

const stored = (key) => JSON.parse(sessionStorage.getItem(key));
const store = (key, state) => sessionStorage.setItem(key, JSON.stringify(state));

/** Keeps the state of a page as long as the tab is open: it is the last one of the game with that name. */
export function remember(name, state, page = here) {
  try {
    const pages = [page, ...(stored("pages") ?? []).filter((other) => other !== page)];
    for (const old of pages.splice(MOST)) sessionStorage.removeItem(`page:${old}`);
    store("pages", pages);
    store(`last:${name}`, page);
    store(`page:${page}`, state);
  } catch {
    // No storage, or no room in it.
  }
}

/** What was kept of this page, and of the last page with that game; `null` for nothing. */
export function remembered(name) {
  try {
    return [stored(`page:${here}`), stored(`page:${stored(`last:${name}`)}`)];
  } catch {
    return [null, null];
  }
}

/** The path of the page of a game, which says more of it. */
export function pathTo(name, more = {}) {
  const address = new URLSearchParams({ ...(name === "chase" ? {} : { game: name }), ...more });
  return address.size ? `/?${address}` : "/";
}

/** Shows a game of another name, as `Game.begin` takes it, on a page of its own. */
export function goTo(name, game, panel) {
  remember(name, { game, lines: [], panel }, draw());
  location.assign(pathTo(name));
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
