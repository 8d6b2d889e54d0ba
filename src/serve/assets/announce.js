// Words for those who do not see the board change, and for everybody when something goes wrong.

import { byId } from "./dom.js";

/** Reads out a text. */
export function announce(text) {
  const live = byId("live");
  // The same text twice is read twice only if it differs.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Shows what went wrong, until something goes right. */
export function complain(text) {
  const notice = byId("notice");
  notice.textContent = text;
  notice.hidden = !text;
}
