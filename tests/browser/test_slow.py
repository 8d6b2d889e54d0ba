"""A server that is slow, gone for a while, or has many pages open."""

import json
import pathlib
import tempfile
import time

from served import PATIENCE, Served, tiny_run

# Lets the page wait for each answer about the game, as if the server were far away.
SLOW = """
    const { fetch } = window;
    window.latency = 0;
    window.fetch = async (path, options) => {
      if (path === "/api/game") await new Promise((done) => setTimeout(done, window.latency));
      return fetch(path, options);
    };
"""
LATENCY = 150


class Slow(Served):
    def setUp(self):
        super().setUp()
        self.page.add_init_script(SLOW)
        self.open("?moves=1A5A4 1I3I4 2A3A2 1I3I2 A2NW I7SE A5NW I1SE E9W F9W =A9 3A4A3 3I4I3 A4E")
        self.assertEqual(self.shown(), 14)
        self.page.evaluate("latency => (window.latency = latency)", LATENCY)

    def press(self, key, times, pause=30):
        for _ in range(times):
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(pause)

    def test_every_step_counts(self):
        self.press("ArrowLeft", 10)
        self.wait_for_shown(4)
        self.press("ArrowRight", 3, pause=0)
        self.press("ArrowLeft", 1)
        self.wait_for_shown(6)
        for _ in range(4):
            self.page.click("#back")
        self.wait_for_shown(2)
        self.page.click("#last")
        self.press("ArrowLeft", 2)
        self.wait_for_shown(12)

    def test_a_key_that_is_held_shows_what_it_goes_through(self):
        # Before it is let go. On a busy machine the game's beginning may come first; then it is held once more.
        deadline, shown = time.monotonic() + PATIENCE, 14
        while shown not in range(1, 13) and time.monotonic() < deadline:
            if shown == 0:
                self.page.keyboard.up("ArrowLeft")
                self.page.keyboard.press("End")
                self.wait_for_shown(14)
            self.page.keyboard.down("ArrowLeft")
            self.page.wait_for_timeout(40)
            shown = self.shown()
        self.assertIn(shown, range(1, 13))
        self.page.keyboard.up("ArrowLeft")

    def test_every_ply_is_taken_back(self):
        self.press("u", 3)
        self.until("document.querySelectorAll('#moves button').length === 11")
        # Nothing comes after that: longer than any answer is on its way.
        self.page.wait_for_timeout(3 * LATENCY)
        self.assertEqual((len(self.plies()), self.shown()), (11, 11))
        # From where the steps before lead to.
        self.press("ArrowLeft", 2, pause=0)
        self.press("u", 1)
        self.until("document.querySelectorAll('#moves button').length === 8")

    def test_a_move_that_is_on_its_way_is_not_lost(self):
        self.choose("F6", "F9")
        self.press("ArrowLeft", 1)
        self.wait_for_plies(15)
        self.wait_for_shown(14)
        # Nothing more is chosen on a board that does not show it yet.
        self.press("End", 1)
        self.wait_for_shown(15)
        self.choose("A1", "D3", "A3", "E1")
        self.wait_for_plies(16)
        self.page.wait_for_timeout(3 * LATENCY)
        self.assertEqual(self.plies()[14:], ["F6F9", "A1D3"])

    def test_moves_that_are_typed_follow_each_other(self):
        self.page.click("#first")
        self.wait_for_shown(0)
        self.page.fill("#typed", "A7D9")
        self.page.keyboard.press("Enter")
        self.page.fill("#typed", "1i6i7")
        self.page.keyboard.press("Enter")
        self.wait_for_shown(2)
        self.assertEqual(self.plies(), ["A7D9", "1I6I7"])

    def test_the_opponents_answer_belongs_to_the_end_of_the_game(self):
        self.page.evaluate("latency => (window.latency = 0)")
        self.start("white", "random")
        self.page.evaluate("latency => (window.latency = latency)", LATENCY)
        self.choose("A3", "D2")
        for _ in range(20):
            self.page.keyboard.press("ArrowLeft")
            self.page.wait_for_timeout(20)
        self.page.keyboard.press("End")
        self.until("document.querySelector('#match').textContent.includes('your move')")
        self.assertEqual((len(self.plies()), self.plies()[0]), (2, "A3D2"))


