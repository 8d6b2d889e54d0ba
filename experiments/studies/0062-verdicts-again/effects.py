"""Effects of studies 0036 and 0039 by agent, from their games and forks, and the verdicts of today's rules on them.

An effect is one number for each agent, with the error of its games. The verdict is on the mean of agents trained alike:
Hartung and Knapp's interval, with the variance between agents by Paule and Mandel.
"""

import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl

HERE = Path(__file__).resolve().parent
ERROR = 0.025
MARGIN, DICE_MARGIN = 0.02, 0.1
SAFE = ["one-step", "wrap-bump", "duck-3", "two-to-chamber", "exchange"]
AWAY = {"A5NE": "I1W", "A5NW": "I1E", "A3NW": "I1W", "A7NE": "I1E"}
NAMES = {"A5NE": "A5F8", "A5NW": "A5F3", "A3NW": "A3D2", "A7NE": "A7D9"}
# Actions with the result of another: they shift the row by one cell.
TWINS = {"A9E": "A1E", "A9W": "A1W", "I9E": "I1E", "I9W": "I1W"}
SHARPEST = ["1A6A7", "1A4A3", "1A8A7", "1A2A3"]
SCORE = pl.col("white_score")
AGGRESSION = {
    "attacks": (pl.col("white_early_threats"), DICE_MARGIN, "plies"),
    "dice won": (pl.col("black_early_losses"), DICE_MARGIN, "dice"),
    "first entry": (((pl.col("first_chamber_player") == "white") & (pl.col("first_chamber_ply") <= 20)).fill_null(False), MARGIN, "share"),
}


def bisection(falls, low, high):
    """Where a rising function passes from negative to positive."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if falls(middle) > 0 else (middle, high)
    return high


def student_quantile(level, freedom):
    """The number that Student's distribution exceeds on either side with probability 1 - level; whole degrees of freedom."""

    def within(number):
        angle = math.atan(number / math.sqrt(freedom))
        term = total = math.cos(angle) if freedom % 2 else 1.0
        for step in range(3 if freedom % 2 else 2, freedom, 2):
            term *= math.cos(angle) ** 2 * (step - 1) / step
            total += term
        if freedom % 2 == 0:
            return math.sin(angle) * total
        return 2 / math.pi * (angle + (math.sin(angle) * total if freedom > 1 else 0.0))

    return bisection(lambda number: within(number) - level, 0.0, 1e4)


