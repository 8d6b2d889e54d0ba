"""A run: its network, its openings, its games and its curves."""

import json
import pathlib
import subprocess
import tempfile

from served import PROGRAM, REPOSITORY, Served, tiny_run


class Runs(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tiny_run(pathlib.Path(folder.name) / "tiny")
        # One step more of the learner, so that there are curves.
        metrics = pathlib.Path(folder.name) / "tiny" / "metrics.jsonl"
        records = [json.loads(line) for line in metrics.read_text().splitlines()]
        more = [record | {"step": record["step"] + 10} for record in records if record["part"] == "learner"]
        metrics.write_text("".join(json.dumps(record) + "\n" for record in records + more))
        match = ["match", "random", "greedy", "--game", "stax", "--pairs", "1", "--openings", "balanced:plies=2,count=4,depth=1,margin=400", "--quiet"]
        subprocess.run([PROGRAM, *match, "--run-dir", pathlib.Path(folder.name) / "few"], check=False, stdout=subprocess.DEVNULL)
        study = REPOSITORY / "experiments" / "studies" / "0039-five-and-five"
        cls.ARGUMENTS = ["--runs", folder.name, "--study", study, "--device", "cpu"]
        super().setUpClass()

    def test_its_network_plays_and_analyses(self):
        self.page.select_option("#opponent", "net:tiny")
        self.page.fill("#amount", "5")
        self.page.select_option("#side", "black")
        self.page.click("#start")
        self.wait_for_plies(1)
        self.page.click("#tab-analysis")
        self.page.fill("#simulations", "20")
        self.page.press("#simulations", "Tab")
        # Another engine begins anew.
        self.page.select_option("#judge", "net:tiny")
        self.until("/^20 simulations.*done/.test(document.querySelector('#facts').textContent)")

    def test_an_older_checkpoint_plays(self):
        self.page.select_option("#opponent", "net:tiny")
        self.assertEqual(self.page.locator("#opponent-checkpoint option").all_inner_texts(), ["newest, generation 1", "generation 0"])
        self.page.select_option("#opponent-checkpoint", "gen-000000")
        self.page.fill("#amount", "5")
        self.page.select_option("#side", "black")
        self.page.click("#start")
        self.wait_for_plies(1)
        self.assertIn("net:tiny/gen-000000", self.page.inner_text("#seat-far"))
        self.page.select_option("#opponent", "greedy")
        self.assertFalse(self.page.is_visible("#opponent-checkpoint"))

    def explored(self, words):
        self.until("words => document.querySelector('#explored-facts').textContent === words", arg=words)

    def test_its_openings_are_walked_through(self):
        self.page.click("#tab-explorer")
        # Games of self-play, whose moves are drawn at random, are left out at first.
        self.explored("8 games.")
        self.assertFalse(self.page.is_checked("#kind-selfplay"))
        self.page.check("#kind-selfplay")
        self.explored("12 games.")
        first = self.page.locator("#explored tbody tr").first
        first.hover()
        self.assertNotEqual(self.page.inner_text("#preview"), "")
        text = first.locator("button").first.get_attribute("title").removeprefix("Play ")
        first.locator("button").first.click()
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), [text])
        self.until("document.querySelectorAll('#explored tbody tr').length > 0")

    def test_its_games_are_told_apart_by_kind_and_by_checkpoint(self):
        self.page.click("#tab-explorer")
        self.explored("8 games.")
        self.assertFalse(self.page.is_visible("#explored-player"))
        self.page.check("#kind-selfplay")
        self.explored("12 games.")
        self.page.select_option("#explored-run", "tiny")
        # Another run has other kinds.
        self.explored("8 games.")
        self.page.check("#kind-selfplay")
        self.explored("12 games.")
        self.page.uncheck("#kind-measurement")
        self.explored("4 games.")
        self.page.check("#kind-measurement")
        self.page.select_option("#explored-player", "gen-000001")
        self.explored("4 games.")
        self.page.locator("#explored button[aria-expanded]").first.click()
        by = self.page.locator("#explored .by tbody tr")
        self.assertEqual([text.split()[:3] for text in by.all_inner_texts()], [["generation", "1", "measurement"]])
        # Its rows are seen whole, and names are not broken.
        box = self.page.locator("#explored .by").first
        self.assertTrue(box.evaluate("box => box.scrollHeight <= box.clientHeight"))
        self.assertTrue(box.locator("tbody td").first.evaluate("cell => cell.clientHeight < 3 * parseFloat(getComputedStyle(cell).fontSize)"))

    def test_verdicts_stand_beside_moves(self):
        self.page.click("#tab-explorer")
        self.explored("8 games.")
        self.page.click("#all-moves")
        self.until("document.querySelectorAll('#explored .said').length > 20")
        # Each of these moves was played, searched or judged; classes and verdicts are words.
        rows = self.page.locator("#explored > div > table > tbody > tr[data-action]").all_inner_texts()
        said = self.page.locator("#explored .said").all_inner_texts()
        self.assertEqual(len(rows), len(said))
        for row, about in zip(rows, said):
            self.assertTrue(set(row.split()[1:]) - {"–", "▸"} or "B" in about, f"{row} {about}")
            self.assertNotRegex(about, "[a-z]-[a-z0-9]|undefined")
        self.assertTrue(any(about.startswith("wraparound bump") for about in said))
        chips = self.page.locator("#explored .said .verdict")
        for chip in chips.all_inner_texts():
            self.assertRegex(chip, r"^B\d+ (✓ supported|✗ refuted|\? inconclusive)$")
        self.assertRegex(chips.first.get_attribute("title"), r"^B\d+: (supported|refuted|inconclusive) \(")
        self.page.click('tr[data-action="A4NE"] button[aria-expanded]')
        claim = self.page.locator("tr.more:visible .claim")
        self.assertIn("A first move of a 4, in any direction, is reckless.", claim.inner_text())
        self.assertIn("by 0039-five-and-five", claim.inner_text())
        # What a position has at length is not carried over to another.
        self.page.click('tr[data-action="A4NE"] button.link >> nth=0')
        self.until("document.querySelectorAll('#explored tbody tr[data-action=I4SE]').length === 1")
        self.assertEqual(self.page.locator("tr.more:visible").count(), 0)
        self.assertIn("B10", self.page.locator("#explored .said").first.inner_text())

    def test_curves_have_axes_and_a_match_has_standings(self):
        self.page.click("#tab-runs")
        # The run that was begun last is shown first.
        self.until("document.querySelector('#run').value === 'few'")
        self.until("document.querySelectorAll('#standings tbody tr').length === 2")
        self.assertIn("2 of 2 games; Elo above", self.page.inner_text("#standings"))
        self.assertIn("Match or tournament of stax, 2 games.", self.page.inner_text("#run-facts"))
        self.page.select_option("#run", "tiny")
        self.until("document.querySelectorAll('#curves .graph .left').length > 0")
        self.assertEqual(self.page.locator("#standings tbody tr").count(), 0)
        graph = self.page.locator("#curves .graph").first
        before = self.page.inner_text("#curves figure:first-child p")
        graph.scroll_into_view_if_needed()
        box = graph.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 20)
        after = self.page.inner_text("#curves figure:first-child p")
        # No two numbers at an axis look alike.
        for figure in self.page.locator("#curves figure").all():
            texts = figure.locator(".graph .left").all_text_contents()
            self.assertEqual(len(texts), len(set(texts)), texts)
        self.assertRegex(after, r"^(step|generation) [\d,]+: ")
        self.assertNotEqual(before, after)

    def test_numbers_below_zero_have_a_minus(self):
        def with_a_bound(route):
            run = route.fetch().json()
            run["standings"]["players"][-1] |= {"name": "weak", "rating": {"standing": "at-most", "elo": -1077.4}}
            run["standings"]["players"][0]["player"] = run["standings"]["players"][0]["name"] = "alpha-beta:depth=1"
            route.fulfill(json=run)

        self.page.route("**/api/runs/few", with_a_bound)
        self.page.click("#tab-runs")
        self.until("document.querySelectorAll('#standings tbody tr').length === 2")
        self.assertIn("≤ −1,077", self.page.inner_text("#standings tbody"))
        # The widest bound fits on a phone.
        self.page.set_viewport_size({"width": 390, "height": 844})
        box = self.page.locator("#standings")
        self.assertTrue(box.evaluate("box => box.scrollWidth <= box.clientWidth"))

    def test_its_games_are_replayed_and_its_report_opens(self):
        self.page.click("#tab-runs")
        self.page.wait_for_selector("#run option[value=tiny]", state="attached")
        self.page.select_option("#run", "tiny")
        self.until("document.querySelector('#run-facts').textContent.includes('generation 1')")
        self.page.click("#run-games summary")
        self.page.locator("#run-games button").first.click()
        self.until("document.querySelectorAll('#moves button').length > 5")
        self.assertTrue(self.page.locator("#first").is_disabled())
        with self.page.context.expect_page() as opened:
            self.page.click("text=Report")
        opened.value.wait_for_load_state()
        self.assertIn("Openings", opened.value.inner_text("body"))
        # A phone does not scroll sideways.
        opened.value.set_viewport_size({"width": 390, "height": 844})
        self.assertLessEqual(opened.value.evaluate("document.documentElement.scrollWidth"), 390)

    def test_a_report_of_a_match_is_no_wider_than_a_phone(self):
        page = self.page.context.new_page()
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{self.address.rstrip('/')}/runs/few/report.html")
        self.assertIn("greedy", page.inner_text("body"))
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)


class NoRuns(Served):
    def test_openings_say_what_to_start(self):
        self.page.click("#tab-explorer")
        # A position that the built-in book does not have.
        self.put("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b")
        self.until("!document.querySelector('#no-openings').hidden")
        self.assertRegex(self.page.inner_text("#no-openings"), "--runs DIR .* --study DIR ")
        self.assertEqual(self.page.locator("#explored tr").count(), 0)


class EmptyFolder(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.ARGUMENTS = ["--runs", folder.name]
        super().setUpClass()

    def test_an_empty_folder_has_nothing_to_choose(self):
        self.page.click("#tab-runs")
        self.until("document.querySelector('#run-facts').textContent.startsWith('The folder has no runs yet')")
        self.assertFalse(self.page.is_visible("#run"))
