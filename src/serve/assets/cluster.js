// Runs and workers of a cluster.

import { call } from "./api.js";
import { html } from "./dom.js";
import { Looks } from "./looks.js";

const count = (number) => Math.round(number).toLocaleString("en-GB");
const mib = (bytes) => `${count(bytes / 2 ** 20)} MiB`;
const stored = (bytes, limit) => (limit === null ? mib(bytes) : `${mib(bytes)} of ${mib(limit)}`);
const age = (seconds) => (seconds === null ? "–" : seconds < 120 ? `${count(seconds)} s` : `${count(seconds / 60)} min`);

/** A table of texts, with its headings first. */
function table(id, [headings, ...rows]) {
  return html("table", { id },
    html("thead", {}, html("tr", {}, ...headings.map((text) => html("th", {}, text)))),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map((text) => html("td", {}, text))))));
}

export class Cluster {
  #facts = html("p", { id: "cluster-facts" });
  #tables = html("div", { id: "cluster-tables" });
  #looks = new Looks(async (signal) => this.#show(await call("/api/cluster", undefined, signal)), (trouble) => trouble && (this.#facts.textContent = trouble));

  constructor(panel) {
    panel.append(html("div", { class: "card" }, html("h2", {}, "Cluster"), this.#facts, this.#tables));
  }

  /** Looks only while its panel is open. */
  activate(active) {
    if (active) this.#looks.begin();
    else this.#looks.stop();
  }

  #show({ server, bytes, bytes_limit, runs, workers }) {
    this.#facts.textContent = `${server}: ${stored(bytes, bytes_limit)} stored, ${workers.length} workers.`;
    const run = (run) => [run.name || run.run, run.workers, run.waiting, run.in_work, run.done, age(run.oldest_seconds), stored(run.bytes, run.bytes_limit)].map(String);
    const worker = (worker) => [
      worker.name, worker.version.split(",")[0], worker.device, worker.threads, count(worker.games),
      count(worker.evaluations / Math.max(worker.seconds, 1)), age(worker.heard_seconds), Object.values(worker.playing).join(", "),
    ].map(String);
    this.#tables.replaceChildren(
      ...(runs.length ? [table("cluster-runs", [["run", "workers", "waiting", "in work", "done", "oldest", "stored"], ...runs.map(run)])] : []),
      ...(workers.length
        ? [table("cluster-workers", [["worker", "version", "device", "threads", "games", "evaluations/s", "heard", "plays"], ...workers.map(worker)])]
        : []),
    );
  }
}
