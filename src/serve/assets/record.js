// Records and positions, to copy and to paste.

import { announce, complain } from "./announce.js";
import { call } from "./api.js";
import { byId, html } from "./dom.js";

/** `people()` tells who plays: `{white, black, resigned}`; `leave` ends their match before another game comes, of whose players it is told. */
export function initRecord(game, people, leave) {
  const text = html("textarea", {
    id: "record-text",
    rows: 5,
    spellcheck: "false",
    "aria-label": "Record of the game, or a position",
    placeholder: "Paste a record, a list of moves or a position here",
  });
  const written = () => call("/api/record/write", { game: game.whole(), ...people() });
  const copy = async (words) => {
    text.value = words;
    try {
      await navigator.clipboard.writeText(words);
      announce("copied");
    } catch {
      // Where the clipboard is closed, the text is there to be copied by hand.
      text.select();
    }
  };
  const doing = (work) => async () => {
    try {
      await work();
      complain("");
    } catch (error) {
      complain(error.message);
    }
  };
  const save = async () => {
    const { record } = await written();
    const url = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    html("a", { href: url, download: "game.chase" }).click();
    URL.revokeObjectURL(url);
  };
  const load = async () => {
    const read = await call("/api/record/read", { record: text.value });
    leave({ white: read.white, black: read.black });
    await game.begin({ start: read.start, rules: read.rules, moves: read.moves });
    announce(`game loaded: ${read.termination}`);
  };
  byId("record").replaceChildren(
    html(
      "div",
      { class: "row" },
      html("button", { onclick: doing(async () => copy((await written()).record)) }, "Copy record"),
      html("button", { onclick: doing(async () => copy(game.view.position)) }, "Copy position"),
      html("button", { onclick: doing(save) }, "Save"),
    ),
    text,
    html("div", { class: "row" }, html("button", { onclick: doing(load) }, "Load")),
  );
}