class Away(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.runs = pathlib.Path(folder.name)
        tiny_run(cls.runs / "tiny")
        cls.ARGUMENTS = ["--runs", folder.name, "--device", "cpu"]
        super().setUpClass()

    def setUp(self):
        # A test that failed has left no server.
        if self.server.poll() is not None:
            self.serve(self.port)
        super().setUp()

    @property
    def port(self):
        return self.address.rstrip("/").rsplit(":", 1)[1]

    def lose(self):
        """Ends the server, and waits until the page has noticed."""
        self.end_server()
        self.until("document.querySelector('#notice').textContent.includes('the server does not answer')")

    def come_back(self):
        """Starts the server again, and waits until the page has noticed by itself."""
        self.serve(self.port)
        self.until("document.querySelector('#notice').hidden")
        # The browser notes requests that nobody answered.
        self.errors.clear()

    def test_a_run_is_followed_again(self):
        self.page.click("#tab-runs")
        self.until("document.querySelector('#run-facts').textContent.includes('generation 1')")
        self.lose()
        metrics = self.runs / "tiny" / "metrics.jsonl"
        records = [json.loads(line) for line in metrics.read_text().splitlines()]
        more = [record | {"step": record["step"] + 10} for record in records if record["part"] == "learner"]
        metrics.write_text("".join(json.dumps(record) + "\n" for record in records + more))
        self.come_back()
        self.until("document.querySelectorAll('#curves figure').length > 0")
        # A run that is begun meanwhile is there without a click.
        tiny_run(self.runs / "later")
        self.until("[...document.querySelectorAll('#run option')].some(({ value }) => value === 'later')")

    def test_an_analysis_goes_on(self):
        self.page.click("#tab-analysis")
        self.until("/^[1-9].* simulations in .*…$/.test(document.querySelector('#facts').textContent)")
        self.lose()
        self.come_back()
        self.until("/^[1-9].* simulations in .*…$/.test(document.querySelector('#facts').textContent)")
        self.assertEqual(self.page.inner_text("#analyse"), "Pause")

    def test_openings_that_are_looked_at_meanwhile_come_later(self):
        self.end_server()
        self.page.click("#tab-explorer")
        self.until("document.querySelector('#notice').textContent.includes('the server does not answer')")
        self.come_back()
        self.until("document.querySelectorAll('#book-moves tbody tr').length > 0")
        self.until("document.querySelector('#explored-facts').textContent.endsWith(' games.')")

    def test_a_cluster_is_looked_at_again(self):
        status = {"server": "nats://here", "bytes": 0, "bytes_limit": None, "runs": [], "workers": []}
        here = []
        self.page.route("**/api/status/*", lambda route: route.fulfill(json=route.fetch().json() | {"has_cluster": True}))
        self.page.route("**/api/cluster", lambda route: route.fulfill(json=status) if here else route.abort())
        self.open()
        self.page.click("#tab-runs")
        self.until("document.querySelector('#cluster-facts').textContent === 'the server does not answer'")
        here.append(status)
        self.until("document.querySelector('#cluster-facts').textContent === 'nats://here: 0 MiB stored, 0 workers.'")
        self.errors.clear()

    def test_the_opponent_is_asked_again(self):
        self.page.route("**/api/play", lambda route: route.abort())
        self.page.select_option("#side", "black")
        self.page.select_option("#opponent", "greedy")
        self.page.click("#start")
        self.page.wait_for_selector("#retry:not([hidden])")
        self.assertIn("The opponent could not move: the server does not answer", self.page.inner_text("#match"))
        self.page.unroute("**/api/play")
        self.wait_for_plies(1)
        self.assertIn("It is your move", self.page.inner_text("#match"))
        self.errors.clear()


class Many(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tiny_run(pathlib.Path(folder.name) / "tiny")
        cls.ARGUMENTS = ["--runs", folder.name, "--device", "cpu"]
        super().setUpClass()

    def test_eight_tabs_that_follow_a_run_leave_connections_to_each_other(self):
        pages = [self.page, *(self.page.context.new_page() for _ in range(7))]
        for number, page in enumerate(pages):
            page.on("pageerror", lambda error: self.errors.append(str(error)))
            page.goto(self.address, wait_until="commit")
            page.wait_for_selector("html[data-ready]", state="attached")
            page.click("#tab-runs")
            page.wait_for_selector("#run-facts:has-text('generation 1')")
        # Whoever plays in the last of them is answered.
        self.page = pages[-1]
        self.page.click("#tab-play")
        self.type("A3D2")

    def test_a_tab_that_is_hidden_asks_for_nothing(self):
        self.page.click("#tab-runs")
        self.until("document.querySelector('#run-facts').textContent.includes('generation 1')")
        hide = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
        self.page.evaluate(hide, True)
        asked = []
        self.page.on("request", lambda request: asked.append(request.url))
        # Longer than a page that is seen waits before it asks again: PAUSE in looks.js.
        self.page.wait_for_timeout(7000)
        self.assertEqual(asked, [])
        with self.page.expect_request("**"):
            self.page.evaluate(hide, False)
