"""How often runs chose each first move of Chase, by generation: python3 choices.py OUT.csv RUN …

From the games on disk that began in the initial position, without random plies. The share is that of the search's visits, mean over
games, in runs of the first family, and that of games in runs of the second, whose searches count no visits. Needs polars.
"""

import pathlib
import sys

import polars as pl
from values import first_moves

MOVES = first_moves()


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
        searched = first.filter(pl.col("visits").list.len() > 0)
        shares = searched.with_columns(share=pl.col("visits").list.eval(pl.element() / pl.element().sum()))
        shares = shares.select("generation", pl.col("share"), pl.lit(list(MOVES)).alias("move")).explode("share", "move")
        shares = shares.group_by("generation", "move").agg(pl.col("share").mean())
        family = "tree-search"
    else:
        counted = first.group_by("generation", pl.col("action").alias("move")).len()
        shares = counted.join(games, on="generation").with_columns(share=pl.col("len") / pl.col("games"))
        shares = shares.select("generation", "move", "share")
        family = "nnue"
    shares = shares.with_columns(pl.col("move").replace(MOVES)).group_by("generation", "move").agg(pl.col("share").sum())
    shares = shares.join(games, on="generation").with_columns(run=pl.lit(run.name), family=pl.lit(family))
    return shares.select("run", "family", "generation", "move", "share", "games", "decided", "score")


if __name__ == "__main__":
    found = pl.concat(choices(pathlib.Path(run)) for run in sys.argv[2:])
    found.sort("run", "generation", "move").write_csv(sys.argv[1], float_precision=6)
