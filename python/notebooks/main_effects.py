"""Recomputes the main effects of studies 0036 and 0039 from their games and forks, and compares them with study.json.

Values and sample sizes are computed here and must agree. Intervals are read from study.json: the method of those that
hold at any time is the program's (`6-recompute-a-study.ipynb` has standard errors, and Student's intervals of forks).
Not here: B11, C5 and C6, which need positions, and findings by searches. Run it with polars and numpy.
"""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl

STUDIES = ["0036-first-family", "0039-five-and-five"]
SAFE = ["one-step", "wrap-bump", "duck-3", "two-to-chamber"]
SCORE = pl.col("white_score")
ENTERS = (pl.col("first_chamber_player") == "white") & (pl.col("first_chamber_ply") <= 20)
AGGRESSION = [pl.col("white_early_threats"), pl.col("black_early_losses"), ENTERS.fill_null(False)]
FORKS = [
    ("C1", "entering first costs, against the control", "over_control", ["first-entry"]),
    ("C2", "a die more pays, against the control", "over_control", ["gaining-entry"]),
    ("C3", "small takes large pays, against the control", "over_control", ["small-takes-large"]),
    ("C3", "large takes small does not pay, against the control", "over_control", ["large-takes-small"]),
    ("C3", "small takes large pays more than large takes small", "over_control", ["small-takes-large", "large-takes-small"]),
    ("C4", "making pairs of 3s and 4s against breaking them", "difference", ["clumping"]),
]


class Study:
    def __init__(self, folder):
        self.claims = {claim["id"]: claim["findings"] for claim in json.loads((folder / "study.json").read_text())["claims"]}
        design = json.loads((folder / "design.json").read_text())
        self.agents, self.config = range(len(design["config"]["players"])), design["config"]
        self.own_replies = [player["replies"] for player in design["players"]]
        self.games = pl.read_parquet(folder / "games.parquet").sort("series", "block")
        self.forks = pl.read_parquet(folder / "forks.parquet")
        classes = self.games.filter(pl.col("series").str.contains("^0/first/")).select("opening", "opening_class").unique()
        self.classes = dict(classes.iter_rows())

    def firsts(self, agent, classes):
        return [f"{agent}/first/{move}" for move, name in self.classes.items() if name in classes]

    def blocks(self, measure, plus, minus=lambda agent: []):
        """One number for each block: the mean over agents of the mean over some series, minus that over others."""
        table = self.games.with_columns(measure.cast(float).alias("number")).group_by("series").agg("number")
        numbers = {series: np.array(of, float) for series, of in table.iter_rows()}
        sides = [[[numbers[name] for name in side(agent)] for side in (plus, minus)] for agent in self.agents]
        count = min(len(series) for both in sides for side in both for series in side)

        def mean(side):
            return np.nanmean([series[:count] for series in side], axis=0) if side else 0

        of_agents = np.array([mean(plus) - mean(minus) for plus, minus in sides])
        of_blocks = np.nanmean(of_agents, axis=0)
        return of_blocks[~np.isnan(of_blocks)]

    def first_player(self, agent):
        """Blocks of A1: free games, and games after first moves as often as the agent chooses these."""
        series = {name: rows for (name,), rows in self.games.group_by("series", maintain_order=True)}
        free, size = series[f"{agent}/free"], self.config["initial_factor"]
        # Two actions of one result are one first move.
        names = free["line"].str.split(" ").list.first().replace({"A9E": "A1E", "A9W": "A1W"})
        parts = [(count / len(free), series[f"{agent}/first/{name}"]["white_score"]) for name, count in names.value_counts().iter_rows()]
        worth = size + 1 / sum(share**2 for share, _ in parts)
        blocks = free["white_score"].to_numpy().reshape(-1, size).mean(axis=1)
        for block in range(min(len(scores) for _, scores in parts)):
            forced = sum(share * scores[block] for share, scores in parts)
            blocks[block] = (1 - size / worth) * forced + size / worth * blocks[block]
        return blocks

    def fork_effect(self, column, kinds):
        rows = self.forks.filter(pl.col("kind").is_in(kinds), pl.col(column).is_not_null())
        means = rows.group_by("agent", "kind").agg(pl.col(column).mean()).group_by("kind").agg(pl.col(column).mean())
        means = dict(means.iter_rows())
        return means[kinds[0]] - sum(means[kind] for kind in kinds[1:]), len(rows)

    def effects(self):
        """Claim, part, recomputed value and n, and the published value, n and interval."""
        findings = [f for of in self.claims.values() for f in of if f["role"] == "deciding" and f["basis"] == "empirical"]
        for finding in findings:
            claim, part, evidence, effect = (finding[key] for key in ("claim", "part", "evidence", "effect"))
            published = effect and (effect["value"], finding["n"], effect["interval"])
            if claim == "A1":
                these = evidence["these_agents"]
                blocks = np.mean([self.first_player(agent) for agent in self.agents], axis=0)
                yield claim, part, blocks.mean(), len(blocks), these["value"], finding["n"], these["interval"]
            elif claim in ("B4", "B5"):
                pair = (["exchange"], SAFE)
                sides = [lambda agent, names=names: self.firsts(agent, names) for names in pair]
                if claim == "B5":
                    sides = [lambda agent, move=move: [f"{agent}/first/{move}"] for move in ("1A6A7", "1A8A7")]
                for measure, of in zip(AGGRESSION, evidence["measures"]):
                    blocks, of_measure = self.blocks(measure, *sides), of["estimate"]
                    yield claim, of["measure"], blocks.mean(), len(blocks), of_measure["mean"], of_measure["n"], of_measure["interval"]
            elif part == "worse than the rest":
                sides = [lambda agent, ids=ids: [name for name in ids if name.startswith(f"{agent}/")] for ids in (evidence["series"], evidence["against"])]
                blocks = self.blocks(SCORE, *sides)
                yield claim, part, blocks.mean(), len(blocks), *published
            elif claim == "D1":
                blocks = self.blocks(pl.col("outcome") != "draw", lambda agent: [f"{agent}/free"])
                yield claim, part, blocks.mean(), len(blocks), *published
        for claim, part, column, kinds in FORKS:
            finding = next(f for f in self.claims[claim] if f["part"] == part)
            yield claim, part, *self.fork_effect(column, kinds), finding["effect"]["value"], finding["n"], finding["effect"]["interval"]


folder = Path(__file__).resolve().parents[2] / "experiments/studies"
for name in STUDIES:
    rows = list(Study(folder / name).effects())
    for claim, part, value, n, published, published_n, interval in rows:
        print(f"{name[:4]} {claim:4}{value:9.4f} [{interval['low']:.4f}, {interval['high']:.4f}]{n:6}  {part[:70]}")
        assert math.isclose(value, published, rel_tol=1e-9, abs_tol=1e-12), (claim, part, value, published)
        assert n == published_n, (claim, part, n, published_n)
    print(f"{name}: {len(rows)} values and sample sizes are those of study.json")
