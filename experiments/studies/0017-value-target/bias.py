"""Mean of the recorded search value and of the game's result, both for the player to move, over rows of full searches.

    python bias.py FIRST_GENERATION LAST_GENERATION RUN...     (needs pyarrow and numpy)
"""

import collections
import glob
import sys

import numpy as np
import pyarrow.parquet as pq

COLUMNS = ["game", "player", "root_win", "root_loss", "outcome", "full_search"]


def games(run, first, last):
    """(value, result) of each row, by game."""
    found = collections.defaultdict(list)
    for generation in range(first, last + 1):
        for shard in sorted(glob.glob(f"{run}/games/gen-{generation:06d}/selfplay*.parquet")):
            for row in pq.read_table(shard, columns=COLUMNS).to_pylist():
                if row["root_win"] is None or row["outcome"] == "truncated" or not row["full_search"]:
                    continue
                result = 0 if row["outcome"] == "draw" else 1 if row["outcome"] == row["player"] else -1
                found[generation, row["game"]].append((row["root_win"] - row["root_loss"], result))
    return found.values()


def estimate(games, figure):
    """Mean over rows, and its standard error by game."""
    rows = sum(map(len, games))
    mean = sum(figure(*row) for game in games for row in game) / rows
    return mean, np.sqrt(sum(sum(figure(*row) - mean for row in game) ** 2 for game in games)) / rows


first, last, *runs = sys.argv[1:]
figures = {"value": lambda v, r: v, "result": lambda v, r: r, "difference": lambda v, r: v - r}
for run in runs:
    found = games(run, int(first), int(last))
    words = ["%s %.4f ± %.4f" % (name, *estimate(found, figure)) for name, figure in figures.items()]
    print(run, sum(map(len, found)), "rows,", len(found), "games:", ", ".join(words))
