// Light, dark, or as the system says; remembered.

import { byId } from "./dom.js";

const THEMES = { auto: ["◐", "system"], light: ["☀", "light"], dark: ["☾", "dark"] };

function remembered() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

export function initTheme() {
  const button = byId("theme");
  let theme = remembered() in THEMES ? remembered() : "auto";
  const show = () => {
    const [sign, words] = THEMES[theme];
    document.documentElement.dataset.theme = theme;
    button.textContent = sign;
    button.setAttribute("aria-label", `Colours: ${words}`);
  };
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // A browser that keeps nothing shows it all the same.
    }
    show();
  });
  show();
}
