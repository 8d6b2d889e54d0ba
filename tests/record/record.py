#!/usr/bin/env python3
"""A record of what the program does, to compare with after a change of its structure.

    tests/record/record.py make RECORD     run everything and write the results to RECORD (JSON)
    tests/record/record.py compare RECORD  run everything again and name each difference; exit code 1 if there is one
    tests/record/record.py speed RECORD    measure speeds and write them, or show their ratios if RECORD exists

Results depend on the processor (the last digits of libtorch's sums do), so a record is compared on the machine that
made it and is not kept in the repository. `--program` names the program (default: target/release/chase), `--only NAME`
limits a run to the parts whose name begins with NAME. README.md says what each part holds.
"""

import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "engine/tests/data"
PARTS = {}


def part(function):
    """Registers a function that returns the results of one part as a dictionary."""
    PARTS[function.__name__.replace("_", "-")] = function
    return function


class Program:
    """The program under test, and a scratch folder."""

    def __init__(self, path, folder):
        self.path, self.folder = Path(path).resolve(), Path(folder)

    def text(self, *arguments, stdin=None, codes=(0,)):
        """Standard output of a command; any other exit code than those of `codes` ends the script."""
        command = [str(self.path), *map(str, arguments)]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=ROOT)
        if done.returncode not in codes:
            sys.exit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def run(self, name, *arguments):
        """Runs a command that leaves a directory, and returns the directory."""
        directory = self.folder / name
        self.text(*arguments, "--run-dir", directory, "-q")
        return directory


