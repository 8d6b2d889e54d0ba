"""Writes README.md, verdicts.json and strength.svg of this study, and its abstract in the README and the findings.

Every figure comes from the data of studies at hand.

python3 again.py          writes them
python3 again.py --check  compares them with what the data say, and ends with exit code 1 if they differ

Needs polars and numpy.
"""

import json
import math
import re
import sys

import numpy as np
import polars as pl

import strength
from effects import ERROR, HERE, SCORE, Study, chi_squared_above, student_quantile, study_folder

ROOT = HERE.parents[2]
KINDS = {"0036": "0036-first-family", "0039": "0039-five-and-five"}
BEST = ["3A6A7", "3A4A3"]
# Kinds of evidence that a claim needs by today's rules, where they changed.
NEEDS = {"B5": ["exact"], "B11": ["empirical"]}
# The rows that the article names for each speed (D2).
ARTICLE_ROWS = {"6": "ACEGI", "5": "BCEGH", "4": "AEI"}
WORDS = {"supported": "supported", "refuted": "refuted", "inconclusive": "open", None: "not tested"}
# Why a verdict moved, or did not, in words; the figures are computed.
REASONS = {
    "A1": "the article says *an advantage*, which is more than 50 %; the study had asked for more than 52 %",
    "A2": "a first move is strong if it is not worse than even by more than 2 points; *near the best one* needed thousands of games",
    "B1": "by the rules; the test says yes of 40 of 44 first moves, so it says little",
    "B4": "three measures for each half of the sentence, most decide; the named moves are compared with the most aggressive other safe one by other agents' games",
    "B5": "the reason that the article gives is tested, and true; how the two moves play out is context",
    "B8": "most agents play the bump themselves after A3D2 and A7D9 in study 0036, so nothing was played against it",
    "B10": "four tests without a game had decided; the searches decide where there are no games, and study 0039 has none",
    "B11": "all lost 5s count, not only the first of each game; that none promotes two dice within the first four turns is context",
    "C1": "the article speaks of a risk to the new dice, so how often one is lost decides; what entering costs is context",
    "C2": "the control alone decides",
    "C3": "the control alone decides: the best of 30 to 40 other actions is no fair rival. Capturing is not chasing, so that half is not asked",
    "C4": "no change of the rule but for the error, which is that of the other claims",
    "C5": "*no safe move*, as the article says, not *no move*; large against small dice, since *commonly* has no number",
    "D2": "*get into position for a Chamber move* is one move and the Chamber move; in more moves a 5 enters from every row",
}


def percent(value, digits=1):
    return f"{100 * value:.{digits}f}".replace("-", "−")


def figure(effect, value, sign=False):
    """A number of an effect: per cent and points with one digit, others with two."""
    if effect.unit in ("score", "share") and not effect.part.startswith(("exchanges", "1A6A7")):
        return percent(value)
    number = 100 * value if effect.unit in ("points", "share") else value
    text = f"{number:+.1f}" if effect.unit in ("points", "share") else f"{number:+.2f}"
    return text.replace("-", "−")


def span(effect):
    low, high = effect.interval
    return f"{figure(effect, effect.mean)} [{figure(effect, low)}, {figure(effect, high)}]"


def claimed(effect):
    return f"{'<' if effect.below else '>'} {figure(effect, effect.threshold)}"


def table(headings, rows):
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def rows_within_two(study):
    """D2: whether the rows from which a die gets in within two moves are the article's."""
    tables = [table for finding in study.findings["D2"] for table in finding["exhibits"] if table.get("title") == "Rows from which a die gets into the Chamber"]
    within = tables[0]["headings"].index("within 2")
    rows = {row[0]: "".join(re.findall("[A-I]", row[within])) for row in tables[0]["rows"]}
    return {f"rows for a {speed}": "supported" if rows[speed] == article else "refuted" for speed, article in ARTICLE_ROWS.items()}


