// Records and positions, to copy and to paste.

import { announce, complain } from "./announce.js";
import { call } from "./api.js";
import { byId, html } from "./dom.js";
import { NOBODY } from "./game.js";
import { linkOf } from "./link.js";
import { goTo } from "./memory.js";

/** Milliseconds that it is said that something was copied. */
const SHOWN = 2000;

/** `people()` tells who plays: `{white, black, resigned}`. */
export function initRecord(game, people) {
  const text = html("textarea", {
    id: "record-text",
    rows: 5,
    spellcheck: "false",
    "aria-label": "Record of the game, or a position",
    placeholder: "Paste a record, a list of moves or a position here",
  });
  const copied = html("span", { class: "soft", role: "status" });
  const written = () => call("/api/record/write", { game: game.whole(), ...people() });
  const copy = async (words) => {
    text.value = words;
    try {
      await navigator.clipboard.writeText(words);
      copied.textContent = "copied";
      setTimeout(() => (copied.textContent = ""), SHOWN);
    } catch {
      // Where the clipboard is closed, the text is there to be copied by hand.
      byId("load").open = true;
      text.select();
    }
  };
  const doing = (work) => async () => {
    complain("");
    try {
      await work();
    } catch (error) {
      complain(error.message);
    }
  };
  const save = async () => {
    const { record } = await written();
    const url = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    html("a", { href: url, download: `game.${game.name === "chase" ? "chase" : "txt"}` }).click();
    URL.revokeObjectURL(url);
  };
  const load = async () => {
    if (!text.value.trim()) throw new Error("There is nothing to load: paste a record, a list of moves or a position.");
    const { name, start, rules, moves, white, black, termination } = await call("/api/record/read", { record: text.value, name: game.name });
    const read = { start, rules, moves, seats: { ...NOBODY, names: { white, black } } };
    if (name !== game.name) goTo(name, read, "play");
    else if (await game.begin(read)) announce(`game loaded: ${termination}`);
  };
  byId("record").replaceChildren(
    html(
      "div",
      { class: "row" },
      html("button", { onclick: doing(async () => copy((await written()).record)) }, "Copy record"),
      html("button", { onclick: doing(async () => copy(game.view.position)) }, "Copy position"),
      html("button", { id: "copy-link", title: "The address of this page with the game on it", onclick: doing(async () => copy(linkOf(game))) }, "Copy link"),
      html("button", { onclick: doing(save) }, "Save"),
      copied,
    ),
    html("details", { id: "load" },
      html("summary", {}, "Load a game or a position"),
      text,
      html("div", { class: "row" }, html("button", { onclick: doing(load) }, "Load"))),
  );
}
