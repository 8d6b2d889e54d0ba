"""Figures and tables of study 0037 from choices.csv.gz and values.csv.gz: python3 curves.py. Needs polars, numpy and matplotlib."""

import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np
import polars as pl

sys.path.append(str(pathlib.Path(__file__).parent.parent / "0033-second-family"))
from mirror import mirror  # noqa: E402


def pair(move):
    return " / ".join(sorted([move, mirror(move)]))


def ranks(numbers):
    """Ranks from 0, equal numbers sharing the mean of theirs."""
    numbers = np.asarray(numbers)
    below = (numbers[:, None] > numbers[None, :]).sum(axis=1)
    equal = (numbers[:, None] == numbers[None, :]).sum(axis=1)
    return below + (equal - 1) / 2


def correlation(one, other):
    """Spearman's rank correlation."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


choices = pl.read_csv("choices.csv.gz").with_columns(pair=pl.col("move").map_elements(pair, return_dtype=pl.String))
values = pl.read_csv("values.csv.gz").sort("run", "generation", "move")
first_family = choices.filter(pl.col("family") == "tree-search")
runs = sorted(first_family["run"].unique())

# Shares of visits, mirror images together.
shares = first_family.group_by("run", "generation", "pair").agg(pl.col("share").sum())
shown = shares.group_by("pair").agg(pl.col("share").mean()).sort("share", descending=True)["pair"].to_list()[:6]
fig, panels = plt.subplots(1, len(runs), figsize=(2.6 * len(runs), 3.2), sharey=True)
styles = ["-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1))]
for panel, run in zip(np.atleast_1d(panels), runs):
    for name, style in zip(shown, styles):
        line = shares.filter(pl.col("run") == run, pl.col("pair") == name).sort("generation")
        panel.plot(line["generation"], 100 * line["share"], linestyle=style, label=name)
    panel.set_title(run.replace("r", "agent-"))
    panel.set_xlabel("generation")
np.atleast_1d(panels)[0].set_ylabel("% of visits in the initial position")
fig.legend(*np.atleast_1d(panels)[0].get_legend_handles_labels(), loc="upper center", ncols=6, frameon=False)
fig.tight_layout(rect=(0, 0, 1, 0.9))
fig.savefig("preferences.svg", metadata={"Date": None})

# Values: by run and generation, one number for each move, in the same order.
by_run = {}
for (run, generation), rows in values.group_by("run", "generation", maintain_order=True):
    by_run.setdefault(run, {})[generation] = rows["score"].to_numpy()
moves = values.filter(pl.col("run") == runs[0], pl.col("generation") == 0)["move"].to_list()
place = {move: index for index, move in enumerate(moves)}
mirrored = np.array([place[mirror(move)] for move in moves])

print("generation | agreement of the runs | with their last network | mirror images, mean difference in points | best minus worst")
generations = sorted(set.intersection(*(set(by_run[run]) for run in runs)))
agreement, own = [], []
for generation in generations:
    now = [by_run[run][generation] for run in runs]
    last = [by_run[run][max(by_run[run])] for run in runs]
    pairs = [correlation(a, b) for index, a in enumerate(now) for b in now[index + 1 :]]
    agreement.append(np.mean(pairs) if pairs else np.nan)
    own.append(np.mean([correlation(a, b) for a, b in zip(now, last)]))
    apart = np.mean([np.abs(v - v[mirrored]).mean() for v in now])
    spread = np.mean([v.max() - v.min() for v in now])
    print(f"{generation:10} | {agreement[-1]:.2f} | {own[-1]:.2f} | {apart:.1f} | {spread:.0f}")
fig, axes = plt.subplots(figsize=(6, 3))
axes.plot(generations, agreement, marker="o", label="between agents")
axes.plot(generations, own, marker="s", linestyle="--", label="with the agent's own last network")
axes.axvline(12.5, color="#999999", linewidth=1)
axes.set_xlabel("generation (up to 12: games of the heuristic)")
axes.set_ylabel("rank correlation of 44 values")
axes.set_ylim(-0.1, 1.05)
axes.legend(frameon=False)
fig.tight_layout()
fig.savefig("agreement.svg", metadata={"Date": None})

print("\nlast networks: rank correlation of the values of 44 first moves")
everyone = sorted(by_run)
last = {run: by_run[run][max(by_run[run])] for run in everyone}
print("      " + " ".join(f"{run:>5}" for run in everyone))
for run in everyone:
    print(f"{run:5} " + " ".join(f"{correlation(last[run], last[other]):5.2f}" for other in everyone))

print("\nlast networks: difference between a first move and its mirror image in points, mean and largest; best minus worst")
for run in everyone:
    apart = np.abs(last[run] - last[run][mirrored])
    largest = int(apart.argmax())
    print(f"{run:5} {apart.mean():.1f} {apart.max():.1f} ({pair(moves[largest])}), {np.ptp(last[run]):.0f}")

print("\nlast networks: mean value of the best and the worst pairs, by family")
families = {"first": runs, "second": [run for run in everyone if run not in runs]}
for family, members in families.items():
    if not members:
        continue
    mean = np.mean([last[run] for run in members], axis=0)
    both = (mean + mean[mirrored]) / 2
    order = np.argsort(-both)
    names = []
    for index in order:
        if (name := f"{pair(moves[index])} {both[index]:.1f}") not in names:
            names.append(name)
    print(family, "best:", ", ".join(names[:5]), "| worst:", ", ".join(names[-5:]))

print("\nmost searched pair in the last five generations, and White's score in games from the initial position")
for run in runs:
    own_shares = shares.filter(pl.col("run") == run)
    own_shares = own_shares.filter(pl.col("generation") > pl.col("generation").max() - 5)
    best = own_shares.group_by("pair").agg(pl.col("share").mean()).sort("share", descending=True).head(3)
    games = choices.filter(pl.col("run") == run).unique("generation").sort("generation")
    late = games.filter(pl.col("generation") > pl.col("generation").max() - 20)
    score = (late["score"] * late["decided"]).sum() / late["decided"].sum()
    print(run, [(name, round(100 * share, 1)) for name, share in best.iter_rows()], f"{100 * score:.1f} % of {late['decided'].sum()}")

print("\nfavourite of each generation, second family")
second = choices.filter(pl.col("family") == "nnue")
for run in sorted(second["run"].unique()):
    top = second.filter(pl.col("run") == run).sort("generation", "share", descending=[False, True])
    top = top.group_by("generation", maintain_order=True).first()
    print(run, " ".join(f"{move}" for move in top["move"]))
