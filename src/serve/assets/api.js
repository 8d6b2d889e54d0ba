// Talking to the server, which knows all rules.

const HEADERS = {
  "content-type": "application/json",
  // Tells this page from others on this machine: each has one search at a time.
  "x-chase-client": crypto.getRandomValues(new Uint32Array(2)).join("-"),
};

async function answer(response) {
  if (response.ok) return response;
  let reason = `${response.status} ${response.statusText}`;
  try {
    reason = (await response.json()).error;
  } catch {
    // No JSON: the status has to do.
  }
  throw new Error(reason);
}

/** Event: `back` when the server answers again after it did not. */
export const server = new EventTarget();

/** Milliseconds between two attempts to reach the server again. */
const RETRY = 2000;

let isLost = false;

/** The error that the server does not answer; from then on it is tried until it does. */
function lost(error) {
  if (error && isAbort(error)) return error;
  const retry = async () => {
    const response = await fetch("/assets/favicon.svg", { cache: "no-store" }).catch(() => null);
    if (!response?.ok) return void setTimeout(retry, RETRY);
    isLost = false;
    server.dispatchEvent(new Event("back"));
  };
  if (!isLost) setTimeout(retry, RETRY);
  isLost = true;
  return Object.assign(new Error("the server does not answer"), { isLost });
}

/** Statuses of a proxy whose server does not answer. */
const GATEWAY = [502, 504];

async function ask(path, body, signal) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(path, { headers: HEADERS, signal, ...options }).catch((error) => {
    throw lost(error);
  });
  if (GATEWAY.includes(response.status)) throw lost();
  return answer(response);
}

/** The answer to a request as an object; throws an `Error` that says what was wrong. */
export async function call(path, body, signal) {
  const response = await ask(path, body, signal);
  return response.json().catch((error) => {
    throw lost(error);
  });
}

/** Calls `tell(name, data)` for every event that the answer to a request consists of; the last one says why it is the last. */
export async function follow(path, body, signal, tell) {
  const response = await ask(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let stop = null;
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw lost(error);
    });
    if (done && !stop) throw lost();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const field = (name) => event.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
      // What has no data is a sign of life.
      if (!field("data")) continue;
      const data = JSON.parse(field("data"));
      ({ stop } = data);
      tell(field("event"), data);
    }
  }
}

/** Whether an error only says that nobody waits for the answer any more. */
export const isAbort = (error) => error.name === "AbortError";
