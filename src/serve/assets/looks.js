// Looking at something on the server again and again, while it can be seen.

/** Milliseconds between two looks. */
const PAUSE = 5000;

/** Waits, but no longer than until the tab is hidden or shown again. */
const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSE);
    document.addEventListener("visibilitychange", resolve, { once: true });
  });

/**
 * Calls `look(signal)` at intervals until it is stopped. A look that fails is followed by others all the same: the server may
 * come back. `tell` is called with what went wrong, and with nothing when it went right again.
 *
 * No connection is held in between: browsers let all tabs together have six of them.
 */
export class Looks {
  #look;
  #tell;
  #looking = null;

  constructor(look, tell) {
    this.#look = look;
    this.#tell = tell;
  }

  stop() {
    this.#looking?.abort();
  }

  /** Begins with a look of now. */
  async begin() {
    this.stop();
    const looking = new AbortController();
    this.#looking = looking;
    const { signal } = looking;
    let failed = false;
    while (!signal.aborted) {
      try {
        if (!document.hidden) await this.#look(signal);
        if (failed && !signal.aborted) this.#tell("");
        failed = false;
      } catch (error) {
        if (signal.aborted) return;
        failed = true;
        this.#tell(error.message);
      }
      await pause();
    }
  }
}
