"""How many games and agents a study needs: the share of studies with the right verdict, by simulation.

python3 power.py EFFECT ERROR TAU, in points: how far the truth lies from the threshold, the standard error of an agent's
number by its games, and the standard deviation between agents. In studies 0036 and 0039 an agent's error was 0.7 to 1.3
points for A1, 2.4 for a class of first moves (B7, 128 games of each), 3.2 for one pair of first moves, and 4 to 5 for
154 forks; deviations between agents were 0 to 3 points for scores. Needs numpy.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments/studies/0062-verdicts-again"))
from effects import random_effects

STUDIES = 1000


def power(effect, error, tau, agents, level=0.975):
    """Shares of studies with the right verdict, and with a wrong one where the truth lies on the threshold."""
    rng = np.random.default_rng(1)

    def verdicts(truth):
        for _ in range(STUDIES):
            values = truth + tau * rng.standard_normal(agents) + error * rng.standard_normal(agents)
            _, (low, high), _, _ = random_effects(values, np.full(agents, error), level)
            yield int(low > 0) - int(high < 0)

    right = np.mean([verdict == 1 for verdict in verdicts(abs(effect))])
    wrong = np.mean([verdict != 0 for verdict in verdicts(0.0)])
    return right, wrong


if __name__ == "__main__":
    effect, error, tau = (float(text) for text in sys.argv[1:4])
    print("agents  games   right verdict   a verdict on the threshold")
    for agents in (3, 5, 8):
        for times in (1, 4, 16):
            right, wrong = power(effect, error / times**0.5, tau, agents)
            print(f"{agents:6}  x{times:<5} {100 * right:8.1f} %  {100 * wrong:12.1f} %")
