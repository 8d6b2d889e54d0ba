"""A server and a browser for the tests of the page."""

import os
import pathlib
import shutil
import subprocess
import time
import unittest

from playwright.sync_api import sync_playwright

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CHASE", REPOSITORY / "target" / "debug" / "chase")
# `cargo xtask browser` names a program that it found on the path; Playwright wants the path itself.
BROWSER = next(filter(None, map(shutil.which, [os.environ.get("CHROMIUM", ""), "chromium", "google-chrome"])), None)


# Seconds for what must come, on a machine that is busy too.
PATIENCE = 300

# A run of one generation of four short games, with a network that knows nothing.
TINY = """
    limits.generations=1 rules.max_turns=30 evaluation.every=0 measurement.every=1 measurement.games=4
    selfplay.games=4 selfplay.group_games=4 selfplay.in_flight=4 selfplay.random_opening_share=0
    search.simulations=2 search.fast_simulations=1
    network.blocks=1 network.pooling=0 network.channels=8 network.policy_channels=8 network.value_channels=4
""".split()


def tiny_run(folder):
    """Trains a run in no time."""
    settings = [word for setting in TINY for word in ("--set", setting)]
    command = [PROGRAM, "train", "--quiet", "--run-dir", folder, *settings]
    subprocess.run(command, check=True, cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Served(unittest.TestCase):
    """Each class has a server and a browser; each test a page, in which no script may have failed."""

    # What `chase serve` is started with.
    ARGUMENTS = []
    # What Chromium is started with besides.
    OPTIONS = []
    # The screen and the like, as Playwright calls them.
    CONTEXT = {"viewport": {"width": 1200, "height": 900}}

    @classmethod
    def serve(cls, port):
        """Starts the server; port 0 is any."""
        command = [PROGRAM, "serve", "--port", str(port), *cls.ARGUMENTS]
        deadline = time.monotonic() + PATIENCE
        while True:
            cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            cls.address = cls.server.stdout.readline().strip()
            if cls.address:
                return
            cls.end_server()
            # For a moment another program may have the port that this one had.
            if not port or time.monotonic() > deadline:
                raise RuntimeError(f"{command} does not start")
            time.sleep(0.1)

    @classmethod
    def end_server(cls):
        cls.server.stdout.close()
        cls.server.kill()
        cls.server.wait()

    @classmethod
    def setUpClass(cls):
        cls.serve(0)
        cls.addClassCleanup(lambda: cls.end_server())
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        # The sandbox of Chromium does not work for root, which is who runs in containers.
        options = ["--no-sandbox", *cls.OPTIONS]
        cls.browser = playwright.chromium.launch(executable_path=BROWSER, args=options)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        context = self.browser.new_context(**self.CONTEXT)
        context.set_default_timeout(1000 * PATIENCE)
        self.addCleanup(context.close)
        self.page = context.new_page()
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: line.type == "error" and self.errors.append(line.text))
        self.open()

    def open(self, query=""):
        """Opens the page at an address."""
        self.page.goto(f"{self.address}{query}")
        self.loaded()

    def loaded(self):
        """Waits until the page is ready, after it was opened, loaded again or gone back to."""
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def tearDown(self):
        self.assertEqual(self.errors, [])

    def until(self, expression, arg=None):
        """Waits until an expression is true. (Playwright's own way needs `eval`, which the page's policy forbids.)"""
        deadline = time.monotonic() + PATIENCE
        while not self.page.evaluate(expression, arg):
            self.assertLess(time.monotonic(), deadline, f"never true: {expression} {arg or ''}")
            self.page.wait_for_timeout(25)

    def cell(self, name):
        return self.page.locator(f'[data-cell="{name}"]')

    def die(self, name):
        """The die on a cell, as `white 3`; nothing if there is none."""
        label = self.cell(name).get_attribute("aria-label").split(":")[0].split(", ")[1]
        return None if label == "empty" else label

    def choose(self, *names):
        """Clicks on cells, one after the other."""
        for name in names:
            self.cell(name).click()

    def put(self, text):
        """Puts a position or a record on the board."""
        self.page.evaluate("document.querySelector('#load').open = true")
        self.page.fill("#record-text", text)
        self.page.click('#record button:has-text("Load")')
        self.until("document.querySelector('#live').textContent.startsWith('game loaded')")

    def plies(self):
        """The plies in article form."""
        return self.page.locator("#moves button").all_inner_texts()

    def type(self, *moves):
        for text in moves:
            before = len(self.plies())
            self.page.fill("#typed", text)
            self.page.keyboard.press("Enter")
            self.wait_for_plies(before + 1)

    def shown(self):
        """The number of the ply that is shown, 0 at the start."""
        return self.page.evaluate("[...document.querySelectorAll('#moves button')].findIndex((ply) => ply.ariaCurrent) + 1")

    def wait_for_shown(self, number):
        self.until("number => [...document.querySelectorAll('#moves button')].findIndex((ply) => ply.ariaCurrent) + 1 === number", arg=number)

    def wait_for_plies(self, count):
        self.until("count => document.querySelectorAll('#moves button').length >= count", arg=count)

    def start(self, side, opponent):
        """Begins a game against somebody."""
        self.page.select_option("#side", side)
        self.page.select_option("#opponent", opponent)
        self.page.click("#start")
        self.until("document.querySelector('#match').textContent.startsWith('You play')")
