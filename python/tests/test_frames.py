"""Files of the program come back as frames."""

import chase_rl
import duckdb
import polars as pl
import pytest
from chase_rl import frames
from conftest import REPOSITORY

STUDIES = REPOSITORY / "experiments/studies"


def test_games_of_a_tournament_are_rows_and_can_be_replayed():
    games = frames.games(STUDIES / "0010-agent-41/games.jsonl.gz")
    assert len(games) == 1456
    assert set(games["outcome"].unique()) <= {"white", "black", "draw", "truncated"}
    plies = frames.plies(games.head(5))
    assert len(plies) == games["plies"].head(5).sum()
    for row in games.head(5).iter_rows(named=True):
        state = frames.replay(row["actions"])
        assert state.outcome() == row["outcome"] and state.move_number() == row["plies"]
    first = plies.row(0, named=True)
    assert first["position"] == chase_rl.load_game("chase").new_initial_state().position() and first["player"] == 0
    [(count,)] = duckdb.sql("select count(*) from plies where player = 1").fetchall()
    assert count == (plies["player"] == 1).sum() > 0


def test_games_that_begin_at_random_are_replayed_from_where_they_began():
    game = chase_rl.load_game("stax-num")
    state = game.new_initial_state(seed=3)
    start, action = state.position(), state.legal_actions()[0]
    games = pl.DataFrame({"start": [start, None], "actions": [[state.action_to_string(action)], []]})
    plies = frames.plies(games, game)
    assert plies["position"].to_list() == [start]
    assert frames.replay(games["actions"][0], game, start) == state.child(action)


def test_players_are_those_of_the_report():
    players = frames.players(STUDIES / "0010-agent-41/report.json")
    games = frames.games(STUDIES / "0010-agent-41/games.jsonl.gz")
    row = players.row(0, named=True)
    ours = games.filter((pl.col("white") == row["name"]) | (pl.col("black") == row["name"]))
    colour = pl.when(pl.col("white") == row["name"]).then(pl.lit("white")).otherwise(pl.lit("black"))
    assert len(ours.filter(pl.col("outcome") == colour)) == row["wins"]
    assert row["wins"] + row["draws"] + row["losses"] + row["truncated"] == len(ours)


def test_metrics_are_numbers_by_step():
    metrics = frames.metrics(STUDIES / "0010-agent-41/metrics.jsonl.gz")
    learner = metrics.filter(pl.col("part") == "learner")
    assert learner["step"].is_sorted() and learner["loss/policy"].null_count() == 0


def test_findings_of_a_study_have_their_intervals():
    findings = frames.findings(STUDIES / "0015-opening-study/study.json")
    assert findings["claim"].n_unique() == 24
    first = findings.row(by_predicate=(pl.col("claim") == "A1") & (pl.col("role") == "deciding"), named=True)
    assert first["low"] < first["effect"] < first["high"] and first["unit"] == "score"
    games = pl.read_parquet(STUDIES / "0015-opening-study/games.parquet")
    assert len(games) == 43280


def test_a_line_that_is_none_is_named(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(ValueError, match=r"games.jsonl:2: no line of JSON"):
        frames.games(file)
