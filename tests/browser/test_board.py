"""Every kind of action, by clicking."""

from served import Served


class Board(Served):
    def test_a_move_around_the_cylinder_bumps_the_whole_row(self):
        self.choose("A1")
        self.cell("A2").hover()
        self.assertIn("bumps A2 to A3", self.page.inner_text("#preview"))
        self.cell("A2").click()
        self.wait_for_plies(1)
        self.assertEqual([self.die(f"A{column}") for column in (1, 2, 6)], ["white 1", "white 1", "white 5"])

    def test_an_exchange_is_two_neighbours_and_an_amount(self):
        self.choose("A6", "A7")
        choices = self.page.locator("#chooser button:not(.quiet)")
        self.assertEqual(choices.count(), 3)
        choices.nth(0).hover()
        self.assertIn("A6 gives 1 to A7: they become 3 and 4", self.page.inner_text("#preview"))
        choices.nth(0).click()
        self.wait_for_plies(1)
        self.assertEqual((self.plies(), self.die("A6"), self.die("A7")), (["1A6A7"], "white 3", "white 4"))

    def test_the_chamber_splits_a_die_and_says_so_before(self):
        self.put("abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w")
        self.choose("A7")
        self.cell("E5").hover()
        self.assertIn("the Chamber, splits: a 2 goes to D5 and a 2 goes to E6", self.page.inner_text("#preview"))
        self.assertEqual(self.page.locator(".die.coming").count(), 2)
        self.cell("E5").click()
        self.wait_for_plies(1)
        self.assertEqual((self.plies(), self.die("D5"), self.die("A7")), (["A7E5/D5=2/E6=2"], "white 2", None))

    def test_a_ricochet_is_drawn_as_it_goes(self):
        self.put("abcdedcba/9/9/9/9/9/9/2C6/AB1DEDCBA w")
        self.choose("B3")
        self.cell("C4").hover()
        way = self.page.locator(".course.preview .shaft").first.get_attribute("d")
        # Down to the edge, where it turns, and up again, a row a step.
        heights = [float(point.split()[1]) for point in way[1:].split("L")]
        self.assertEqual(len(heights), 4, way)
        self.assertEqual(max(heights), heights[1], way)
        self.assertGreater(heights[1] - heights[0], 15, way)
        self.assertAlmostEqual(heights[1] - heights[2], 34.65, delta=0.1)
        self.assertGreater(heights[2] - heights[3], 10, way)
        self.cell("C4").click()
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), ["B3C4"])

    def test_a_capture_and_the_choice_of_the_die_that_absorbs(self):
        self.put("abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w")
        self.choose("A2")
        self.cell("C3").hover()
        self.assertIn("A2 captures on C3", self.page.inner_text("#preview"))
        self.cell("C3").click()
        self.wait_for_plies(1)
        self.assertIn("Black to absorb 5 on I1 or I9: choose", self.page.inner_text("#task"))
        self.assertEqual(self.page.locator(".goal-cell").count(), 2)
        self.cell("I9").hover()
        self.assertIn("I9 absorbs the missing pips and becomes a 6", self.page.inner_text("#preview"))
        self.cell("I9").click()
        self.wait_for_plies(2)
        self.assertEqual((self.plies(), self.die("I9"), self.die("I1")), (["A2:C3", "=I9"], "black 6", "black 1"))

    def test_a_choice_can_be_taken_back(self):
        self.choose("A3")
        self.assertGreater(self.page.locator(".goal").count(), 2)
        self.page.keyboard.press("Escape")
        self.assertEqual(self.page.locator(".goal").count(), 0)
        self.choose("A3", "A3")
        self.assertEqual(self.page.locator(".goal").count(), 0)
        self.choose("A3", "A4")
        self.page.click("text=Cancel")
        self.assertEqual(self.plies(), [])

    def test_dragging_a_die_plays_and_dragging_the_board_turns_it(self):
        self.cell("A3").drag_to(self.cell("D2"))
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), ["A3D2"])
        before = self.cell("E1").bounding_box()["x"]
        self.cell("E7").drag_to(self.cell("E9"))
        self.until(
            "x => document.querySelector('[data-cell=\"E1\"]').getBoundingClientRect().x > x + 30", arg=before
        )
        self.assertEqual(self.plies(), ["A3D2"])
        # Everything can be played on the turned board.
        self.choose("I1", "I2")
        self.wait_for_plies(2)

    def test_typed_moves_flip_and_walking_through_the_game(self):
        for text in ["A3D2", "I3F2", "1A6A7"]:
            count = len(self.plies())
            self.page.fill("#typed", text)
            self.page.press("#typed", "Enter")
            self.wait_for_plies(count + 1)
        self.page.click("#first")
        self.page.wait_for_selector("#first:disabled")
        self.assertEqual(self.die("A3"), "white 3")
        self.page.click("#last")
        self.page.wait_for_selector("#last:disabled")
        # The move that led here is said in words, for those who have no pointer to hover with.
        self.assertEqual(self.page.inner_text("#preview"), "White played: A6 gives 1 to A7: they become 3 and 4.")
        before = self.cell("A1").bounding_box()["y"]
        self.page.click("#flip")
        self.assertLess(self.cell("A1").bounding_box()["y"], before)
        self.page.fill("#typed", "A1A9A5")
        self.page.press("#typed", "Enter")
        self.page.wait_for_selector("#notice:not([hidden])")
        self.assertIn("A1A9A5", self.page.inner_text("#notice"))
        # What the browser logs about the answer is not an error of the page.
        self.errors.clear()

    def test_a_record_goes_out_and_comes_back(self):
        self.choose("A3", "D2")
        self.wait_for_plies(1)
        self.page.click("text=Copy record")
        self.until("document.querySelector('#record-text').value.includes('A3D2')")
        record = self.page.input_value("#record-text")
        self.page.keyboard.press("Escape")
        self.page.click("#first")
        self.choose("A7", "D9")
        self.until("document.querySelector('#moves').textContent.includes('A7D9')")
        self.put(record)
        self.assertEqual(self.plies(), ["A3D2"])


class Laptop(Served):
    CONTEXT = {"viewport": {"width": 1280, "height": 800}}

    def test_a_choice_does_not_scroll_the_page(self):
        self.choose("A6", "A7")
        chooser = self.page.locator("#chooser").bounding_box()
        self.assertEqual(self.page.evaluate("window.scrollY"), 0)
        self.assertGreaterEqual(chooser["y"], 0)
        self.assertLessEqual(chooser["y"] + chooser["height"], 800)
