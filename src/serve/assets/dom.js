// Making elements.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element with attributes (`onclick` and the like are listeners) and children. */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** Options of a `select`: pairs of value and text. The value chosen before stays if it is still there; a list that is the same is left open. */
export function setOptions(select, options) {
  const before = select.value;
  if (JSON.stringify(options) === JSON.stringify([...select.options].map(({ value, text }) => [value, text]))) return;
  select.replaceChildren(...options.map(([value, text]) => html("option", { value }, text)));
  if (options.some(([value]) => value === before)) select.value = before;
}