class Verdicts:
    """The verdicts of one study by the rules of docs/src/study/verdicts.md."""

    def __init__(self, study):
        self.study, self.effects = study, list(study.effects())
        self.needs = {claim["id"]: claim["needs"] for claim in study.published["claims"]} | NEEDS

    def by_rules(self, claim):
        """What the rules of the game say of a claim, as the study published it: they are the same for any players."""
        if claim == "B11":
            return {}
        if claim == "D2":
            return rows_within_two(self.study)
        exact = [finding for finding in self.study.findings[claim] if finding["basis"] == "exact" and finding["role"] == "deciding"]
        return {finding["part"]: WORDS[finding["verdict"]] for finding in exact}

    def parts(self, claim):
        """The verdict of each part: of what the rules say, of an effect, or of most of several measures of it."""
        parts = self.by_rules(claim)
        groups = {}
        for effect in self.effects:
            if effect.claim == claim and not effect.context and effect.played:
                groups.setdefault(effect.measure_of or effect.part, []).append(effect.verdict)
        for part, verdicts in groups.items():
            most = [verdict for verdict in ("supported", "refuted") if 2 * verdicts.count(verdict) > len(verdicts)]
            parts[part] = most[0] if most else "open"
        stand_in = [finding for finding in self.study.findings[claim] if finding["part"].endswith("by search") and finding["role"] == "deciding"]
        if not groups and stand_in:
            parts[stand_in[0]["part"]] = WORDS[stand_in[0]["verdict"]]
        return parts, bool(groups or stand_in)

    def verdict(self, claim):
        parts, played = self.parts(claim)
        verdicts = list(parts.values())
        if "refuted" in verdicts:
            return "refuted"
        if "empirical" in self.needs[claim] and not played:
            return "not tested"
        return "supported" if all(verdict == "supported" for verdict in verdicts) else "open"


def check_published(study, effects):
    """The numbers of each agent, and their means, are those that the study published."""
    checked = 0
    published = {
        "score of the first player": ("A1", "score of the first player"),
        "free games alone": ("A1", "score of the first player, free games alone"),
        "worse than the rest": (None, "worse than the rest"),
        "games that are not drawn": ("D1", study.config["rules"]),
        "gaining-entry, against its control": ("C2", "a die more pays, against the control"),
        "first-entry, against its control": ("C1", "entering first costs, against the control"),
        "small-takes-large, against its control": ("C3", "small takes large pays, against the control"),
        "large-takes-small, against its control": ("C3", "large takes small does not pay, against the control"),
        "clumping, against breaking pairs": ("C4", "making pairs of 3s and 4s against breaking them"),
        "late large dice without a move": ("C5", "large dice without a move"),
        "late large dice without a safe move": ("C5", "large dice without a safe move"),
    }
    for effect in effects:
        claim, part = published.get(effect.part, (effect.claim, effect.part))
        found = [finding for finding in study.findings[claim or effect.claim] if finding["part"] == part and finding["agents"]]
        if not found:
            continue
        for row, own in zip(effect.by_agent, found[0]["agents"]["by_agent"]):
            assert math.isclose(row[0], own["value"], rel_tol=1e-9, abs_tol=1e-12), (effect.claim, effect.part, row, own)
            assert math.isclose(row[1], own["error"], rel_tol=1e-9, abs_tol=1e-12), (effect.claim, effect.part, row, own)
            assert row[2] == own["n"], (effect.claim, effect.part, row, own)
            checked += 3
        # The interval of A1 was one over agents before.
        if part == "score of the first player":
            low, high = found[0]["effect"]["interval"].values()
            assert np.allclose(effect.interval, (low, high), atol=1e-9), (effect.interval, low, high)
            assert math.isclose(effect.mean, found[0]["effect"]["value"], rel_tol=1e-9)
            checked += 3
    return checked


def between(one, other):
    """The difference of two kinds of players, its z, and Cochran's Q of all ten agents with its p."""
    values, errors = zip(*[(row[0], row[1] or 1 / (2 * row[2])) for effect in (one, other) for row in effect.by_agent])
    difference = other.mean - one.mean
    z_games = difference / math.hypot(one.games_error, other.games_error)
    z_agents = difference / math.hypot(one.error, other.error)
    weights = 1 / np.array(errors) ** 2
    mean = (weights * values).sum() / weights.sum()
    q = (weights * (np.array(values) - mean) ** 2).sum()
    return difference, z_games, z_agents, q, chi_squared_above(q, len(values) - 1)


