"""The numbers of part 2 of study 0064: python cylinder.py FOLDER, which has the directories of the matches, GAME-NODES."""

import json
import math
import pathlib
import sys
from statistics import NormalDist

GAMES = ["chess", "chess-cyl", "checkers", "checkers-cyl"]
NODES = [500, 2000, 8000]
# What decides, and how much does not matter.
DECIDING, MARGIN = 2000, 0.05


def read(home):
    """The reports of the finished matches, by game and nodes."""
    files = {(game, nodes): home / f"{game}-{nodes}" / "report.json" for game in GAMES for nodes in NODES}
    return {match: json.loads(file.read_text()) for match, file in files.items() if file.exists()}


def percent(number, low, high):
    """A share, or a difference of two, in hundredths, with its interval."""
    texts = [f"{100 * value:.1f}".replace("-", "−") for value in (number, low, high)]
    return "{} [{}, {}]".format(*texts)


def within(number, error, level):
    reach = NormalDist().inv_cdf(0.5 + level / 2) * error
    return number - reach, number + reach


def print_matches(reports):
    print("| game | nodes | games | pairs | first player's score, % | draws, % | without result, % | plies |")
    print("|---|---|---|---|---|---|---|---|")
    for (game, nodes), report in reports.items():
        score, games = report["white_score"], report["games"]
        interval = within(score["score"], score["score_error"], 0.95)
        draws, truncated = (100 * report["white"][key] / games for key in ("draws", "truncated"))
        print(
            f"| `{game}` | {nodes:,} | {games:,} | {score['units']:,} | {percent(score['score'], *interval)} "
            f"| {draws:.1f} | {truncated:.1f} | {report['mean_plies']:.0f} |"
        )


def print_differences(reports):
    print("| cylinder minus flat board | nodes | points, 95 % | 97.5 % | |")
    print("|---|---|---|---|---|")
    for game in ["chess", "checkers"]:
        for nodes in NODES:
            if (game, nodes) not in reports or (f"{game}-cyl", nodes) not in reports:
                continue
            flat, cylinder = (reports[name, nodes]["white_score"] for name in (game, f"{game}-cyl"))
            difference = cylinder["score"] - flat["score"]
            error = math.hypot(cylinder["score_error"], flat["score_error"])
            usual, shared = (within(difference, error, level) for level in (0.95, 0.975))
            verdict = ""
            if nodes == DECIDING:
                low, high = shared
                verdict = "undecided"
                if low > 0 or high < 0:
                    verdict = "differs"
                elif -MARGIN <= low and high <= MARGIN:
                    verdict = "within 5 points"
            print(f"| {game} | {nodes:,} | {percent(difference, *usual)} | {percent(difference, *shared)} | {verdict} |")


found = read(pathlib.Path(sys.argv[1]))
print_matches(found)
print()
print_differences(found)
