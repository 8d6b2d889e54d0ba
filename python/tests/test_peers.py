"""TensorBoard reads what the program of this checkout writes."""

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

TRAINING = """
limits.generations=2 limits.minutes=0 selfplay.games=4 selfplay.group_games=4 selfplay.in_flight=4 selfplay.heuristic_generations=1
selfplay.heuristic_nodes=20 rules.max_turns=30 search.simulations=2 search.considered_actions=2 measurement.every=1 measurement.games=2
measurement.group_games=2 measurement.simulations=2 evaluation.every=0 learner.batch=16 threads=1
""".split()


def test_tensorboard_reads_a_resumed_run(program, tmp_path):
    def steps():
        loaded = EventAccumulator(str(tmp_path / "run/tb/learner"))
        loaded.Reload()
        return [event.step for event in loaded.Scalars("loss/policy")]

    (tmp_path / "quick.toml").write_text('game = "chase"\n')
    settings = [word for setting in TRAINING for word in ("--set", setting)]
    program("train", tmp_path / "quick.toml", *settings, "--run-dir", tmp_path / "run", "-q")
    before = steps()
    program("train", "--resume", tmp_path / "run", "--set", "limits.generations=3", "-q")
    after = steps()
    assert after[: len(before)] == before and after == sorted(set(after)) and len(after) > len(before) > 0