def chi_squared_above(number, freedom):
    """The probability that chi-squared with whole degrees of freedom exceeds a number."""
    half = number / 2
    if freedom % 2 == 0:
        return math.exp(-half) * sum(half**step / math.factorial(step) for step in range(freedom // 2))
    terms = sum(half ** (step - 0.5) / math.gamma(step + 0.5) for step in range(1, (freedom + 1) // 2))
    return math.erfc(math.sqrt(half)) + math.exp(-half) * terms


def random_effects(values, errors, level):
    """The mean of agents trained alike, its interval, its standard error and the deviation between agents."""
    values, errors = np.array(values), np.array(errors)
    freedom = len(values) - 1

    def spread(variance):
        weights = 1 / (errors**2 + variance)
        mean = (weights * values).sum() / weights.sum()
        return mean, (weights * (values - mean) ** 2).sum(), weights.sum()

    variance = 0.0
    if spread(0.0)[1] > freedom:
        most = errors[0] ** 2
        while spread(most)[1] > freedom:
            most *= 2
        variance = bisection(lambda variance: freedom - spread(variance)[1], 0.0, most)
    mean, rest, weights = spread(variance)
    error = math.sqrt(rest / freedom / weights)
    normal = NormalDist().inv_cdf((1 + level) / 2) / math.sqrt((1 / errors**2).sum())
    reach = max(student_quantile(level, freedom) * error, normal)
    return mean, (mean - reach, mean + reach), error, math.sqrt(variance)


class Effect:
    """A number for each agent: value, error of its games, sample. `parts` share the error of the claim."""

    def __init__(self, claim, part, unit, threshold, by_agent, parts=1, below=False, measure_of=None, context=False):
        self.claim, self.part, self.unit, self.threshold, self.parts = claim, part, unit, threshold, parts
        self.measure_of, self.context, self.below = measure_of, context, below
        self.by_agent = [row for row in by_agent if row is not None]
        self.agents = len(by_agent)
        self.played = len(self.by_agent) > 1
        if self.played:
            values, errors, counts = map(list, zip(*self.by_agent))
            # Numbers that are all alike do not show how they vary: as if half a number had been at the other end.
            errors = [error or 1 / (2 * count) for error, count in zip(errors, counts)]
            self.level = 1 - ERROR / parts
            self.mean, self.interval, self.error, self.tau = random_effects(values, errors, self.level)
            weights = 1 / np.array(errors) ** 2
            self.games_error = 1 / math.sqrt(weights.sum())
            self.pooled, self.n = float(np.mean(values)), sum(counts)

    @property
    def verdict(self):
        if not self.played:
            return "not played"
        low, high = self.interval
        above, beneath = ("refuted", "supported") if self.below else ("supported", "refuted")
        return above if low > self.threshold else beneath if high < self.threshold else "open"


def ratio(totals, counts):
    """A share over blocks, its standard error by linearisation, and the number of observations."""
    totals, counts = np.array(totals, float), np.array(counts, float)
    mean = totals.sum() / counts.sum()
    influence = (totals - mean * counts) / counts.sum()
    occupied = (counts > 0).sum()
    return mean, math.sqrt((influence**2).sum() * occupied / (occupied - 1)), int(counts.sum())


def difference_of_ratios(one, other):
    """The same for the difference of two shares."""
    means, influence = [], 0.0
    for totals, counts in (one, other):
        totals, counts = np.array(totals, float), np.array(counts, float)
        means.append(totals.sum() / counts.sum())
        influence = (totals - means[-1] * counts) / counts.sum() - influence
    occupied = ((np.array(one[1]) + np.array(other[1])) > 0).sum()
    return means[0] - means[1], math.sqrt((influence**2).sum() * occupied / (occupied - 1)), int(sum(one[1]) + sum(other[1]))


def study_folder(name):
    """The folder of a study, wherever studies lie."""
    return next((HERE.parents[1]).glob(f"**/{name}"))


class Study:
    def __init__(self, name):
        self.name, self.folder = name, study_folder(name)
        self.published = json.loads((self.folder / "study.json").read_text())
        self.findings = {claim["id"]: claim["findings"] for claim in self.published["claims"]}
        self.design = json.loads((self.folder / "design.json").read_text())
        self.config = self.design["config"]
        self.agents = range(len(self.config["players"]))
        self.games = pl.read_parquet(self.folder / "games.parquet").sort("series", "block")
        self.forks = pl.read_parquet(self.folder / "forks.parquet")
        firsts = self.games.filter(pl.col("series").str.contains("^0/first/")).select("opening", "opening_class").unique()
        self.classes = dict(firsts.iter_rows())
        self.numbers = {}

    def finding(self, claim, part):
        return next(finding for finding in self.findings[claim] if finding["part"] == part)

    def of_series(self, key, measure):
        if key not in self.numbers:
            table = self.games.with_columns(measure.cast(float).alias("number")).group_by("series", maintain_order=True).agg("number")
            self.numbers[key] = {series: np.array(of, float) for series, of in table.iter_rows()}
        return self.numbers[key]

    def firsts(self, agent, classes):
        return [f"{agent}/first/{move}" for move, name in self.classes.items() if name in classes]

    def rest(self, agent, classes):
        return self.firsts(agent, [name for name in set(self.classes.values()) if name not in [*classes, "four"]])

    def blocks(self, key, measure, plus, minus=()):
        """One number for each block: the mean over some series of an agent, minus that over others."""
        numbers = self.of_series(key, measure)
        sides = [[numbers[name] for name in side] for side in (plus, minus)]
        count = min(len(series) for side in sides for series in side)
        with np.errstate(invalid="ignore"):
            means = [np.nanmean([series[:count] for series in side], axis=0) if side else 0.0 for side in sides]
        difference = means[0] - means[1]
        return difference[~np.isnan(difference)]

    @staticmethod
    def mean_of(blocks):
        return float(blocks.mean()), float(blocks.std(ddof=1) / math.sqrt(len(blocks))), len(blocks)

    def contrast(self, key, measure, plus, minus=lambda agent: ()):
        return [self.mean_of(self.blocks(key, measure, plus(agent), minus(agent))) for agent in self.agents]

    def first_player(self, agent):
        """Blocks of A1: free games, and games after first moves as often as the agent chooses these."""
        free = self.games.filter(pl.col("series") == f"{agent}/free")
        scores, size = self.of_series("score", SCORE), self.config["initial_factor"]
        names = free["line"].str.split(" ").list.first().replace(TWINS)
        parts = [(count / len(free), scores[f"{agent}/first/{name}"]) for name, count in names.value_counts().iter_rows()]
        worth = size + 1 / sum(share**2 for share, _ in parts)
        blocks = np.nanmean(free["white_score"].to_numpy().astype(float).reshape(-1, size), axis=1)
        for block in range(min(len(scores) for _, scores in parts)):
            forced = sum(share * scores[block] for share, scores in parts)
            if not math.isnan(forced):
                blocks[block] = (1 - size / worth) * forced + size / worth * blocks[block]
        return blocks

    def mirror(self, move):
        """The mirror image of a first move, in exact form."""
        if move[1] in "ABCDEFGHI" and move[0].isdigit():
            points, one, other = move[0], move[1:3], move[3:5]
            flip = lambda cell: cell[0] + str(10 - int(cell[1]))
            return points + flip(one) + flip(other)
        turned = {"NE": "NW", "NW": "NE", "E": "W", "W": "E", "SE": "SW", "SW": "SE"}
        mirrored = move[0] + str(10 - int(move[1])) + turned[move[2:]]
        return TWINS.get(mirrored, mirrored)

    def pairs(self):
        return sorted({tuple(sorted((move, self.mirror(move)))) for move in self.classes})

    def by_others(self, key, measure, agent, pairs):
        """Pairs of first moves in the order of a measure, the greatest first, by the games of all other agents."""

        def mean(pair):
            others = [self.blocks(key, measure, [f"{other}/first/{move}" for move in pair]) for other in self.agents if other != agent]
            return np.mean(np.mean(others, axis=0))

        return sorted(pairs, key=mean, reverse=True)

    def replies(self, first):
        """The article's reply against the agent's own, if that is another: Black's gain."""
        for agent, player in enumerate(self.design["players"][: len(self.agents)]):
            own = TWINS.get(player["replies"][first], player["replies"][first])
            if own == AWAY[first]:
                yield None
            else:
                series = [f"{agent}/reply/{first}/{reply}" for reply in (own, AWAY[first])]
                yield self.mean_of(self.blocks("score", SCORE, series[:1], series[1:]))

    def fork(self, column, kind, less=None):
        """The mean of a kind of forks by agent, minus that of another kind."""
        names = [player["name"] for player in self.design["players"][: len(self.agents)]]
        for name in names:
            value, influence, variance, forks = 0.0, {}, 0.0, 0
            for which, sign in ((kind, 1.0), (less, -1.0)):
                if which is None:
                    continue
                rows = self.forks.filter((pl.col("agent") == name) & (pl.col("kind") == which) & pl.col(column).is_not_null())
                numbers, blocks = rows[column].to_numpy(), rows["block"].to_numpy()
                value += sign * numbers.mean()
                for number, block in zip(numbers, blocks):
                    influence[block] = influence.get(block, 0.0) + sign * (number - numbers.mean()) / len(numbers)
                variance += 2 / len(numbers) ** 2
                forks += len(numbers)
            spread = sum(one**2 for one in influence.values())
            yield value, math.sqrt(variance + spread * len(influence) / (len(influence) - 1)), forks

    def stored(self, claim, part):
        """By agent, as the study published it: what needs positions of games."""
        return [(row["value"], row["error"], row["n"]) for row in self.finding(claim, part)["agents"]["by_agent"]]

    def late_dice(self):
        """Late dice by agent: large minus small without a safe move, and shares of large ones."""
        rows = pl.read_csv(HERE / "late-dice.csv.gz").filter(pl.col("study") == int(self.name[:4]))
        for agent in self.agents:
            of = rows.filter(pl.col("agent") == agent).sort("block")
            column = lambda name: of[name].to_numpy()
            yield {
                "apart": difference_of_ratios((column("large_unsafe"), column("large")), (column("small_unsafe"), column("small"))),
                "unsafe": ratio(column("large_unsafe"), column("large")),
                "stuck": ratio(column("large_stuck"), column("large")),
                "trapped": ratio(column("large_unsafe"), column("large_attacked")),
                "small trapped": (column("small_unsafe").sum() / column("small_attacked").sum(), 0.0, int(column("small_attacked").sum())),
            }

    def effects(self):
        """Every effect on claims about the game, in the order of the claims."""
        free = lambda agent: [f"{agent}/free"]
        a1 = [self.mean_of(self.first_player(agent)) for agent in self.agents]
        yield Effect("A1", "score of the first player", "score", 0.5, a1)
        yield Effect("A1", "by more than the margin", "score", 0.5 + MARGIN, a1, context=True)
        yield Effect("A1", "free games alone", "score", 0.5, self.contrast("score", SCORE, free), context=True)
        pair_of = lambda agent, pair: [f"{agent}/first/{move}" for move in pair]
        third = lambda agent: pair_of(agent, self.by_others("score", SCORE, agent, self.pairs())[self.config["several"] - 1])
        yield Effect("A2", "the last of three strong first moves", "score", 0.5 - MARGIN, self.contrast("score", SCORE, third))
        for name in SAFE:
            sides = (lambda agent, name=name: self.firsts(agent, [name]), lambda agent, name=name: self.rest(agent, [name]))
            yield Effect("B1", f"{name}: scores no worse than the rest", "points", -MARGIN, self.contrast("score", SCORE, *sides), 5, context=True)
        others = [name for name in SAFE if name != "exchange"]
        for measure, (column, matters, unit) in AGGRESSION.items():
            sides = (lambda agent: self.firsts(agent, ["exchange"]), lambda agent: self.firsts(agent, others))
            yield Effect("B4", f"exchanges: {measure}", unit, matters, self.contrast(measure, column, *sides), 6, measure_of="exchanges")
        for measure, (column, matters, unit) in AGGRESSION.items():
            safe = [pair for pair in self.pairs() if self.classes[pair[0]] in SAFE and pair[0] not in SHARPEST]
            best = lambda agent: pair_of(agent, self.by_others(measure, column, agent, safe)[0])
            sides = (lambda agent: pair_of(agent, SHARPEST), best)
            yield Effect("B4", f"1A6A7 and 1A8A7: {measure}", unit, -matters, self.contrast(measure, column, *sides), 6, measure_of="1A6A7 and 1A8A7")
        for measure, (column, _, unit) in AGGRESSION.items():
            sides = [lambda agent, move=move: [f"{agent}/first/{move}"] for move in ("1A6A7", "1A8A7")]
            yield Effect("B5", f"1A6A7 minus 1A8A7: {measure}", unit, 0.0, self.contrast(measure, column, *sides), context=True)
        for claim, classes in (("B7", ["three-away", "five-away"]), ("B9", ["four"])):
            if claim == "B9":
                yield from self.bumps()
            sides = (lambda agent: self.rest(agent, classes), lambda agent: self.firsts(agent, classes))
            yield Effect(claim, "worse than the rest", "points", MARGIN, self.contrast("score", SCORE, *sides))
        yield Effect("B11", "lost 5s that promote two dice", "share", 0.5, list(self.lost_fives()))
        yield Effect("B11", "the first lost 5 of a game", "share", 0.5, self.stored("B11", "in games"), context=True)
        yield Effect("C1", "a new die is lost at once", "points", 0.05, self.stored("C1", "a new die is lost at once"))
        for claim, kind, against, context in (
            ("C1", "first-entry", "over_control", True),
            ("C2", "gaining-entry", "over_control", False),
            ("C3", "small-takes-large", "over_control", False),
            ("C3", "large-takes-small", "over_control", True),
            ("C4", "clumping", "difference", False),
        ):
            below = kind == "first-entry"
            yield Effect(claim, f"{kind}, against {'its control' if against == 'over_control' else 'breaking pairs'}", "points", -MARGIN if below else MARGIN, list(self.fork(against, kind)), below=below, context=context)
        for kind in ("first-entry", "gaining-entry", "small-takes-large", "large-takes-small", "quiet"):
            yield Effect("C1" if kind == "first-entry" else "C2" if kind == "gaining-entry" else "C3", f"{kind}, against the best other action", "points", 0.0, list(self.fork("difference", kind)), context=True)
        late = list(self.late_dice())
        yield Effect("C5", "late large dice without a safe move, minus small ones", "points", 0.0, [row["apart"] for row in late])
        for name, part in (("unsafe", "late large dice without a safe move"), ("stuck", "late large dice without a move"), ("trapped", "attacked late large dice without a safe move")):
            yield Effect("C5", part, "share", 0.1, [row[name] for row in late], context=True)
        yield Effect("C6", "large dice without a move, minus small ones", "points", MARGIN, self.stored("C6", "large against small dice"))
        yield Effect("D1", "games that are not drawn", "share", 1 - self.config["few_draws"], self.contrast("not drawn", pl.col("outcome") != "draw", free))

    def bumps(self):
        for first, name in NAMES.items():
            yield Effect("B8", f"the bump after {name}", "points", -MARGIN, list(self.replies(first)), len(NAMES))

    def lost_fives(self):
        for agent in self.agents:
            rows = self.games.filter(pl.col("series").str.contains(f"^{agent}/(first/|free)"))
            sums = rows.group_by("block").agg(pl.col("fives_promoting_two").sum(), pl.col("fives_lost").sum()).sort("block")
            yield ratio(sums["fives_promoting_two"].to_numpy(), sums["fives_lost"].to_numpy())
