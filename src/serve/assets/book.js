// What opening books say of the position shown.

import { complain } from "./announce.js";
import { call, isAbort } from "./api.js";
import { bookTable, comparison } from "./book_moves.js";
import { html, setOptions } from "./dom.js";
import { generation } from "./player.js";
import { name } from "./words.js";

const counted = (number, what) => `${number.toLocaleString("en-GB")} ${what}${number === 1 ? "" : "s"}`;

/** Event: `known` when `knows` may have changed. */
export class OpeningBook extends EventTarget {
  /** Whether the position shown is in the book. */
  knows = false;
  #game;
  #selection;
  /** Plays an action. */
  #act;
  #active = false;
  #running = null;
  /** The book that somebody chose; `null` for the first one with the position. */
  #chosen = null;
  /** Moves that are shown at length. */
  #open = new Set();
  /** Whether all moves are shown. */
  #whole = { on: false };
  #parts = {};

  constructor(game, selection, panel, act) {
    super();
    this.#game = game;
    this.#selection = selection;
    this.#act = act;
    const book = html("select", {
      id: "book",
      onchange: () => {
        this.#chosen = book.value;
        this.#show();
      },
    });
    const chooser = html("div", { class: "row", hidden: true }, html("label", { for: "book" }, "Book"), book);
    const trouble = html("p", { class: "notice", id: "book-trouble", role: "status", hidden: true });
    const facts = html("p", { class: "soft", id: "book-facts" });
    const moves = html("div", { id: "book-moves" });
    const origin = html("details", { id: "book-origin" });
    const card = html("div", { class: "card", id: "book-card", hidden: true }, html("h2", {}, "Opening book"), chooser, trouble, facts, moves, origin);
    this.#parts = { book, chooser, trouble, facts, moves, origin, card };
    panel.append(card);
    game.addEventListener("change", () => {
      this.#open.clear();
      this.#show();
    });
  }

  /** Looks only while its panel is open. */
  activate(active) {
    this.#active = active;
    if (!this.#active) return this.#running?.abort();
    this.#show();
  }

  async #show() {
    this.#running?.abort();
    if (!this.#active || !this.#game.view) return;
    const running = new AbortController();
    this.#running = running;
    try {
      this.#tell(await call("/api/book", { game: this.#game.stated(), book: this.#chosen }, running.signal));
    } catch (error) {
      if (isAbort(error)) return;
      // A book that is gone must not be asked for again.
      this.#chosen = null;
      this.#parts.card.hidden = true;
      this.#know(false);
      complain(error.message);
    }
  }

  #know(knows) {
    this.knows = knows;
    this.dispatchEvent(new Event("known"));
  }

  #tell({ books, left_out: leftOut, reasons, book: shown, position }) {
    const { book, chooser, trouble, facts, moves, origin, card } = this.#parts;
    card.hidden = !books.length && !leftOut;
    chooser.hidden = books.length < 2;
    setOptions(book, books.map(({ name, has_position: has }) => [name, has ? name : `${name} (without this position)`]));
    book.value = shown?.name ?? "";
    trouble.hidden = !leftOut;
    trouble.textContent = leftOut ? `${counted(leftOut, "book")} could not be read: ${reasons.join("; ")}.` : "";
    facts.textContent = !shown ? "" : position
      ? `All scores are those of ${name(position.player)}, who is to move. Score: at the ends of the book's lines, by minimax; in brackets if the lowest or the highest judge were right. Judges and scout: by their searches after the move.`
      : `This position is not in ${title(shown)}.`;
    const names = { judges: shown?.judges.map(({ player }) => generation(player)) ?? [], scout: shown ? generation(shown.scout.player) : "" };
    const again = () => this.#table(position.moves, names);
    if (position) again();
    else moves.replaceChildren();
    origin.hidden = !shown;
    if (shown) origin.replaceChildren(...made(shown));
    this.#know(position !== null);
  }

  #table(steps, names) {
    const { moves } = this.#parts;
    moves.replaceChildren(
      comparison(steps.slice(0, 2).filter(({ backed }) => backed), ["Best move", "Second best move"]),
      bookTable(steps, {
        ...names,
        open: this.#open,
        whole: this.#whole,
        again: () => {
          this.#table(steps, names);
          document.getElementById("all-book-moves")?.focus();
        },
        point: (action) => this.#point(action),
        play: (action) => this.#act(action),
      }),
    );
  }

  #point(action) {
    const legal = this.#game.view.actions.find((other) => other.action === action);
    this.#selection.showAction(legal ?? null);
  }
}

/** A book in a sentence. */
const title = ({ name, shipped }) => (shipped ? "the built-in book" : `the book ${name}`);

/** How a book was made: who looked at its positions, and how far. */
function made({ name, shipped, scout, judges, challengers, plies, candidates, width, margin, positions, program_version: version, git_hash: commit }) {
  const agent = (role, { player, settings, weights }) => [
    html("dt", {}, `${role}: ${generation(player)}`),
    html("dd", {}, Object.entries(settings ?? {}).map(([key, value]) => `${key}: ${value}`).join(" · "), weights ? html("div", {}, `SHA-256 of its weights ${weights}`) : null),
  ];
  const role = (index) => (judges.length > 1 ? `Judge ${index + 1}` : "Judge");
  return [
    html("summary", {}, `${name}: judged by ${judges.map(({ player }) => generation(player)).join(" and by ") || "no one"}; scout ${generation(scout.player)}`),
    html("dl", { class: "soft" }, ...judges.flatMap((judge, index) => agent(role(index), judge)), ...agent("Scout", scout), ...challengers.flatMap((challenger) => agent("Challenger", challenger))),
    html("p", { class: "soft" },
      `${counted(positions, "position")}, to ply ${plies}. All first moves are followed. Of other positions the best ${candidates} moves by the scout are judged, and of these up to ${width} followed, those within ${(100 * margin).toFixed(1)} % of the best. `,
      `Version ${version}${commit ? `, commit ${commit}` : ""}. `,
      ...(shipped
        ? ["It is the book of study 0041."]
        : [html("a", { href: `/runs/${encodeURIComponent(name)}/report.html`, target: "_blank", rel: "noopener" }, "Report"), " of the whole book."])),
  ];
}
