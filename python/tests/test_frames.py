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


def test_a_report_that_the_program_writes_now_is_read(program, tmp_path):
    (tmp_path / "t.toml").write_text('players = ["random", "greedy"]\nanchor = "random"\npairs = 2\n')
    program("tournament", tmp_path / "t.toml", "--run-dir", tmp_path / "run", "-q")
    players = frames.players(tmp_path / "run/report.json")
    anchor = players.row(by_predicate=pl.col("name") == "random", named=True)
    assert anchor["bootstrap_low"] is None and anchor["wins"] + anchor["losses"] + anchor["draws"] + anchor["truncated"] == 4
    games = frames.games(tmp_path / "run/games.jsonl")
    assert len(games) == 4
    # A table without rows has the columns that such a table begins with.
    for frame, without in ((games, frames.games), (frames.plies(games), lambda file: frames.plies(frames.games(file)))):
        (tmp_path / "none.jsonl").write_text("")
        empty = without(tmp_path / "none.jsonl")
        assert len(empty) == 0 and set(empty.columns) <= set(frame.columns)
        assert all(empty.schema[name] == frame.schema[name] for name in empty.columns)


def test_a_file_that_is_being_written_is_read_up_to_its_last_whole_line(tmp_path):
    file = tmp_path / "metrics.jsonl"
    file.write_text('\ufeff{"part": "learner", "step": 1}\n{"part": "lear', encoding="utf-8")
    assert frames.metrics(file).rows() == [("learner", 1)]
    file.write_text("")
    assert frames.metrics(file).columns == ["part", "generation", "step", "time"]


def test_a_line_that_is_none_is_named(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(ValueError, match=r"games.jsonl:2: no line of JSON"):
        frames.games(file)
