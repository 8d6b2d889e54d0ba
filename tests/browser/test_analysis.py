"""What the page says about positions."""

from served import Served


class Analysis(Served):
    def setUp(self):
        super().setUp()
        self.page.click("#tab-analysis")
        self.page.fill("#simulations", "60")

    def analyse(self):
        self.page.click("#analyse")
        self.until("document.querySelector('#facts').textContent.includes('done')")

    def test_candidates_stand_in_a_table_and_on_the_board(self):
        self.analyse()
        self.assertEqual(self.page.locator("#candidates tbody tr").count(), 8)
        self.assertGreater(self.page.locator(".course.candidate").count(), 0)
        self.assertIn("White wins", self.page.get_attribute("#odds", "aria-label"))
        self.page.hover("#candidates tbody tr:first-child")
        self.until("document.querySelector('#line').textContent.startsWith('Expected: ')")
        first = self.page.get_attribute("#candidates tbody tr:first-child button", "title").removeprefix("Play ")
        self.page.click("#candidates tbody tr:first-child button")
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), [first])
        # It goes on with the new position by itself.
        self.until("document.querySelector('#facts').textContent.includes('done')")
        self.page.click("#analyse")
        self.assertEqual(self.page.inner_text("#analyse"), "Analyse")

    def test_the_value_graph_of_a_game_leads_to_its_positions(self):
        for text in ["A3D2", "I3F2", "1A6A7"]:
            count = len(self.plies())
            self.page.fill("#typed", text)
            self.page.press("#typed", "Enter")
            self.wait_for_plies(count + 1)
        self.page.click("#analyse-game")
        self.until("document.querySelectorAll('#value-graph circle').length === 4")
        box = self.page.locator("#value-graph svg").bounding_box()
        self.page.mouse.click(box["x"] + 5, box["y"] + 20)
        self.page.wait_for_selector("#first:disabled")

    def test_an_analysis_that_is_done_goes_on_from_what_it_knows(self):
        self.assertTrue(self.page.is_disabled("#more"))
        self.analyse()
        self.page.click("#more")
        self.until("document.querySelector('#facts').textContent.includes('after 60 earlier ones, done')")
        # So it does in the next position.
        self.page.click("#candidates tbody tr:first-child button")
        self.until("/after [1-9].* earlier ones, done/.test(document.querySelector('#facts').textContent)")

    def test_a_long_analysis_can_be_paused(self):
        self.page.fill("#simulations", "50000")
        self.page.click("#analyse")
        self.until("document.querySelector('#facts').textContent.includes('simulations in')")
        self.page.click("#analyse")
        facts = self.page.inner_text("#facts")
        self.page.wait_for_timeout(500)
        self.assertEqual(self.page.inner_text("#facts"), facts)
        # What was found stays, and can be gone on from.
        self.assertIn("paused", facts)
        self.assertFalse(self.page.is_disabled("#more"))

    def test_an_analysis_of_the_whole_game_marks_mistakes(self):
        for text in ["A4E6", "I3F2"]:
            count = len(self.plies())
            self.page.fill("#typed", text)
            self.page.press("#typed", "Enter")
            self.wait_for_plies(count + 1)
        self.page.click("#analyse-game")
        self.until("document.querySelector('#review').textContent.includes('Accuracy')")
        self.assertIn("White", self.page.inner_text("#review"))
        # To put a 4 forward gives a die away.
        self.assertIn("?", self.page.inner_text("#moves li:first-child button"))
        self.assertIn("better was", self.page.inner_text("#review"))
        self.page.hover("#moves button:first-child")
        self.until("document.querySelector('#moves button').title.includes('A4 to E6')")
