#!/usr/bin/env python3
"""Tries deliberate faults, and tells which tests notice them: see README.md. Needs Python 3.11, git and cargo."""

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
FAULTS = HERE / "faults.toml"
README = HERE / "README.md"
SCRATCH = REPOSITORY / "target" / "faults"
# Folders that git ignores and tests need.
LINKED = [".libtorch", ".tools"]
# Seconds for one `cargo test`, with the build before it. A fault may keep a test from ending.
PATIENCE = 1800
# Names of tests that are shown; the list has all.
SHOWN = 2


class BadFault(Exception):
    """A fault that cannot be tried. It says nothing about the tests."""


def load() -> list[dict]:
    return tomllib.loads(FAULTS.read_text())["fault"]


def select(names: list[str]) -> list[dict]:
    faults = load()
    unknown = set(names) - {fault["name"] for fault in faults}
    if unknown:
        sys.exit(f"no such fault: {', '.join(sorted(unknown))}; faults.py list names them all")
    return [fault for fault in faults if not names or fault["name"] in names]


def with_fault(tree: Path, fault: dict) -> str:
    """The text of the fault's file with the fault in it."""
    path = tree / fault["file"]
    if not path.is_file():
        raise BadFault(f"there is no {fault['file']}; the place: {fault['place']}")
    text = path.read_text()
    if (count := text.count(fault["old"])) != 1:
        raise BadFault(f"`old` occurs {count} times in {fault['file']}, expected once; the place: {fault['place']}")
    return text.replace(fault["old"], fault["new"])


def git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=REPOSITORY, check=True, text=True, stdout=subprocess.PIPE)
    return run.stdout.strip()


def scratch_tree() -> Path:
    """A worktree of HEAD. It stays for the next run, so that only what has changed since is built again."""
    tree = SCRATCH / "tree"
    head = git("rev-parse", "HEAD")
    if (tree / ".git").exists():
        git("-C", str(tree), "reset", "--quiet", "--hard", head)
    else:
        git("worktree", "prune")
        git("worktree", "add", "--quiet", "--detach", str(tree), head)
    for name in LINKED:
        if (REPOSITORY / name).exists() and not (tree / name).exists():
            (tree / name).symlink_to((REPOSITORY / name).resolve())
    return tree


def cargo_test(tree: Path, arguments: str) -> list[str]:
    """Names of the tests that fail."""
    environment = {"CARGO_TARGET_DIR": str(SCRATCH / "build"), **os.environ}
    command = ["cargo", "test", "--no-fail-fast", *shlex.split(arguments)]
    process = subprocess.Popen(
        command, cwd=tree, env=environment, text=True, errors="replace", start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    try:
        output, _ = process.communicate(timeout=PATIENCE)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            raise BadFault(f"`{shlex.join(command)}` has not ended after {PATIENCE} s") from None
        raise
    if "error: could not compile" in output or not re.search(r"^running [1-9]", output, re.MULTILINE):
        errors = re.findall(r"^error.*(?:\n +-->.*)?", output, re.MULTILINE)
        raise BadFault(f"`{shlex.join(command)}` ran no test: {'; '.join(errors[:3]) or output[-300:]}")
    blocks = re.findall(r"^failures:\n((?:    .+\n)+)\ntest result: FAILED", output, re.MULTILINE)
    failed = [line.strip() for block in blocks for line in block.splitlines()]
    if process.returncode != 0 and not failed:
        failed = ["(a test program ended abnormally)"]
    return sorted(set(failed))


def noticing_tests(tree: Path, fault: dict, failing_anyway: dict[str, list[str]]) -> list[str]:
    """Names of the tests that fail with the fault alone."""
    text = with_fault(tree, fault)
    path = tree / fault["file"]
    sound = path.read_text()
    path.write_text(text)
    try:
        for arguments in fault["tests"]:
            failed = set(cargo_test(tree, arguments)) - set(failing_anyway.get(arguments, []))
            if failed:
                return sorted(failed)
        return []
    finally:
        # Written, not restored with its old time: cargo must see that it has changed back.
        path.write_text(sound)


def record(name: str, noticed_by: list[str]) -> None:
    """Writes the tests that noticed a fault to the list, and the table to the README."""
    before, separator, block = FAULTS.read_text().partition(f'[[fault]]\nname = "{name}"\n')
    names = "".join(f'\n    "{test}",' for test in noticed_by) + ("\n" if noticed_by else "")
    known = re.compile(r"^(tests = .*\n)(noticed_by = \[[^\]]*\]\n)?", re.MULTILINE)
    block = known.sub(lambda found: f"{found[1]}noticed_by = [{names}]\n", block, count=1)
    FAULTS.write_text(before + separator + block)
    text = README.read_text()
    first, last = text.index("| fault |"), text.rindex("|\n") + 2
    README.write_text(text[:first] + table(load()) + text[last:])


def shown(tests: list[str] | None) -> str:
    """The tests that noticed a fault, as text; `None` if it was not tried."""
    if not tests:
        return "not tried yet" if tests is None else "**no test**"
    more = f" and {len(tests) - SHOWN} more" if len(tests) > SHOWN else ""
    return ", ".join(f"`{test}`" for test in tests[:SHOWN]) + more


def table(faults: list[dict]) -> str:
    rows = ["| fault | what it breaks | noticed by |", "|---|---|---|"]
    rows += [f"| `{fault['name']}` | {fault['breaks']} | {shown(fault.get('noticed_by'))} |" for fault in faults]
    return "\n".join(rows) + "\n"


def check(names: list[str]) -> int:
    """Whether each fault can be put into the working tree, which stays as it is."""
    bad = 0
    for fault in select(names):
        try:
            with_fault(REPOSITORY, fault)
        except BadFault as error:
            print(f"{fault['name']}: {error}")
            bad += 1
    print(f"{bad} faults do not apply" if bad else "all faults apply")
    return min(bad, 1)


def run(names: list[str], baseline: bool) -> int:
    faults, tree = select(names), scratch_tree()
    failing_anyway = {}
    if baseline:
        for arguments in dict.fromkeys(arguments for fault in faults for arguments in fault["tests"]):
            failing_anyway[arguments] = cargo_test(tree, arguments)
            print(f"without a fault, {arguments}: {', '.join(failing_anyway[arguments]) or 'all pass'}", flush=True)
    missed = 0
    for fault in faults:
        begin = time.monotonic()
        try:
            tests = noticing_tests(tree, fault, failing_anyway)
            if tests or not fault.get("noticed_by"):
                record(fault["name"], tests)
            # Otherwise the record of earlier tests stays, so that the loss is not forgotten.
            result = f"noticed by {shown(tests)}"
            if not tests:
                result = f"PASSES UNNOTICED; on record: {shown(fault.get('noticed_by'))}"
        except BadFault as error:
            tests, result = [], f"BAD FAULT: {error}"
        missed += not tests
        print(f"{fault['name']:28} {time.monotonic() - begin:5.0f} s  {result}", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults are noticed")
    return min(missed, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="print the faults and the tests that noticed them")
    for name, text in [("check", "see whether each fault applies to the working tree"), ("run", "try faults on HEAD")]:
        commands.add_parser(name, help=text).add_argument("names", nargs="*", metavar="NAME")
    commands.choices["run"].add_argument("--baseline", action="store_true", help="first run the tests without a fault")
    options = parser.parse_args()
    if options.command == "list":
        print(table(load()), end="")
        return 0
    return check(options.names) if options.command == "check" else run(options.names, options.baseline)


if __name__ == "__main__":
    sys.exit(main())
