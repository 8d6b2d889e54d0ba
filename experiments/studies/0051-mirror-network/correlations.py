"""Correlations of the differences between mirror images, of the agents of the first file with all others:
python3 correlations.py games.parquet games.parquet …. Needs pyarrow and scipy.
"""

import pathlib
import sys

from scipy.stats import pearsonr

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "0033-second-family"))
import mirror

agents = {}
for path in sys.argv[1:]:
    for agent, action, mean, _ in mirror.differences(path):
        agents.setdefault((path, agent), {})[action] = mean
(first, own), *others = agents.items()
for name, found in others:
    pairs = sorted(own.keys() & found.keys())
    correlation, p = pearsonr([own[pair] for pair in pairs], [found[pair] for pair in pairs])
    print(f"{first[0]} and {name[0]}, agent {name[1]}: {correlation:.2f} (p = {p:.3f}, {len(pairs)} pairs)")
