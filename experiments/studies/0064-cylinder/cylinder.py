"""The numbers of part 2 of study 0064: python cylinder.py FOLDER, which has the directories of the matches, GAME-NODES."""

import json
import math
import pathlib
import sys
from collections import defaultdict
from statistics import NormalDist, mean, stdev

GAMES = ["chess", "chess-cyl", "checkers", "checkers-cyl"]
NODES = [500, 2000, 8000]
SCORES = {"white": 1.0, "draw": 0.5, "black": 0.0}


def read(folder):
    """The first player's score of each pair of games, the shares of draws and of games without a result, and the mean length."""
    pairs, outcomes, plies = defaultdict(list), defaultdict(int), []
    for line in (folder / "games.jsonl").read_text().splitlines():
        game = json.loads(line)
        outcomes[game["outcome"]] += 1
        plies.append(game["plies"])
        if game["outcome"] in SCORES:
            pairs[game["pair"]].append(SCORES[game["outcome"]])
    scores = [mean(pair) for pair in pairs.values()]
    total = sum(outcomes.values())
    return {
        "games": total,
        "pairs": len(scores),
        "score": mean(scores),
        "error": stdev(scores) / math.sqrt(len(scores)),
        "draws": outcomes["draw"] / total,
        "without": 1 - sum(outcomes[name] for name in SCORES) / total,
        "plies": mean(plies),
    }


def percent(number, error, level):
    reach = NormalDist().inv_cdf(0.5 + level / 2) * error
    return f"{100 * number:.1f} [{100 * (number - reach):.1f}, {100 * (number + reach):.1f}]"


def main():
    home = pathlib.Path(sys.argv[1])
    found = {(game, nodes): read(home / f"{game}-{nodes}") for game in GAMES for nodes in NODES if (home / f"{game}-{nodes}" / "report.json").exists()}
    print("| game | nodes | games | first player's score, % | draws, % | without result, % | plies |")
    print("|---|---|---|---|---|---|---|")
    for (game, nodes), row in found.items():
        score = percent(row["score"], row["error"], 0.95)
        print(f"| `{game}` | {nodes:,} | {row['games']:,} | {score} | {100 * row['draws']:.1f} | {100 * row['without']:.1f} | {row['plies']:.0f} |")
    print()
    print("| cylinder minus flat board | nodes | points, 95 % | 97.5 % | |")
    print("|---|---|---|---|---|")
    for game in ["chess", "checkers"]:
        for nodes in NODES:
            if (f"{game}-cyl", nodes) not in found:
                continue
            flat, cylinder = found[game, nodes], found[f"{game}-cyl", nodes]
            difference = cylinder["score"] - flat["score"]
            error = math.hypot(cylinder["error"], flat["error"])
            reach = NormalDist().inv_cdf(0.9875) * error
            verdict = ""
            if nodes == 2000:
                verdict = "undecided"
                if abs(difference) > reach:
                    verdict = "differs"
                elif abs(difference) + reach <= 0.05:
                    verdict = "within 5 points"
            print(f"| {game} | {nodes:,} | {percent(difference, error, 0.95)} | {percent(difference, error, 0.975)} | {verdict} |")


main()
