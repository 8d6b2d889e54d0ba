"""CPU seconds of a learner and a server for units that are answered at once, with the games of a run that was played before.

usage: load.py CHASE TESTS NATS_SERVER CONFIG UNITS...

TESTS is the program of the tests of `training/cluster`, whose `load::child` answers from a folder. Prints a line of JSON for each number of
units; the difference between two is free of what each process costs to start.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PORT = 14433
GROUP = 64
WORKERS = 2


def start(*command, **environment):
    environment = {**os.environ, **environment}
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def seconds(process):
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended(process):
    """CPU seconds of a process, at its end."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def traffic():
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT + 1}/varz") as answer:
        found = json.load(answer)
    return {name: found[name] for name in ("in_msgs", "in_bytes", "out_msgs", "out_bytes")}


def train(chase, config, units, folder, *more):
    settings = [f"selfplay.games={GROUP * units}", f"selfplay.group_games={GROUP}", f"selfplay.in_flight={GROUP}",
                "network.blocks=1", "network.channels=8", "network.pooling=1", "search.simulations=2",
                "search.fast_simulations=1", "selfplay.heuristic_generations=0", "replay.window_rows=1000",
                "replay.reuse=0.01", "limits.generations=1", "limits.minutes=0", "measurement.every=0",
                "evaluation.every=0", "precision=f32"]
    words = [word for setting in settings for word in ("--set", setting)]
    process = start(chase, "train", config, "--threads", "1", "--quiet", "--run-dir", str(folder), *words, *more)
    used = ended(process)
    if process.returncode:
        sys.exit(f"a run ends with {process.returncode}")
    return used


def shards(run):
    return sorted((run / "games").rglob("*.parquet"))


def record(run, folder):
    """Writes what a worker answers for each group of games: the length of the finished games, these, and the unfinished ones."""
    for shard in shards(run):
        number = shard.name.split("-")[1]
        [unfinished] = shard.parent.glob(f"selfplay-{number}-*.unfinished")
        finished = shard.read_bytes()
        answer = len(finished).to_bytes(8, "little") + finished + unfinished.read_bytes()
        (folder / f"generation-1,-selfplay-group-{int(number)}-by-gen-000000").write_bytes(answer)


def again(chase, tests, nats, config, units, folder):
    """Trains with workers that answer from the record."""
    url = f"nats://127.0.0.1:{PORT}"
    server = start(nats, "--jetstream", "--addr", "127.0.0.1", "--port", str(PORT), "--http_port", str(PORT + 1),
                   "--store_dir", str(folder / "nats"))
    time.sleep(1)
    workers = [start(tests, "--exact", "load::child", CHASE_TEST_CLUSTER=url, CHASE_TEST_RECORDED=str(folder / "record"),
                     CHASE_TEST_RECALL="1") for _ in range(WORKERS)]
    time.sleep(5)
    before, ready, begin = traffic(), seconds(server), time.monotonic()
    found = {"learner": train(chase, config, units, folder / "second", "--mixed", "--cluster", url)}
    found["wall"], found["server"] = time.monotonic() - begin, seconds(server) - ready
    found.update({name: value - before[name] for name, value in traffic().items()})
    for process in [*workers, server]:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return found


def main():
    chase, tests, nats, config, *numbers = sys.argv[1:]
    for units in map(int, numbers):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            alone = train(chase, config, units, folder / "first")
            (folder / "record").mkdir()
            record(folder / "first", folder / "record")
            found = again(chase, tests, nats, config, units, folder)
            first, second = shards(folder / "first"), shards(folder / "second")
            lines = (folder / "first" / "metrics.jsonl").read_text().splitlines()
            rows = next(record["replay/new_rows"] for record in map(json.loads, lines) if "replay/new_rows" in record)
            line = {"config": config, "units": len(second), "games": GROUP * len(second), "rows": rows,
                    "bytes": sum(path.stat().st_size for path in second),
                    "same": [path.read_bytes() for path in first] == [path.read_bytes() for path in second],
                    "alone": alone, "load": os.getloadavg()[0], **found}
            rounded = {name: round(value, 3) if isinstance(value, float) else value for name, value in line.items()}
            print(json.dumps(rounded), flush=True)


main()
