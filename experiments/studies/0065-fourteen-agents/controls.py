"""What agents think of each first move of Chase: python3 controls.py VALUES.csv AGENT …

Asks `chase engine`, which must be in the PATH, for the value of the position after each of the 44 first moves: by 20,000 nodes of
an agent whose folder is called nnue-SEED, by 200 simulations of one called agent-SEED. Scores are White's, from 0 to 100, to half
a point. Then prints the mean rank correlation of two agents' values, by kind and teacher. Needs polars.
"""

import collections
import itertools
import pathlib
import statistics
import sys

import polars as pl

sys.path.append(str(pathlib.Path(__file__).parent.parent / "0037-preferences"))
from values import first_moves, scores

WITHOUT_TEACHER = {"nnue-106", "nnue-107", "agent-116", "agent-117"}
EFFORT = {"nnue": ("nnue", 20_000), "agent": ("net", 200)}


def group(agent):
    return agent.split("-")[0] + (", no teacher" if agent in WITHOUT_TEACHER else "")


def values(folders):
    moves = list(dict.fromkeys(first_moves().values()))
    columns = {"move": moves}
    for folder in folders:
        kind, nodes = EFFORT[folder.name.split("-")[0]]
        columns[folder.name] = scores(f"{kind}:{folder}", nodes, moves)
        print(folder.name, file=sys.stderr)
    return pl.DataFrame(columns)


def agreement(found):
    """Spearman's correlations of two agents, by the groups of both."""
    by_groups = collections.defaultdict(list)
    for one, other in itertools.combinations(found.columns[1:], 2):
        correlation = found.select(pl.corr(one, other, method="spearman")).item()
        by_groups[" | ".join(sorted([group(one), group(other)]))].append(correlation)
    return by_groups


if __name__ == "__main__":
    found = values([pathlib.Path(folder) for folder in sys.argv[2:]])
    found.write_csv(sys.argv[1])
    for groups, correlations in sorted(agreement(found).items()):
        print(f"{groups}: {statistics.fmean(correlations):.2f}, {min(correlations):.2f} to {max(correlations):.2f}, {len(correlations)} pairs")
