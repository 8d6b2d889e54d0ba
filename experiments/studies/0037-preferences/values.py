"""What the checkpoints of training runs think of each first move of Chase: python3 values.py OUT.csv RUN …

Asks `chase engine`, which must be in the PATH, for the value of the position after each of the 44 first moves: by 200 simulations
of a network of the first family, by 20,000 nodes of the second. Scores are White's, from 0 to 100, to half a point.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

INITIAL = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w"
# Where the checkpoints of each family lie in a run, the player that they are, and the effort of a search.
FAMILIES = {"tree-search": ("checkpoints", "net", 200), "nnue": ("nnue", "nnue", 20_000)}


def first_moves():
    """The actions of the initial position in exact form and in order, each with the first that leads to the same position."""
    listed = subprocess.run(["chase", "moves", INITIAL], check=True, capture_output=True, text=True).stdout
    by_position = {}
    actions = json.loads(listed)["actions"]
    return {action["action"]: by_position.setdefault(action["result"], action["action"]) for action in actions}


def scores(player, nodes, moves):
    """White's expected score after each move."""
    engine = subprocess.Popen(["chase", "engine", player], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    found = []
    for move in moves:
        engine.stdin.write(f"position startpos moves {move}\ngo nodes {nodes}\n")
        engine.stdin.flush()
        score = None
        for line in engine.stdout:
            if match := re.search(r"score cp (-?\d+)", line):
                # Of the player who acts: Black.
                score = 50 - int(match[1]) / 2
            if line.startswith("bestmove"):
                break
        found.append(score)
    engine.stdin.write("quit\n")
    engine.stdin.close()
    engine.wait()
    return found


if __name__ == "__main__":
    moves = list(dict.fromkeys(first_moves().values()))
    with open(sys.argv[1], "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["run", "family", "generation", "move", "score"])
        for run in map(pathlib.Path, sys.argv[2:]):
            family = next(name for name, (folder, *_) in FAMILIES.items() if (run / folder).is_dir())
            folder, kind, nodes = FAMILIES[family]
            for checkpoint in sorted((run / folder).glob("gen-*")):
                generation = int(checkpoint.name.removeprefix("gen-"))
                for move, score in zip(moves, scores(f"{kind}:{checkpoint}", nodes, moves)):
                    table.writerow([run.name, family, generation, move, score])
                file.flush()
                print(run.name, generation, file=sys.stderr)
