// The question which of several actions is meant.

import { announce } from "./announce.js";
import { byId, html } from "./dom.js";

/** Asks: pairs of action and text; `show` an action that is pointed at, `take` it, or `leave` without one. */
export function choose(actions, { show, take, leave }) {
  const box = byId("chooser");
  const buttons = actions.map(([action, text]) =>
    html(
      "button",
      {
        onclick: () => take(action),
        onfocus: () => show(action),
        onpointerenter: () => show(action),
        "data-action": action.action,
      },
      text,
    ),
  );
  box.replaceChildren(...buttons, html("button", { class: "quiet", onclick: leave }, "None of these"));
  box.onkeydown = (event) => {
    const all = [...box.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") leave();
    else if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
  buttons[0].focus();
  announce(`${actions.length} ways: choose one`);
}

export function closeChooser() {
  const box = byId("chooser");
  box.hidden = true;
  box.replaceChildren();
}
