// What studies say of a move.

import { html } from "./dom.js";

const SIGNS = { supported: "✓", refuted: "✗", inconclusive: "?" };

/** A word for a verdict that needs no colour to be told from the others. */
const chip = (text, verdict, title) => html("span", { class: `verdict ${verdict}`, title }, `${text} ${SIGNS[verdict]}`);

/** The verdicts in a row of a table, in a few characters each: of each claim that of the first study, which was asked for. */
export function chips(verdicts) {
  const claims = Map.groupBy(verdicts, ({ claim }) => claim);
  return [...claims].map(([claim, [first, ...others]]) => {
    const also = others.map(({ verdict, study }) => `; ${verdict} (${study})`).join("");
    const said = chip(claim, first.verdict, `${claim}: ${first.verdict} (${first.study})${also}. ${first.statement}`);
    said.append(` ${first.verdict}`);
    return said;
  });
}

/** The verdicts at length. */
export function sentences(verdicts) {
  return verdicts.map(({ claim, statement, verdict, study, findings }) =>
    html("div", { class: "claim" },
      html("p", {}, chip(claim, verdict), html("b", {}, ` ${verdict}`), html("span", { class: "soft" }, ` by ${study}`)),
      html("p", {}, statement),
      findings.length
        ? html("ul", {}, ...findings.map((finding) => html("li", {}, chip("", finding.verdict, finding.verdict), ` ${finding.summary}`)))
        : null));
}
