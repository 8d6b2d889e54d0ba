// Runs and workers of a cluster.

import { call, isAbort } from "./api.js";
import { html } from "./dom.js";

/** Milliseconds between two looks. */
const LOOK = 5000;

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
  #looking = null;

  constructor(panel) {
    panel.append(html("div", { class: "card" }, html("h2", {}, "Cluster"), this.#facts, this.#tables));
  }

  activate(active) {
    this.#looking?.abort();
    if (active) this.#look();
  }

  /** Shows the cluster again and again. */
  async #look() {
    const looking = new AbortController();
    this.#looking = looking;
    while (!looking.signal.aborted) {
      try {
        this.#show(await call("/api/cluster", undefined, looking.signal));
      } catch (error) {
        if (isAbort(error)) return;
        this.#facts.textContent = error.message;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
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
