"""Counts of dice late in the games of studies 0036 and 0039, for claim C5: writes late-dice.csv.gz.

python3 late_dice.py PROGRAM, where PROGRAM is the example `late_dice` of chase-opening-study, built by
cargo build --release -p chase-opening-study --example late_dice. Games are those of the studies' own findings.
"""

import gzip
import subprocess
import sys

import polars as pl

from effects import HERE, study_folder

lines = []
for name in ("0036-first-family", "0039-five-and-five"):
    folder = study_folder(name)
    agent = pl.col("series").str.split("/").list.first().cast(int)
    games = pl.read_parquet(folder / "games.parquet").select("game", "series", "block", agent.alias("agent"))
    games = games.filter((pl.col("agent") < 5) & (pl.col("block") < 128) & ~pl.col("series").str.contains("convention"))
    moves = pl.read_parquet(folder / "moves.parquet").sort("game", "ply").group_by("game", maintain_order=True).agg("action")
    rows = games.join(moves, on="game")
    text = "\n".join(f"{agent} {block} {' '.join(actions)}" for agent, block, actions in rows.select("agent", "block", "action").iter_rows())
    found = subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    lines += ([] if lines else [f"study,{found[0]}"]) + [f"{name[:4]},{line}" for line in found[1:]]
with open(HERE / "late-dice.csv.gz", "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
    packed.write(("\n".join(lines) + "\n").encode())