def digest(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()[:16]


def without(value, keys):
    """The same JSON value without the entries of these names, at any depth: times, versions, paths."""
    if isinstance(value, dict):
        return {key: without(inner, keys) for key, inner in value.items() if key not in keys}
    if isinstance(value, list):
        return [without(inner, keys) for inner in value]
    return value


def reference(name):
    """Lines of a reference file of all games, as dictionaries."""
    with gzip.open(DATA / name, "rt") as file:
        return [json.loads(line) for line in file]


@part
def perft(program):
    results = {"chase 5": program.text("perft", 5).splitlines()[-1]}
    games = json.loads(gzip.open(DATA / "games/perft.json.gz", "rt").read())
    for game, entry in games.items():
        depth = max(at for at, nodes in enumerate(entry["start"]["nodes"], 1) if nodes < 3_000_000)
        results[f"{game} {depth}"] = program.text("perft", depth, "--game", game).splitlines()[-1]
    return results


@part
def moves(program):
    """Legal actions, successors and outcomes of every reference position."""
    positions = {"chase": [line["position"] for line in reference("positions.jsonl.gz")]}
    for line in reference("games/positions.jsonl.gz"):
        positions.setdefault(line["game"], []).append(line["position"])
    answers = {}
    for game, lines in positions.items():
        answers[game] = digest(program.text("moves", "--game", game, stdin="\n".join(lines) + "\n"))
    return answers


def weights(directory):
    """Hashes of the weights and of the optimizer's state of every checkpoint."""
    files = sorted(directory.glob("*/gen-*/*.safetensors"))
    assert files, f"no checkpoints in {directory}"
    return {f"{file.parent.name} / {file.name}": digest(file.read_bytes()) for file in files}


SMALL = """
limits.minutes=0 limits.generations=3 precision="f32" selfplay.games=16 selfplay.group_games=8 selfplay.in_flight=8
selfplay.heuristic_generations=1 selfplay.heuristic_nodes=100 rules.max_turns=60 measurement.every=3 measurement.games=4
measurement.group_games=4 evaluation.every=3 evaluation.games=2 evaluation.opponents=["random","greedy"]
replay.window_rows=2000 checkpoints.keep_last=9
""".split()
SMALL_NNUE = """
limits.minutes=0 limits.generations=3 selfplay.games=40 selfplay.group_games=10 selfplay.nodes=200
selfplay.heuristic_generations=1 learner.rows=4096 learner.batch=256 checkpoints.keep_last=9
""".split()
SMALL_CONNECT_FOUR = """
limits.minutes=0 limits.generations=2 precision="f32" selfplay.games=32 selfplay.group_games=16 selfplay.in_flight=16
evaluation.games=2 replay.window_rows=2000 checkpoints.keep_last=9
""".split()


def settings(pairs):
    return [word for pair in pairs for word in ("--set", pair)]


@part
def train(program):
    """Three generations of the quick run: games of the heuristic, games of the network, a measurement, an evaluation."""
    return weights(program.run("quick", "train", "configs/quick.toml", *settings(SMALL)))


@part
def train_nnue(program):
    return weights(program.run("nnue", "train", "configs/nnue.toml", *settings(SMALL_NNUE)))


@part
def train_connect_four(program):
    arguments = ["train", "configs/connect-four.toml", *settings(SMALL_CONNECT_FOUR)]
    return weights(program.run("connect-four", *arguments))


PLAYERS = {
    "random": "greedy:blunders=0.3",
    "alpha-beta:depth=2": "alpha-beta:nodes=2000,blunders=0.2",
    "rollouts:simulations=40": "greedy",
    "agent-71,simulations=48,precision=f32": "agent-41,simulations=48,precision=f32,search=gumbel",
    "agent-71,simulations=48,precision=fused-f32": "agent-71,simulations=16,precision=f32,temperature=1",
    "nnue-57,nodes=3000": "nnue-57,depth=4,temperature=0.2",
    "nnue-57,nodes=1000,without=null-move": "agent-71,simulations=24,precision=f32",
}
OTHER_GAMES = {
    "connect-four": ("random", "rollouts:simulations=50"),
    "checkers": ("alpha-beta:depth=3", "greedy"),
    "stax-cyl-num": ("alpha-beta:depth=2", "random"),
    "lines9": ("random", "rollouts:simulations=20"),
}


def games_of(directory):
    """Hash of the games of a match or a tournament, without the milliseconds that they took."""
    lines = (directory / "games.jsonl").read_text().splitlines()
    return digest(json.dumps([without(json.loads(line), {"ms", "milliseconds"}) for line in lines]))


@part
def matches(program):
    """Games of every kind of player, in pairs."""
    results = {}
    for number, (one, two) in enumerate(PLAYERS.items()):
        directory = program.run(f"match-{number}", "match", one, two, "--pairs", 2, "--seed", 5)
        results[f"{one} – {two}"] = games_of(directory)
    for game, (one, two) in OTHER_GAMES.items():
        directory = program.run(f"match-{game}", "match", one, two, "--game", game, "--pairs", 2, "--seed", 5)
        results[f"{game}: {one} – {two}"] = games_of(directory)
    engine = f"engine=ugi:nodes=500,command={program.path} engine nnue-57"
    directory = program.run("match-ugi", "match", engine, "greedy", "--pairs", 1, "--seed", 5)
    results["ugi – greedy"] = games_of(directory)
    return results


@part
def tournament(program):
    """A round robin with a balanced opening book: its games and its ratings."""
    file = program.folder / "tournament.toml"
    file.write_text(
        'players = ["random", "greedy:blunders=0.5", "few=rollouts:simulations=10", "net:agent-71,simulations=8,'
        'precision=f32", "nnue:nnue-57,nodes=500"]\npairs = 2\nbootstrap = 100\n'
        'openings = "balanced:plies=4,count=10,depth=1,margin=80"\nanchor = "random"\n'
    )
    directory = program.run("tournament", "tournament", file)
    players = json.loads((directory / "report.json").read_text())["players"]
    return {"games": games_of(directory), "ratings": {player["name"]: str(player["rating"]) for player in players}}


@part
def evaluate(program):
    arguments = "evaluate agent-41 --games 4 --simulations 16 --opponent random --opponent greedy --json".split()
    return {"agent-41": without(json.loads(program.text(*arguments)), {"seconds", "provenance", "commit"})}


@part
def analyse(program):
    """Values, visits and lines of the initial position by both kinds of networks, and what engines answer."""
    times = {"seconds", "ms", "time", "nps", "per_second", "elapsed"}
    tree = json.loads(program.text("analyse", "--simulations", 200, "--json"))
    lines = json.loads(program.text("analyse", "nnue-57", "--nodes", 20000, "--json"))
    words = "ugi\nisready\nuginewgame\nposition startpos\ngo nodes 3000\nquit\n"
    best = {}
    for player in ("nnue-57", "agent-71,precision=f32", "alpha-beta:depth=2"):
        answer = program.text("engine", player, stdin=words)
        best[player] = re.findall(r"^bestmove .*", answer, re.MULTILINE)
    return {
        "agent-71": digest(json.dumps(without(tree, times))),
        "nnue-57": digest(json.dumps(without(lines, times))),
        "engines": best,
    }


@part
def solve(program):
    position = "2f3f2/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b"
    results = {}
    for turns in (3, 4):
        answer = program.text("solve", position, "--attacker", "white", "--within", turns, codes=(0, 1))
        results[f"in {turns} turns"] = [line for line in answer.splitlines() if line.startswith(("proved", "dis", "nodes"))]
    return results


SMALL_STUDY = """
seed = 3
[games]
players = ["nnue:nnue-57,nodes=60,temperature=0.2,temperature-plies=20"]
curve = ["random"]
first_round = 2
most = 2
initial_factor = 2
replies = true
[forks]
positions = 0
[search]
budgets = []
"""


@part
def study(program):
    """What the rules decide, and the effects (value, interval, number) of a small study."""
    file = program.folder / "study.toml"
    file.write_text(SMALL_STUDY)
    directory = program.run("study", "study", file)
    effects = {}
    for claim in json.loads((directory / "study.json").read_text())["claims"]:
        for finding in claim["findings"]:
            if (effect := finding["effect"]) is not None:
                key = f"{claim['id']}: {finding['part']}, {finding['about']}, {finding['agent']}"
                effects[key] = str([effect["value"], effect["interval"], finding["n"]])
    exact = program.text("study", "--exact-only", "-q").splitlines()
    return {"exact": [line[:16].strip() for line in exact if line[0].isalpha()], "effects": effects}


SPEEDS = ["engine", "search", "inference", "selfplay", "learner"]


def speeds(program):
    """Rates of `chase bench`, each the median of three runs, and processor seconds of a match of alpha-beta players."""
    runs = [
        {
            figure["name"]: figure["value"]
            for name in SPEEDS
            for figure in json.loads(program.text("bench", name, "--seconds", 1, "--json", codes=(0, 1)))["figures"]
        }
        for _ in range(3)
    ]
    rates = {name: sorted(run[name] for run in runs)[1] for name in runs[0]}
    for number, player in enumerate(["nnue-57,nodes=20000", "alpha-beta:nodes=50000"]):
        before = sum(os.times()[2:4])
        program.run(f"speed-{number}", "match", player, player, "--pairs", 4, "--threads", 1)
        rates[f"matches per CPU second: {player}"] = 1 / (sum(os.times()[2:4]) - before)
    return rates


def record(program, only):
    results = {}
    for name in (name for name in PARTS if name.startswith(only)):
        start = time.monotonic()
        results[name] = PARTS[name](program)
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    return results


def flat(value, prefix=""):
    """The leaves of nested dictionaries, by their path."""
    if isinstance(value, dict):
        return {path: leaf for key, inner in value.items() for path, leaf in flat(inner, f"{prefix}{key} / ").items()}
    return {prefix.removesuffix(" / "): value}


def compare(then, now):
    then, now = flat(then), flat(now)
    differences = [f"{key}\n    {then.get(key)}\n    {now.get(key)}" for key in then | now if then.get(key) != now.get(key)]
    print("\n".join(differences) or f"no difference in {len(now)} results")
    return 1 if differences else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["make", "compare", "speed"])
    parser.add_argument("record", type=Path)
    parser.add_argument("--program", default=ROOT / "target/release/chase")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        now = speeds(program) if options.action == "speed" else record(program, options.only)
    if options.action == "make" or not options.record.exists():
        options.record.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n")
        return 0
    then = json.loads(options.record.read_text())
    if options.action == "speed":
        for name, rate in now.items():
            print(f"{rate / then[name]:6.3f}  {name}" if name in then else f"   new  {name}")
        return 0
    return compare({name: then[name] for name in now}, now)


if __name__ == "__main__":
    sys.exit(main())
