"""How much first moves differ from their mirror images, beyond what games vary: python3 mirror.py games.parquet …

The rules know no left and right, so that true differences come from training alone. For each agent: the sum of squared
standardised differences (chi-squared, with as many degrees of freedom as pairs), and the standard deviation of true
differences: what is left of the variance when that of games is taken away. Needs pyarrow.
"""

import collections
import math
import re
import sys

import pyarrow.parquet as pq

# A whole row that shifts is named by the die on A1, whichever die begins the shift: its mirror image is A1 the other way.
SHIFTS = {"A1E": "A1W", "A1W": "A1E"}
ACTION = re.compile(r"(\d?)([A-I])(\d)(?:([NS]?[EW])|([A-I])(\d))$")
TURNED = str.maketrans("EW", "WE")


def mirror(action):
    points, row, column, direction, to_row, to_column = ACTION.match(action).groups()
    if action in SHIFTS:
        return SHIFTS[action]
    to = f"{to_row}{10 - int(to_column)}" if to_row else ""
    return f"{points}{row}{10 - int(column)}{(direction or '').translate(TURNED)}{to}"


def differences(path):
    table = pq.read_table(path, columns=["series", "block", "white_score"]).to_pydict()
    games = collections.defaultdict(dict)
    for series, block, score in zip(*table.values()):
        parts = series.split("/")
        if len(parts) == 3 and parts[1] == "first":
            games[parts[0], parts[2]][block] = score
    for agent in sorted({agent for agent, _ in games}):
        for action in sorted(action for of, action in games if of == agent):
            if action < mirror(action):
                one, other = games[agent, action], games[agent, mirror(action)]
                pairs = [(one[block], other[block]) for block in one if block in other]
                numbers = [a - b for a, b in pairs if a is not None and b is not None]
                mean = sum(numbers) / len(numbers)
                variance = sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1) / len(numbers)
                yield agent, action, mean, variance


def main():
    for path in sys.argv[1:]:
        agents = collections.defaultdict(list)
        for agent, action, mean, variance in differences(path):
            agents[agent].append((mean, variance, action))
        for agent, found in agents.items():
            chi = sum(mean**2 / variance for mean, variance, _ in found)
            excess = sum(mean**2 - variance for mean, variance, _ in found) / len(found)
            left = f"{100 * math.sqrt(excess):.1f} points" if excess > 0 else "none"
            games = math.sqrt(sum(variance for _, variance, _ in found) / len(found))
            largest = max(found, key=lambda of: abs(of[0]))
            print(
                f"{path}: agent {agent}: {len(found)} pairs, chi-squared {chi:.1f}, standard error of a difference "
                f"{100 * games:.1f} points, true standard deviation {left}, largest {100 * largest[0]:+.1f} ({largest[2]})"
            )


if __name__ == "__main__":
    main()
