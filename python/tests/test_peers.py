"""The tools that people use read what the program of this checkout writes."""

import duckdb
import pandas
import polars
import pyarrow.parquet
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

STUDY = """
seed = 3
[games]
players = ["nnue:nnue-57,nodes=60,temperature=0.2,temperature-plies=20"]
first_round = 2
most = 2
initial_factor = 2
[forks]
positions = 2
[search]
budgets = []
"""
TRAINING = """
limits.generations=2 limits.minutes=0 selfplay.games=4 selfplay.group_games=4 selfplay.in_flight=4 selfplay.heuristic_generations=1
selfplay.heuristic_nodes=20 rules.max_turns=30 search.simulations=2 search.considered_actions=2 measurement.every=1 measurement.games=2
measurement.group_games=2 measurement.simulations=2 evaluation.every=0 learner.batch=16 threads=1
""".split()
BOOK = """
--scout nnue-57,nodes=1 --judge nnue-57,nodes=4 --challenger nnue-57,nodes=3 --set plies=2 --set candidates=2 --set width=1
--set contest.moves=2 --set contest.most=1 --set contest.first_round=1 --set contest.player=nnue-57,nodes=1,temperature=1,temperature-plies=9
""".split()


@pytest.fixture(scope="session")
def results(program, tmp_path_factory):
    """A small training, study and book, in folders of one folder."""
    home = tmp_path_factory.mktemp("results")
    (home / "quick.toml").write_text('game = "chase"\n')
    (home / "study.toml").write_text(STUDY)
    settings = [word for setting in TRAINING for word in ("--set", setting)]
    program("train", home / "quick.toml", *settings, "--run-dir", home / "training", "-q")
    program("study", home / "study.toml", "--run-dir", home / "study", "-q")
    program("book", *BOOK, "--run-dir", home / "book", "-q")
    return home


TABLES = {
    "training/games/gen-*/selfplay-*.parquet",
    "training/games/gen-*/measurement-*.parquet",
    "study/games.parquet",
    "study/plies.parquet",
    "study/forks.parquet",
    "book/book.parquet",
}


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_table_is_the_same_to_polars_duckdb_pyarrow_and_pandas(results, table):
    files = sorted(results.glob(table))
    assert files, table
    for file in files:
        arrow = pyarrow.parquet.read_table(file)
        assert arrow.num_rows > 0
        frame = polars.read_parquet(file)
        assert frame.columns == arrow.column_names and len(frame) == arrow.num_rows
        assert polars.DataFrame(polars.from_arrow(arrow)).equals(frame)
        assert list(pandas.read_parquet(file).columns) == arrow.column_names
        asked = duckdb.sql(f"select * from '{file}'")
        assert asked.columns == arrow.column_names
        assert polars.DataFrame(asked.pl()).equals(frame)


def test_all_kinds_of_tables_are_tried(results):
    found = set(results.rglob("*.parquet"))
    assert found == {file for table in TABLES for file in results.glob(table)}


def test_tensorboard_reads_a_resumed_run(program, results):
    def steps():
        loaded = EventAccumulator(str(results / "training/tb/learner"))
        loaded.Reload()
        return [event.step for event in loaded.Scalars("loss/policy")]

    before = steps()
    program("train", "--resume", results / "training", "--set", "limits.generations=3", "-q")
    after = steps()
    assert after[: len(before)] == before and after == sorted(set(after)) and len(after) > len(before) > 0
