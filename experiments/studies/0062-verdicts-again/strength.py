"""White's score against the work of a search, from games at hand: exploratory, no plan was made for it."""

import collections
import gzip
import json
import math

import numpy as np
import polars as pl

from effects import study_folder

ALPHA_BETA, MCTS = "alpha-beta with a small network", "MCTS with a residual network"
MATCHES = {
    f"{MCTS}, matches": ["0040-small-changes", "0042-carry-over", "0046-size", "0047-long-run", "0048-larger-later", "0051-mirror-network", "0052-more-simulations", "0054-one-at-a-time", "0055-fused-kernel"],
    f"{ALPHA_BETA}, matches": ["0030-nnue", "0043-longer-run", "0045-shortcuts"],
}
SELF_PLAY = {
    f"{ALPHA_BETA}, self-play": ["0033-second-family", "0039-five-and-five"],
    f"{MCTS}, self-play": ["0025-forks-and-budgets", "0036-first-family", "0049-mirror-images"],
}


class Point:
    """White's score at one budget: mean of clusters of games, each of which shares its opening."""

    def __init__(self, clusters):
        sums = np.array([[sum(of), len(of)] for of in clusters], float)
        self.games = int(sums[:, 1].sum())
        self.score = sums[:, 0].sum() / self.games
        influence = sums[:, 0] - self.score * sums[:, 1]
        self.error = math.sqrt((influence**2).sum() * len(sums) / (len(sums) - 1)) / self.games


def self_play(names):
    """Free games of each player against itself, by nodes or simulations: each game a cluster."""
    found = collections.defaultdict(list)
    for name in names:
        folder = study_folder(name)
        players = [player["name"] for player in json.loads((folder / "design.json").read_text())["players"]]
        rows = pl.read_parquet(folder / "games.parquet", columns=["series", "white_score"])
        for series, score in rows.filter(pl.col("series").str.ends_with("/free") & pl.col("white_score").is_not_null()).iter_rows():
            options = dict(part.split("=") for part in players[int(series.split("/")[0])].split(",")[1:])
            found[int(options.get("nodes") or options["simulations"])].append([score])
    return found


def matches(names, opening_plies, alpha_beta):
    """Games of two networks with equal budgets and colours swapped, by nodes or simulations: games of one opening are a cluster."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in names:
        for path in sorted(study_folder(name).glob("*.jsonl.gz")):
            with gzip.open(path, "rt") as file:
                games = [json.loads(line) for line in file]
            games = [game for game in games if game.get("opening_plies") == opening_plies and game.get("effort")]
            # The other kind of network or search, and searches with a limit of time, which have no common number.
            if not games or "-ms" in path.name or not alpha_beta and any("nnue" in game["white"] for game in games):
                continue
            most = [max(game["effort"]["nodes"]) for game in games]
            if np.median(most) > 1.01 * min(most):
                continue
            for game in games:
                score = {"white": 1.0, "black": 0.0, "draw": 0.5}.get(game["outcome"])
                if score is not None:
                    # Alpha-beta passes its limit of thousands of nodes by one or two.
                    budget = round(min(most), -3) if alpha_beta else min(most)
                    found[budget][tuple(game["actions"][:opening_plies])].append(score)
    return {budget: list(clusters.values()) for budget, clusters in found.items()}


def sources():
    """For each source the points by budget, and the slope of White's score per doubling with its error."""
    all_points = {name: self_play(studies) for name, studies in SELF_PLAY.items()}
    all_points |= {name: matches(studies, 4 if name.startswith(ALPHA_BETA) else 6, name.startswith(ALPHA_BETA)) for name, studies in MATCHES.items()}
    for name, clusters in all_points.items():
        points = {budget: Point(of) for budget, of in sorted(clusters.items()) if sum(map(len, of)) >= 40}
        x = np.log2(np.array(list(points)))
        y, weights = np.array([point.score for point in points.values()]), np.array([point.error**-2 for point in points.values()])
        middle = (weights * x).sum() / weights.sum()
        spread = (weights * (x - middle) ** 2).sum()
        slope = (weights * (x - middle) * y).sum() / spread
        yield name, points, slope, 1 / math.sqrt(spread)


def picture(found):
    """An SVG of all points with 95 % intervals against the budget."""
    colours = ["#1b6ca8", "#c4511d", "#2f8f4e", "#8a4fa3"]
    left, right, top, bottom, low, high = 60, 700, 30, 330, 0.42, 0.76
    budgets = [budget for _, points, _, _ in found for budget in points]
    first, last = math.log2(min(budgets)) - 0.5, math.log2(max(budgets)) + 0.5
    at_x = lambda budget: left + (math.log2(budget) - first) / (last - first) * (right - left)
    at_y = lambda score: bottom - (score - low) / (high - low) * (bottom - top)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 440" font-family="sans-serif" font-size="13">', '<rect width="720" height="440" fill="#fff"/>']
    for score in (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75):
        width = 1.5 if score == 0.5 else 0.5
        parts.append(f'<path d="M{left} {at_y(score):.1f}H{right}" stroke="#888" stroke-width="{width}"/><text x="{left - 8}" y="{at_y(score) + 4:.1f}" text-anchor="end">{100 * score:.0f} %</text>')
    for budget in (8, 32, 128, 512, 2000, 10000):
        parts.append(f'<text x="{at_x(budget):.1f}" y="{bottom + 20}" text-anchor="middle">{budget:,}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 40}" text-anchor="middle">simulations or nodes a move</text><text x="{left}" y="18">White\'s score</text>')
    for place, (name, points, _, _) in enumerate(found):
        colour, shift = colours[place], 3 * place - 4.5
        line = " ".join(f"{at_x(budget) + shift:.1f},{at_y(point.score):.1f}" for budget, point in points.items())
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        for budget, point in points.items():
            x, reach = at_x(budget) + shift, 1.96 * point.error
            ends = [min(max(at_y(end), top), bottom) for end in (point.score - reach, point.score + reach)]
            parts.append(f'<path d="M{x:.1f} {ends[0]:.1f}V{ends[1]:.1f}" stroke="{colour}"/><circle cx="{x:.1f}" cy="{at_y(point.score):.1f}" r="3.5" fill="{colour}"/>')
        parts.append(f'<circle cx="{left + 8 + 330 * (place % 2)}" cy="{bottom + 62 + 22 * (place // 2)}" r="4" fill="{colour}"/><text x="{left + 18 + 330 * (place % 2)}" y="{bottom + 66 + 22 * (place // 2)}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    z = []
    for name, points, slope, error in sources():
        z.append(slope / error)
        print(name, {budget: (point.games, round(100 * point.score, 1), round(196 * point.error, 1)) for budget, point in points.items()}, round(100 * slope, 2), round(196 * error, 2), round(z[-1], 2))
    print("Stouffer", sum(z) / math.sqrt(len(z)))
