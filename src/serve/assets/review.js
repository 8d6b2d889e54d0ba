// What an analysis of the whole game says of each ply: mistakes, and how well each side played.

/** Win chance that a ply loses at least, and its mark. */
const MARKS = [[0.2, "??", "blunder"], [0.1, "?", "mistake"], [0.05, "?!", "inaccuracy"]];

/** lichess's accuracy of a move from 0 to 100: https://lichess.org/page/accuracy */
const accuracy = (loss) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * loss) - 3.1669));

/**
 * What is known of each ply, in the order of the game: its `number` from 1, `player`, `text`, the win chance that the
 * player lost by it (`loss`, from 0 to 1), `mark` and `word` where it was a mistake, and what was `best`. `values` are
 * White's win chances by the number of plies before, `best` the best actions, each an `action` in exact form and a `text`.
 */
export function review(plies, values, best) {
  return plies.flatMap(({ player, action, text, turn }, index) => {
    const [before, after] = [values.get(index), values.get(index + 1)];
    if (before === undefined || after === undefined) return [];
    const loss = Math.max(0, player === "white" ? before - after : after - before);
    const better = best.get(index);
    const played = better === undefined || better.action === action;
    const [, mark = "", word = ""] = played ? [] : MARKS.find(([least]) => loss >= least) ?? [];
    return [{ number: index + 1, player, text, turn, loss, mark, word, best: better }];
  });
}

/** The mean accuracy of a player's plies; `null` if none is known. */
export function accuracyOf(player, reviewed) {
  const own = reviewed.filter((ply) => ply.player === player);
  return own.length ? own.reduce((sum, { loss }) => sum + accuracy(loss), 0) / own.length : null;
}
