"""CPU seconds (user and system, of all processes) of the same run on one machine in two ways, in turn:
one process with two threads; and a server of NATS, a learner and two workers with one thread each.

usage: overhead.py CHASE NATS_SERVER CONFIG PAIRS GAMES...

The difference between two numbers of games is free of what each process costs to start.
"""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PORT = 4333


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def games_of(run):
    files = sorted((run / "games").rglob("*.parquet"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def train(chase, config, games, folder, *more):
    settings = [f"selfplay.games={games}", "selfplay.group_games=8", "selfplay.in_flight=8", "limits.generations=1",
                "measurement.every=0", "evaluation.every=0", "replay.reuse=0.05", "precision=f32"]
    command = [chase, "train", config, "--run-dir", folder, "--threads", "2", "--quiet", *more]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def alone(chase, nats, config, games, folder):
    before = cpu()
    train(chase, config, games, folder / "alone")
    return {"all": cpu() - before}, games_of(folder / "alone")


def cluster(chase, nats, config, games, folder):
    url, quiet = f"nats://127.0.0.1:{PORT}", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    parts = {}

    def end(name, process):
        before = cpu()
        process.send_signal(signal.SIGTERM)
        process.wait()
        parts[name] = parts.get(name, 0) + cpu() - before

    server = subprocess.Popen([nats, "--jetstream", "--addr", "127.0.0.1", "--port", str(PORT), "--store_dir",
                               str(folder / "nats")], **quiet)
    time.sleep(2)
    workers = [subprocess.Popen([chase, "worker", url, "--threads", "1", "--quiet"], **quiet) for _ in range(2)]
    before = cpu()
    train(chase, config, games, folder / "cluster", "--cluster", url)
    parts["learner"] = cpu() - before
    for worker in workers:
        end("workers", worker)
    end("server", server)
    parts["all"] = sum(parts.values())
    return parts, games_of(folder / "cluster")


def main():
    chase, nats, config, pairs, *sizes = sys.argv[1:]
    for pair in range(int(pairs)):
        for games in map(int, sizes):
            for way in (alone, cluster) if pair % 2 == 0 else (cluster, alone):
                folder = Path(tempfile.mkdtemp())
                begin = time.monotonic()
                seconds, hashed = way(chase, nats, config, games, folder)
                shutil.rmtree(folder)
                print(json.dumps({"pair": pair, "way": way.__name__, "games": games, "hash": hashed,
                                  "load": round(os.getloadavg()[0], 1),
                                  "wall": round(time.monotonic() - begin, 1),
                                  "cpu": {name: round(value, 2) for name, value in seconds.items()}}), flush=True)


main()
