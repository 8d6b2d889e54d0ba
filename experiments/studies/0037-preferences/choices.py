"""How often runs chose each first move of Chase, by generation: python3 choices.py OUT.csv RUN …

From the games on disk that began in the initial position, without random plies. The share is that of the search's visits, mean over
games, in runs of the first family, and that of games in runs of the second, whose searches count no visits. Needs polars.
"""

import json
import pathlib
import subprocess
import sys

import polars as pl

# Two actions that lead to the same position.
SAME = {"A9E": "A1E", "A9W": "A1W"}


def choices(run):
    first = pl.scan_parquet(run / "games/gen-*/selfplay-*.parquet").filter(
        pl.col("ply") == 0, pl.col("random_plies") == 0
    )
    first = first.select("generation", "action", "outcome", "visits").collect()
    score = pl.col("outcome").replace_strict({"white": 1.0, "draw": 0.5, "black": 0.0}, default=None).alias("score")
    first = first.with_columns(score)
    games = first.group_by("generation").agg(
        pl.len().alias("games"), pl.col("score").count().alias("decided"), pl.col("score").mean()
    )
    if first["visits"].list.len().max():
        actions = legal()
        searched = first.filter(pl.col("visits").list.len() > 0)
        shares = searched.with_columns(share=pl.col("visits").list.eval(pl.element() / pl.element().sum()))
        shares = shares.select("generation", pl.col("share"), pl.lit(actions).alias("move")).explode("share", "move")
        shares = shares.group_by("generation", "move").agg(pl.col("share").mean())
        family = "tree-search"
    else:
        counted = first.group_by("generation", pl.col("action").alias("move")).len()
        shares = counted.join(games, on="generation").with_columns(share=pl.col("len") / pl.col("games"))
        shares = shares.select("generation", "move", "share")
        family = "nnue"
    shares = shares.with_columns(pl.col("move").replace(SAME)).group_by("generation", "move").agg(pl.col("share").sum())
    shares = shares.join(games, on="generation").with_columns(run=pl.lit(run.name), family=pl.lit(family))
    return shares.select("run", "family", "generation", "move", "share", "games", "decided", "score")


def legal():
    """The actions in the initial position, in the order of lists in the tables of games."""
    position = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w"
    listed = subprocess.run(["chase", "moves", position], check=True, capture_output=True, text=True).stdout
    return [action["action"] for action in json.loads(listed)["actions"]]


if __name__ == "__main__":
    found = pl.concat(choices(pathlib.Path(run)) for run in sys.argv[2:])
    found.sort("run", "generation", "move").write_csv(sys.argv[1], float_precision=6)
