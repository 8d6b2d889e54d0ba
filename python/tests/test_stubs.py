"""The types that editors see are those of the compiled module."""

import ast
import inspect
from pathlib import Path

import chase_rl
import pytest
from chase_rl import _native

PACKAGE = Path(chase_rl.__file__).parent
STUBS = ast.parse((PACKAGE / "_native.pyi").read_text())


def signature_in_stub(function):
    arguments = function.args
    plain = [argument.arg for argument in arguments.args if argument.arg not in ("self", "cls")]
    rest = [argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument]
    return plain, sorted(argument.arg for argument in arguments.kwonlyargs), rest


def signature_at_run_time(function):
    parameters = [one for one in inspect.signature(function).parameters.values() if one.name != "self"]
    kinds = inspect.Parameter
    plain = [one.name for one in parameters if one.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    named = sorted(one.name for one in parameters if one.kind is kinds.KEYWORD_ONLY)
    return plain, named, [one.name for one in parameters if one.kind in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)]


CLASSES = [node for node in STUBS.body if isinstance(node, ast.ClassDef)]
FUNCTIONS = [node for node in STUBS.body if isinstance(node, ast.FunctionDef)]


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()
    stubbed = {node.name for node in [*CLASSES, *FUNCTIONS]}
    assert stubbed == {name for name in dir(_native) if not name.startswith("_")}
    assert set(chase_rl.__all__) <= set(dir(chase_rl))


@pytest.mark.parametrize("node", FUNCTIONS, ids=lambda node: node.name)
def test_functions_have_these_parameters(node):
    assert signature_in_stub(node) == signature_at_run_time(getattr(_native, node.name))


@pytest.mark.parametrize("node", CLASSES, ids=lambda node: node.name)
def test_classes_have_these_members(node):
    members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
    kind = getattr(_native, node.name)
    public = {name for name in vars(kind) if not name.startswith("_")}
    assert public == {name for name in members if not name.startswith("_")}
    for name, member in members.items():
        if member.decorator_list:
            assert inspect.isdatadescriptor(vars(kind)[name]), name
        elif name == "__new__":
            assert signature_in_stub(member) == signature_at_run_time(kind)
        elif not name.startswith("__"):
            assert signature_in_stub(member) == signature_at_run_time(getattr(kind, name)), name
