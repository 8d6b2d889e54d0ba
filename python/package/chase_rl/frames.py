"""Files of this project as polars data frames: ``pip install './python[frames]'`` in a clone.

===============================  ===========================================================================================
what                             how
===============================  ===========================================================================================
games of a match or tournament   ``frames.games("…/games.jsonl.gz")``
the plies of games               ``frames.plies(frames.games(…))``
metrics of a training            ``frames.metrics("runs/quick-1/metrics.jsonl")``
players of a tournament          ``frames.players("…/report.json")``
claims and findings of a study   ``frames.findings("…/study.json")``
games and plies of a study       ``polars.read_parquet("…/games.parquet")``; in DuckDB ``select … from '…/games.parquet'``
samples of a training            ``polars.read_parquet("runs/quick-1/games/**/*.parquet")``
===============================  ===========================================================================================

``frame.to_pandas()`` makes a data frame of pandas of any; ``duckdb.sql("select … from frame")`` asks it in SQL.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

try:
    import polars as pl
except ImportError as error:
    raise ImportError("chase_rl.frames needs polars: pip install './python[frames]' in a clone") from error

from chase_rl._native import Game, State, load_game

Source = str | os.PathLike[str]


def _lines(file: Source) -> Iterable[dict[str, Any]]:
    """The whole lines of a file. The last one may be being written: without its end it is left out."""
    path = Path(file)
    # "utf-8-sig" also reads a file that begins with the mark that editors of Windows write.
    opened = gzip.open(path, "rt", encoding="utf-8-sig") if path.suffix == ".gz" else open(path, encoding="utf-8-sig")
    with opened as text:
        for number, line in enumerate(text, 1):
            if not line.endswith("\n"):
                break
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path}:{number}: no line of JSON: {error}") from None


def _frame(rows: list[dict[str, Any]], **columns: pl.DataType | type[pl.DataType]) -> pl.DataFrame:
    """A frame of these rows. Without rows it has these columns, so that what is asked of a longer one can be asked of it."""
    return pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(schema=columns)


def games(file: Source) -> pl.DataFrame:
    """The games of a match or a tournament: ``games.jsonl``, as it is or gzipped. A row for each game."""
    rows = [{"game": number, **line} for number, line in enumerate(_lines(file))]
    texts = pl.List(pl.String)
    return _frame(rows, game=pl.Int64, white=pl.String, black=pl.String, outcome=pl.String, actions=texts)


def replay(actions: Iterable[str], game: Game | None = None, position: str | None = None) -> State:
    """The state after these actions, as texts; of Chase if no game is given."""
    state = (game or load_game("chase")).new_initial_state(position)
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def plies(games: pl.DataFrame, game: Game | None = None) -> pl.DataFrame:
    """A row for each ply of games that have a column ``actions``: who moved, what, and the position before it."""
    rows = []
    # Games that begin at random say where.
    starts = games["start"] if "start" in games.columns else [None] * len(games)
    for number, (actions, start) in enumerate(zip(games["actions"], starts, strict=True)):
        state = (game or load_game("chase")).new_initial_state(start)
        for ply, action in enumerate(actions):
            player = state.current_player()
            rows.append({"game": number, "ply": ply, "player": player, "action": action, "position": state.position()})
            state.apply_action(state.string_to_action(action))
    return _frame(rows, game=pl.Int64, ply=pl.Int64, player=pl.Int64, action=pl.String, position=pl.String)


def metrics(file: Source) -> pl.DataFrame:
    """The metrics of a training, a row for each event; a column is null where an event lacks it."""
    return _frame(list(_lines(file)), part=pl.String, generation=pl.Int64, step=pl.Int64, time=pl.Float64)


def players(file: Source) -> pl.DataFrame:
    """The players of a tournament's ``report.json``: games won, drawn and lost, and ratings in Elo.

    Null is what a player lacks: the anchor has no interval, and a player who took no point has bounds only.
    """
    report = json.loads(Path(file).read_text(encoding="utf-8-sig"))
    rows = []
    for player in report["players"]:
        rating = player["rating"]
        row = {"name": player["name"], "player": player["player"], **player["games"], **rating}
        bootstrap = player["bootstrap"] or {}
        row |= {f"bootstrap_{end}": bootstrap.get(end) for end in ("low", "high")}
        rows.append({name: value for name, value in row.items() if not isinstance(value, dict)})
    return pl.DataFrame(rows, infer_schema_length=None)


def findings(file: Source) -> pl.DataFrame:
    """The findings of a study's ``study.json``, a row for each, with the statement and the verdict of its claim."""
    study = json.loads(Path(file).read_text(encoding="utf-8-sig"))
    rows = []
    for claim in study["claims"]:
        for finding in claim["findings"]:
            effect = finding.get("effect") or {}
            interval = effect.get("interval") or {}
            rows.append(
                {
                    "claim": claim["id"],
                    "statement": claim["statement"],
                    "claim_verdict": claim["verdict"],
                    "part": finding["part"],
                    "basis": finding["basis"],
                    "role": finding["role"],
                    "verdict": finding["verdict"],
                    "effect": effect.get("value"),
                    "unit": effect.get("unit"),
                    "low": interval.get("low"),
                    "high": interval.get("high"),
                    "n": finding.get("n"),
                    "summary": finding["summary"],
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)
