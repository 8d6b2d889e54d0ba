"""The registered hypothesis of study 0039: is 3A6A7 or 3A4A3 a better first move than those that agents choose most?

python3 confirm.py games.parquet NAME …, where the names of agents restrict it to these. It prints the mean score of White after
the two moves, and its difference to the four favourites of the first family, with Student's 97.5 % intervals over agents.
Needs pyarrow, numpy and scipy.
"""

import collections
import sys

import numpy as np
import pyarrow.parquet as pq
from scipy import stats

BEST = ["3A6A7", "3A4A3"]
FAVOURITES = ["1A2A3", "1A8A7", "1A4A3", "1A6A7"]
THRESHOLD = 0.52
LEVEL = 0.975


def scores(path):
    """White's mean score by agent and first move; games without a result are left out."""
    table = pq.read_table(path, columns=["series", "white_score"]).to_pydict()
    found = collections.defaultdict(list)
    for series, score in zip(*table.values()):
        parts = series.split("/")
        if len(parts) == 3 and parts[1] == "first" and score is not None:
            found[parts[0], parts[2]].append(score)
    return {key: (np.mean(of), len(of)) for key, of in found.items()}


def report(what, numbers, against):
    numbers = np.array(numbers)
    error = numbers.std(ddof=1) / np.sqrt(len(numbers))
    half = stats.t.ppf((1 + LEVEL) / 2, len(numbers) - 1) * error
    low, high = numbers.mean() - half, numbers.mean() + half
    verdict = "supported" if low > against else "refuted" if high < against else "inconclusive"
    each = ", ".join(f"{100 * number:.1f}" for number in numbers)
    print(f"{what}: {100 * numbers.mean():.1f} [{100 * low:.1f}, {100 * high:.1f}], against {100 * against:.0f}: {verdict}; by agent {each}")


def main():
    found = scores(sys.argv[1])
    agents = sorted({agent for agent, _ in found})
    if sys.argv[2:]:
        agents = [agent for agent in agents if agent in sys.argv[2:]]
    # A move counts as much as another of its group, whatever its number of games.
    mean = lambda agent, moves: np.mean([found[agent, move][0] for move in moves])
    print(f"agents {', '.join(agents)}; games after {BEST}: {sum(found[agent, move][1] for agent in agents for move in BEST)}")
    report("score of White", [mean(agent, BEST) for agent in agents], THRESHOLD)
    report("minus that after the favourites", [mean(agent, BEST) - mean(agent, FAVOURITES) for agent in agents], 0.0)


if __name__ == "__main__":
    main()
