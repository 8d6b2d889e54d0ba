"""A run: its network, its openings, its games and its curves."""

import pathlib
import tempfile

from served import Served, tiny_run


class Runs(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tiny_run(pathlib.Path(folder.name) / "tiny")
        cls.ARGUMENTS = ["--runs", folder.name, "--device", "cpu"]
        super().setUpClass()

    def test_its_network_plays_and_analyses(self):
        self.page.select_option("#opponent", "net:tiny")
        self.page.fill("#amount", "5")
        self.page.select_option("#side", "black")
        self.page.click("#start")
        self.wait_for_plies(1)
        self.page.click("#tab-analysis")
        self.assertEqual(self.page.input_value("#judge"), "net:tiny")
        self.page.fill("#simulations", "20")
        self.page.click("#analyse")
        self.until("document.querySelector('#facts').textContent.includes('done')")

    def test_its_openings_are_walked_through(self):
        self.page.click("#tab-explorer")
        self.until("document.querySelector('#explored-facts').textContent.startsWith('8 games')")
        first = self.page.locator("#explored tbody tr").first
        first.hover()
        self.assertNotEqual(self.page.inner_text("#preview"), "")
        text = first.locator("button").inner_text()
        first.locator("button").click()
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), [text])
        self.until("document.querySelectorAll('#explored tbody tr').length > 0")

    def test_its_games_are_replayed_and_its_report_opens(self):
        self.page.click("#tab-runs")
        self.until("document.querySelector('#run-facts').textContent.includes('generation 1')")
        self.page.click("summary")
        self.page.locator("#run-games button").first.click()
        self.until("document.querySelectorAll('#moves button').length > 5")
        self.assertTrue(self.page.locator("#first").is_disabled())
        with self.page.context.expect_page() as opened:
            self.page.click("text=Report")
        opened.value.wait_for_load_state()
        self.assertIn("Openings", opened.value.inner_text("body"))
