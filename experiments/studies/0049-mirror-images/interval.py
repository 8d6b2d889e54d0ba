"""The standard deviation of true differences between first moves and their mirror images, with its interval.

python3 interval.py games.parquet …: reads games as ../0033-second-family/mirror.py does. Needs pyarrow and scipy.
`python3 interval.py --simulate` shows that the interval holds the truth in 95 of 100 worlds.
"""

import pathlib
import random
import sys

from scipy.optimize import brentq
from scipy.stats import chi2

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "0033-second-family"))
import mirror


def interval(found):
    """The ends of the interval of τ, for differences with the variances of their games."""

    def excess(tau, quantile):
        return sum(d * d / (variance + tau * tau) for d, variance in found) - chi2.ppf(quantile, len(found))

    def end(quantile):
        return brentq(excess, 0, 1, (quantile,)) if excess(0, quantile) > 0 else 0.0

    return end(0.975), end(0.025)


def simulate():
    generator, sigma = random.Random(49), 0.043
    for tau in (0, 0.03, 0.06, 0.1):
        worlds = [[(generator.gauss(0, (sigma**2 + tau**2) ** 0.5), sigma**2) for _ in range(22)] for _ in range(1000)]
        ends = [interval(world) for world in worlds]
        held = sum(low <= tau <= high for low, high in ends) / len(ends)
        missed, met = (sum(test(end) for end in ends) / len(ends) for test in (lambda end: end[0] > 0.03, lambda end: end[1] <= 0.03))
        print(f"true {100 * tau:.0f} points: held in {held:.1%}; target missed in {missed:.1%}, met in {met:.1%}")


def main():
    if sys.argv[1:] == ["--simulate"]:
        return simulate()
    for path in sys.argv[1:]:
        agents = {}
        for agent, _, mean, variance in mirror.differences(path):
            agents.setdefault(agent, []).append((mean, variance))
        for agent, found in agents.items():
            low, high = interval(found)
            print(f"{path}: agent {agent}: true standard deviation {100 * low:.1f} to {100 * high:.1f} points, {len(found)} pairs")


if __name__ == "__main__":
    main()
