"""A run on a cluster whose server's disk becomes full again and again, against the same run on one machine.

usage: disk.py CHASE NATS_SERVER CONFIG FULL_TIMES MOUNT

MOUNT is a small file system of its own, such as `mount -t tmpfs -o size=6m tmpfs MOUNT` makes. Each time all of it is taken
for some seconds; then it is freed, and the server, which switches JetStream off when it cannot write, started again.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PORT = 4334
SETTINGS = ["selfplay.games=64", "selfplay.group_games=8", "selfplay.in_flight=8", "limits.generations=6",
            "measurement.every=0", "evaluation.every=0", "precision=f32"]
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def train(chase, config, folder, *more, **options):
    command = [chase, "train", config, "--run-dir", folder, "--threads", "2", "--quiet", *more]
    for setting in SETTINGS:
        command += ["--set", setting]
    return subprocess.Popen(command, **options)


def result(run):
    """Everything that must be the same: games, checkpoints and state, without times."""
    files = [path for name in ("games", "checkpoints") for path in sorted((run / name).rglob("*")) if path.is_file()]
    content = hashlib.sha256()
    for path in files:
        content.update(str(path.relative_to(run)).encode())
        content.update(path.read_bytes())
    return len(files), content.hexdigest()[:16]


def main():
    chase, nats, config, times, mount = sys.argv[1:]
    home = Path(tempfile.mkdtemp())
    assert train(chase, config, home / "alone", **QUIET).wait() == 0
    print("one machine:", *result(home / "alone"), flush=True)

    # More than there is: otherwise the server refuses, at once and for good, what might not fit.
    (home / "nats.conf").write_text(f'jetstream {{ store_dir: "{mount}/nats", max_file_store: 20GB }}\n')

    def server():
        log = open(home / "nats.log", "a")
        return subprocess.Popen([nats, "--config", home / "nats.conf", "--addr", "127.0.0.1", "--port", str(PORT)],
                                stdout=log, stderr=log)

    url = f"nats://127.0.0.1:{PORT}"
    serving = server()
    time.sleep(1)
    worker = subprocess.Popen([chase, "worker", url, "--threads", "1", "--quiet"], **QUIET)
    learner = train(chase, config, home / "cluster", "--cluster", url, stdout=subprocess.DEVNULL,
                    stderr=open(home / "learner.log", "w"))
    full = 0
    while learner.poll() is None:
        time.sleep(2)
        if full == int(times) or learner.poll() is not None:
            continue
        with open(f"{mount}/filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                full += 1
        time.sleep(4)
        os.remove(f"{mount}/filler")
        serving.send_signal(signal.SIGTERM)
        serving.wait()
        serving = server()
    worker.send_signal(signal.SIGTERM)
    worker.wait()
    serving.terminate()
    serving.wait()
    print("cluster:", *result(home / "cluster"), f"after its disk was full {full} times; exit {learner.returncode}")
    log = (home / "nats.log").read_text(errors="replace")
    print("lines of the server on lack of space:", sum("space" in line.lower() for line in log.splitlines()))
    print((home / "learner.log").read_text())
    shutil.rmtree(home)


main()
