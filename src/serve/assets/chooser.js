// The question which of several actions is meant.

import { announce } from "./announce.js";
import { byId, html } from "./dom.js";
import { meaning } from "./keys.js";

/** Pixels between a box and the cell that it belongs to. */
const GAP = 6;

/** Puts the box beside its cell: below, or above where it would leave the screen. */
function place(box, cell) {
  const around = box.offsetParent.getBoundingClientRect();
  const { left, top, bottom, width } = byId("board").querySelector(`[data-cell="${cell}"]`).getBoundingClientRect();
  const { offsetWidth, offsetHeight } = box;
  const above = bottom + GAP + offsetHeight > window.innerHeight && top - GAP - offsetHeight > 0;
  const x = left + width / 2 - offsetWidth / 2 - around.left;
  box.style.left = `${Math.max(0, Math.min(x, around.width - offsetWidth))}px`;
  box.style.top = `${(above ? top - GAP - offsetHeight : bottom + GAP) - around.top}px`;
}

/** Asks beside the cell `at`: pairs of action and text; `show` an action that is pointed at, `take` it, or `leave` without one. */
export function choose(actions, { at, show, take, leave }) {
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
  box.replaceChildren(...buttons, html("button", { class: "quiet", onclick: leave }, "Cancel"));
  box.onkeydown = (event) => {
    const all = [...box.querySelectorAll("button")];
    const key = meaning(event);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
    if (key === "Escape") leave();
    else if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  box.hidden = false;
  place(box, at);
  buttons[0].focus({ preventScroll: true });
  announce(`${actions.length} ways: choose one`);
}

export function closeChooser() {
  const box = byId("chooser");
  box.hidden = true;
  box.replaceChildren();
}
