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

function ask(path, body, signal) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return fetch(path, { headers: HEADERS, signal, ...options }).then(answer, (error) => {
    throw error.name === "AbortError" ? error : new Error("the server does not answer");
  });
}

/** The answer to a request as an object; throws an `Error` that says what was wrong. */
export async function call(path, body, signal) {
  return (await ask(path, body, signal)).json();
}

/** Calls `tell(name, data)` for every event that the answer to a request consists of. */
export async function follow(path, body, signal, tell) {
  const response = await ask(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const field = (name) => event.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
      // What has no data is a sign of life.
      if (field("data")) tell(field("event"), JSON.parse(field("data")));
    }
  }
}

/** Whether an error only says that nobody waits for the answer any more. */
export const isAbort = (error) => error.name === "AbortError";
