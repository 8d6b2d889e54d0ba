// Panels, one at a time.

import { byId } from "./dom.js";
import { meaning } from "./keys.js";

/** Lets the tabs choose panels, and calls `chosen` with the name of the panel, such as `play`. */
export function initTabs(chosen) {
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const choose = (tab) => {
    for (const other of tabs) {
      const selected = other === tab;
      other.setAttribute("aria-selected", selected);
      other.tabIndex = selected ? 0 : -1;
      byId(other.getAttribute("aria-controls")).hidden = !selected;
    }
    chosen(tab.id.replace("tab-", ""));
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[meaning(event)];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      event.preventDefault();
      event.stopPropagation();
      next.focus();
      choose(next);
    });
  }
  return (name) => choose(byId(`tab-${name}`));
}