def student(numbers, level=1 - ERROR):
    numbers = np.array(numbers)
    reach = student_quantile(level, len(numbers) - 1) * numbers.std(ddof=1) / math.sqrt(len(numbers))
    return f"{percent(numbers.mean())} [{percent(numbers.mean() - reach)}, {percent(numbers.mean() + reach)}]"


def proportion(scores):
    """A mean of games and its 95 % half width."""
    return f"{percent(np.mean(scores))} ± {percent(1.96 * np.std(scores, ddof=1) / math.sqrt(len(scores)))}"


def best_moves(studies):
    """What 3A6A7 and 3A4A3 rest on."""
    first, second = studies
    mean = lambda study, agent, moves: np.mean([np.nanmean(study.of_series("score", SCORE)[f"{agent}/first/{move}"]) for move in moves])
    chosen = lambda study: np.mean([row.split(" ")[0] in BEST for row in study.games.filter(pl.col("series").str.contains("^[0-4]/free"))["line"]])
    forced = {}
    for name, folder in (("nnue-57", "0057-nnue-57"), ("agent-71", "0049-mirror-images")):
        games = pl.read_parquet(study_folder(folder) / "games.parquet").filter(pl.col("white_score").is_not_null())
        after = games.filter(pl.col("series").is_in([f"0/first/{move}" for move in BEST]))["white_score"].to_numpy()
        free = games.filter(pl.col("series") == "0/free")
        chose = free.filter(pl.col("line").str.split(" ").list.first().is_in(BEST))["white_score"].to_numpy()
        forced[name] = {"forced": proportion(after), "free": proportion(chose) if len(chose) > 1 else "none", "both": proportion(np.concatenate([after, chose])), "all": proportion(free["white_score"].to_numpy())}
    scores = [mean(second, agent, BEST) for agent in second.agents]
    favourites = [mean(second, agent, ["1A2A3", "1A8A7", "1A4A3", "1A6A7"]) for agent in second.agents]
    book = pl.read_parquet(study_folder("0041-six-plies") / "book.parquet").filter(pl.col("ply") == 0)
    held = dict(book.select("text", "backed").iter_rows())
    return {
        "best_0036": percent(np.mean([mean(first, agent, BEST) for agent in first.agents])),
        "best_0039": student(scores),
        "best_0039_lead": student(np.array(scores) - favourites),
        "best_new": student(scores[2:]),
        "chosen_0036": percent(chosen(first)),
        "chosen_0039": percent(chosen(second)),
        "nnue57": forced["nnue-57"],
        "agent71": forced["agent-71"],
        "book_best": " and ".join(percent(held[move]) for move in BEST),
    }


def ranks(numbers):
    """The rank of each number; equal ones share the mean of theirs."""
    return [sum(other < number for other in numbers) + sum(other == number for other in numbers) / 2 for number in numbers]


def correlations(studies):
    """Pearson's correlation of the book's first moves with games: all 44, and without the four moves of a 4."""
    book = pl.read_parquet(study_folder("0041-six-plies") / "book.parquet").filter(pl.col("ply") == 0)
    backed = dict(book.select("action", "backed").iter_rows())
    found = {}
    for key, study in zip(KINDS, studies):
        scores = study.of_series("score", SCORE)
        games = {move: np.mean([np.nanmean(scores[f"{agent}/first/{move}"]) for agent in study.agents]) for move in study.classes}
        for name, moves in (("all", list(study.classes)), ("rest", [move for move, of in study.classes.items() if of != "four"])):
            x, y = [backed[move] for move in moves], [games[move] for move in moves]
            found[f"{name}_{key}"] = f"{np.corrcoef(x, y)[0, 1]:.3f}"
            found[f"rank_{name}_{key}"] = f"{np.corrcoef(ranks(x), ranks(y))[0, 1]:.2f}"
        found[f"games_{key}"] = games
    quiet = [move for move, of in studies[0].classes.items() if of not in ("four", "three-away", "five-away")]
    both = [[found[f"games_{key}"][move] for move in quiet] for key in KINDS]
    found["ranking"] = f"{np.corrcoef(*both)[0, 1]:.2f}"
    found["ranked"] = str(len(quiet))
    return found


