"""CPU seconds of the same games, by one process with two threads and by a learner, two workers of one thread and a server.

python3 overhead.py CHASE NATS_SERVER PAIRS: prints a line of JSON for each run.
"""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SETTINGS = """selfplay.games=192 selfplay.group_games=24 selfplay.in_flight=24 replay.reuse=0.25 learner.warmup_steps=1
measurement.every=0 evaluation.every=0 limits.minutes=0 limits.generations=2 precision=f32""".split()
PORT = 14333


def start(*command):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cpu(process):
    """Waits for a process; its CPU seconds, user and system."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def train(chase, run, *options):
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    return start(chase, "train", "configs/quick.toml", "--run-dir", str(run), *settings, *options)


def games(run):
    """Hash of all games of a run."""
    found = hashlib.sha256()
    for path in sorted((run / "games").rglob("*.parquet")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def alone(chase, folder):
    process = train(chase, folder / "alone", "--set", "threads=2")
    return {"learner": cpu(process), "code": process.returncode, "games": games(folder / "alone")}


def together(chase, nats, folder):
    url = f"nats://127.0.0.1:{PORT}"
    server = start(nats, "--jetstream", "--addr", "127.0.0.1", "--port", str(PORT), "--store_dir", str(folder / "store"))
    time.sleep(2)
    workers = [start(chase, "worker", url, "--threads", "1", "--device", "cpu") for _ in range(2)]
    learner = train(chase, folder / "together", "--set", "threads=2", "--cluster", url)
    seconds = {"learner": cpu(learner), "code": learner.returncode}
    for process in [*workers, server]:
        process.send_signal(signal.SIGTERM)
    seconds["workers"] = sum(cpu(worker) for worker in workers)
    seconds["server"] = cpu(server)
    return {**seconds, "games": games(folder / "together")}


def idle(chase):
    """What a process costs before it does anything."""
    return cpu(start(chase, "worker", "nats://127.0.0.1:1"))


def main():
    chase, nats, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    print(json.dumps({"start of a process": round(idle(chase), 3)}), flush=True)
    for pair in range(pairs):
        order = ("alone", "together") if pair % 2 == 0 else ("together", "alone")
        for way in order:
            begin, load = time.time(), os.getloadavg()[0]
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                found = alone(chase, folder) if way == "alone" else together(chase, nats, folder)
            parts = [seconds for name, seconds in found.items() if isinstance(seconds, float)]
            line = {"pair": pair, "way": way, "cpu": sum(parts), **found, "seconds": time.time() - begin, "load": load}
            rounded = {name: round(value, 3) if isinstance(value, float) else value for name, value in line.items()}
            print(json.dumps(rounded), flush=True)


main()
