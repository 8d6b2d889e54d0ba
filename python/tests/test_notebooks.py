"""Every notebook runs from its first cell to its last."""

import ast
import json

import matplotlib
import pytest
from conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "python/notebooks").glob("*.ipynb"))


def run(cell, names):
    """Runs a cell as Jupyter does, and returns the value of its last expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    notebook = json.loads(path.read_text())
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(sources) > 3
    # Kept without results, which would be out of date.
    assert all(not cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    if any("import torch" in source for source in sources):
        pytest.importorskip("torch", reason="PyTorch is not there: cargo xtask python --torch")
    matplotlib.use("agg")
    monkeypatch.chdir(path.parent)
    names = {"__name__": "__main__"}
    shown = 0
    for source in sources:
        value = run(source, names)
        if value is not None:
            assert repr(value)
            if hasattr(value, "_repr_svg_"):
                assert value._repr_svg_().startswith("<svg")
            shown += 1
    assert shown > 0


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 6