def ratings():
    """Elo above random play of those who played: by their score against alpha-beta of depth 1, and by the ladder."""
    ladder = (study_folder("0035-ladder") / "README.md").read_text()
    depth_1 = int(re.search(r"ply ahead is ([\d,]+) Elo above random play", ladder)[1].replace(",", ""))
    shares = []
    for agent in range(61, 66):
        text = (ROOT / f"models/agents/agent-{agent}/README.md").read_text()
        shares.append(float(re.search(r"([\d.]+) % of \d+ games \[[^]]*\] against alpha-beta that looks one ply ahead", text)[1]) / 100)
    above = np.mean([400 * math.log10(share / (1 - share)) for share in shares])
    nodes = int(re.search(r"nnue-52, 2,000 nodes \| \+(\d+)", ladder)[1])
    return {"depth_1": f"{depth_1:,}", "elo_0036": f"{round(depth_1 + above, -1):,.0f}", "elo_0039": f"{round(depth_1 + nodes, -1):,.0f}", "least": percent(min(shares), 0), "most": percent(max(shares), 0)}


def written():
    """The files of this study, and the two pages that have its abstract."""
    studies = [Study(name) for name in KINDS.values()]
    kinds = [Verdicts(study) for study in studies]
    claims = list(kinds[0].needs)
    fields = {"checked": sum(check_published(kind.study, kind.effects) for kind in kinds)}
    old = [{claim["id"]: WORDS[claim["verdict"]] for claim in study.published["claims"]} for study in studies]
    new = [{claim: kind.verdict(claim) for claim in claims} for kind in kinds]
    rows, effect_rows = [], []
    for claim in claims:
        moved = lambda place: new[place][claim] if old[place][claim] == new[place][claim] else f"{old[place][claim]} → **{new[place][claim]}**"
        by_rules = not any(effect.claim == claim and not effect.context for effect in kinds[0].effects)
        reason = REASONS.get(claim, "by the rules" if by_rules else "no change")
        rows.append([claim, moved(0), moved(1), reason])
    both = list(zip(kinds[0].effects, kinds[1].effects))
    counts = {"apart": 0, "opposite": 0, "effects": 0}
    for one, other in both:
        if not (one.played and other.played):
            effect_rows.append([one.claim, one.part + (" *" if one.context else ""), claimed(one), span(one) if one.played else "not played", span(other) if other.played else "not played", "", "", "", ""])
            continue
        difference, z_games, z_agents, q, p = between(one, other)
        counts["effects"] += 1
        counts["apart"] += abs(z_games) > 3
        counts["opposite"] += {one.verdict, other.verdict} == {"supported", "refuted"}
        points = lambda value: figure(one, value) if one.unit not in ("score", "share") else f"{100 * value:+.1f}".replace("-", "−")
        effect_rows.append([one.claim, one.part + (" *" if one.context else ""), claimed(one), span(one), span(other), points(difference), f"{z_games:.1f}".replace("-", "−"), f"{z_agents:.1f}".replace("-", "−"), f"{q:.0f} ({p:.2g})"])
    decided = ("supported", "refuted")
    by_games = [claim for claim in claims if any(effect.claim == claim and not effect.context and effect.played for kind in kinds for effect in kind.effects)]
    agree = [claim for claim in by_games if new[0][claim] in decided and new[0][claim] == new[1][claim]]
    contrary = [claim for claim in by_games if new[0][claim] in decided and new[1][claim] in decided and new[0][claim] != new[1][claim]]
    for key, of, before in zip(KINDS, new, old):
        for word in ("supported", "refuted", "open", "not tested"):
            fields[f"{word.replace(' ', '_')}_{key}"] = list(of.values()).count(word)
            fields[f"old_{word.replace(' ', '_')}_{key}"] = list(before.values()).count(word)
    effect = {}
    for key, kind in zip(KINDS, kinds):
        for one in kind.effects:
            effect[f"{one.claim}/{one.part}/{key}"] = span(one) if one.played else "not played"
    fields["points"] = {name: number.replace("+", "") for name, number in effect.items()}
    fields["verdict"] = {f"{claim}/{key}": verdict for key, of in zip(KINDS, new) for claim, verdict in of.items()}
    for key in KINDS:
        fields[f"lost_{key}"] = effect[f"B11/lost 5s that promote two dice/{key}"]
        fields[f"decided_{key}"] = effect[f"D1/games that are not drawn/{key}"]
    bump = next(one for one in kinds[0].effects if one.part == "the bump after A5F3")
    fields["lost_bump"] = f"{-100 * bump.mean:.1f} [{-100 * bump.interval[1]:.1f}, {-100 * bump.interval[0]:.1f}]"
    found = list(strength.sources())
    strength_rows, z = [], []
    for name, points, slope, error in found:
        z.append(slope / error)
        cells = ", ".join(f"{budget:,}: {percent(point.score)} ± {percent(1.96 * point.error)} ({point.games:,})" for budget, point in points.items())
        strength_rows.append([name, cells, f"{100 * slope:+.1f} ± {196 * error:.1f}", f"{z[-1]:.1f}"])
    nnue = found[0][1]
    fields |= counts | best_moves(studies) | correlations(studies) | ratings() | {
        "agree": ", ".join(agree),
        "agreeing": len(agree),
        "contrary": ", ".join(contrary) or "no claim",
        "by_games": len(by_games),
        "weakest": percent(min(point.score for point in nnue.values())),
        "strongest": percent(list(nnue.values())[-1].score),
        "stouffer": f"{sum(z) / math.sqrt(len(z)):.1f}",
        "verdict_table": table(["claim", "0036: residual agents", "0039: NNUE agents", "why"], rows),
        "effect_table": table(["claim", "effect", "claimed", "0036", "0039", "difference", "z, games", "z, agents", "Q (p)"], effect_rows),
        "strength_table": table(["source", "White's score by simulations or nodes ± 95 % (games)", "points a doubling", "z"], strength_rows),
        "effect": effect,
        "small_trapped": [percent(list(kind.study.late_dice())[0]["small trapped"][0]) for kind in kinds],
    }
    filled = lambda name: re.sub(r"\{\{(.+?)\}\}", lambda match: lookup(fields, match[1]), (HERE / name).read_text())
    fields["abstract"] = filled("abstract.md").strip()
    readme = filled("text.md")
    verdicts = {key: {claim: {"old": old[place][claim], "new": new[place][claim]} for claim in claims} for place, key in enumerate(KINDS)}
    files = {HERE / "README.md": readme, HERE / "verdicts.json": json.dumps(verdicts, indent=1) + "\n", HERE / "strength.svg": strength.picture(found)}
    for path in (ROOT / "README.md", ROOT / "docs/src/results/findings.md"):
        begin, end = "<!-- The sentences of study 0062, which its again.py writes -->\n", "\n<!-- end -->"
        before, rest = path.read_text().split(begin)
        files[path] = before + begin + fields["abstract"] + end + rest.split(end, 1)[1]
    return files


def lookup(fields, path):
    """A field by its path, such as `effect|A1/score of the first player/0036`."""
    value = fields
    for step in path.split("|"):
        value = value[int(step) if isinstance(value, list) else step]
    return str(value)


def main():
    differ = []
    for path, content in written().items():
        if "--check" in sys.argv[1:]:
            differ += [str(path)] if not path.exists() or path.read_text() != content else []
        else:
            path.write_text(content)
    if differ:
        sys.exit(f"not what the data say: {', '.join(differ)}; run again.py")


if __name__ == "__main__":
    main()
