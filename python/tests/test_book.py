"""The book's queries run, and its tables of planes and tensors are what the program has."""

import re

import chase_rl
import duckdb
import pytest
from conftest import REPOSITORY

BOOK = REPOSITORY / "docs/src"
# A small run and a match: `chase train config.toml`, `chase match random greedy --pairs 2`.
RUN = REPOSITORY / "python/tests/run"
STUDIES = REPOSITORY / "experiments/studies"


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (BOOK / page).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("page", "folder", "python", "sql"),
    [
        ("reference/run-directory.md", RUN, 3, 4),
        ("reference/network.md", RUN, 1, 0),
        ("guides/python.md", REPOSITORY, 3, 0),
        ("study/games.md", STUDIES / "0007-two-agents", 1, 1),
        ("study/games.md", STUDIES / "0025-forks-and-budgets", 1, 1),
    ],
)
def test_queries_run(page, folder, python, sql, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    codes, queries = blocks(page, "python"), blocks(page, "sql")
    assert (len(codes), len(queries)) == (python, sql)
    for code in codes:
        exec(compile(code, page, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()
    for query in queries:
        for statement in duckdb.extract_statements(query):
            assert duckdb.sql(statement.query).fetchall(), query


def test_a_study_can_be_read_as_the_book_says(monkeypatch, capsys):
    monkeypatch.chdir(STUDIES / "0015-opening-study")
    [code] = blocks("study/method.md", "python")
    exec(compile(code, "method.md", "exec"), {"__name__": "__main__"})
    assert "A1" in capsys.readouterr().out


def rows(page, heading):
    """The cells of the rows of the first table behind a heading."""
    text = (BOOK / page).read_text().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    table = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def test_the_table_of_planes_is_what_the_game_has():
    game = chase_rl.load_game("chase", encoding={"attack_maps": True, "move_maps": True})
    names = list(game.plane_names)
    for cells in rows("reference/network.md", "Input"):
        told, number = re.findall(r"`([^`]+)`", cells[0]), int(cells[1])
        group, names = names[:number], names[number:]
        if "…" in cells[0]:
            assert [group[0], group[-1]] == told
        else:
            assert group == told
    assert not names


def test_the_table_of_tensors_is_what_an_agent_has(agent):
    shape, architecture = agent.manifest["shape"], agent.manifest["architecture"]
    sizes = {
        "C": shape["planes"],
        "T": architecture["channels"],
        "P": shape["policy_planes"],
        "p": architecture["policy_channels"],
        "v": architecture["value_channels"],
        "h": architecture["value_hidden"],
    }
    tensors = chase_rl.network.read_safetensors(agent.weights)
    known = {}
    for cells in rows("reference/network.md", "Tensors"):
        names = re.findall(r"`([^`]+)`", cells[0])
        names = [name if "." in name[1:] else names[0].rsplit(".", 1)[0] + name for name in names]
        shapes = [shape.replace("−", "-").replace("·", "*").replace("2v", "2 * v") for shape in re.findall(r"`(\[[^`]+\])`", cells[1])]
        known |= dict(zip(names, shapes, strict=False)) if shapes else dict.fromkeys(names)
    for name, tensor in tensors.items():
        pattern = re.sub(r"^block\d+", "block<i>", name)
        if name.startswith("auxiliary."):
            pattern = "auxiliary.*"
        elif ".norm." in name:
            pattern = "<layer>.norm.scale" if name.endswith("scale") else "<layer>.norm." + name.rsplit(".", 1)[1]
        assert pattern in known, name
        if known[pattern] is None:
            continue
        expected = eval(known[pattern].replace("/", "//"), {}, sizes)
        # In blocks with pooling the page says so in words.
        block = re.match(r"block(\d+)\.second\.weight", name)
        pooling = architecture["pooling"]
        if block and pooling and (int(block[1]) + 1) % pooling == 0:
            expected[1] -= sizes["T"] // 4
        assert list(tensor.shape) == expected, name
