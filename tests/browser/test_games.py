"""Games other than Chase: the board that the server describes, and the clicks that make up an action."""

import random

from served import Served


class Games(Served):
    def stops(self):
        return [cell.get_attribute("data-cell") for cell in self.page.locator(".goal-cell").all()]

    def act(self, chance):
        """Makes a ply by clicking, or by a button where there is nothing to click."""
        before = len(self.plies())
        while len(self.plies()) == before:
            stops = self.stops()
            if not stops:
                self.page.locator("#decisions button").first.click()
                self.wait_for_plies(before + 1)
                return
            self.cell(chance.choice(stops)).click()
            if self.page.locator("#chooser button").count():
                self.page.locator("#chooser button").first.click()
            # Either the ply has been sent, or another cell is to be chosen.
            self.until(
                "before => document.querySelectorAll('#moves button').length > before"
                " || document.querySelector('#board .chosen')",
                arg=before,
            )
            if self.page.locator("#board .chosen").count() and not self.stops():
                self.wait_for_plies(before + 1)

    def test_each_game_is_chosen_from_the_list(self):
        self.page.select_option("#game", "stax")
        self.page.wait_for_url("**/?game=stax")
        self.loaded()
        self.assertEqual(self.page.locator("[data-cell]").count(), 64)
        self.assertTrue(self.page.locator("#turn-west").is_hidden())
        self.assertIn("Dark", self.page.inner_text("#seat-near"))
        self.page.select_option("#game", "chase")
        self.page.wait_for_selector("html[data-ready][data-board=chase]", state="attached")
        self.assertEqual(self.page.locator("[data-cell]").count(), 81)

    def test_clicks_drags_and_keys_choose_an_action(self):
        self.open("?game=stax")
        self.assertEqual(self.cell("c3").get_attribute("aria-label"), "c3, Dark piece, can be chosen")
        self.choose("c3")
        self.assertEqual(sorted(self.stops()), ["b4", "d4"])
        # The choice is taken back by another click, and another piece is chosen instead.
        self.choose("c3")
        self.assertEqual(self.page.locator(".chosen").count(), 0)
        self.choose("c3", "e3")
        self.assertEqual(sorted(self.stops()), ["d4", "f4"])
        self.cell("d4").hover()
        self.assertIn("Dark: e3-d4", self.page.inner_text("#preview"))
        self.choose("d4")
        self.wait_for_plies(1)
        self.cell("f6").drag_to(self.cell("g5"))
        self.wait_for_plies(2)
        self.assertEqual(self.plies(), ["e3-d4", "f6-g5"])
        self.page.keyboard.press("b")
        self.page.evaluate("document.querySelector('[data-cell=c3]').focus()")
        self.page.keyboard.press("Enter")
        self.until("document.querySelector('#live').textContent.startsWith('c3 chosen')")
        self.page.keyboard.press("n")
        self.assertEqual(self.page.evaluate("document.activeElement.dataset.cell"), "b4")
        self.page.keyboard.press("ArrowLeft")
        self.assertEqual(self.page.evaluate("document.activeElement.dataset.cell"), "a4")
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")
        self.wait_for_plies(3)
        # Back, another way, and a variation below the game.
        self.page.click("#first")
        self.choose("a3", "b4")
        self.until("document.querySelectorAll('#variations-list li').length === 1")

    def test_whole_games_are_played_against_baselines(self):
        chance = random.Random(3)
        for name, side, opponent, most in (
            ("stax", "black", "greedy", 25),
            ("tricolour", "white", "random", 400),
            ("connect-four", "black", "random", 400),
        ):
            with self.subTest(name):
                self.open(f"?game={name}")
                self.start(side, opponent)
                for _ in range(most):
                    self.until("() => !document.querySelector('#match').textContent.includes('thinking')")
                    if "your move" not in self.page.inner_text("#match"):
                        break
                    self.act(chance)
                self.until("() => !document.querySelector('#match').textContent.includes('thinking')")
                if "your move" in self.page.inner_text("#match"):
                    self.page.click("#resign")
                self.assertRegex(self.page.inner_text("#match"), "has won|Drawn|No result|have resigned")
                plies = self.plies()
                self.page.click("text=Copy record")
                self.until("document.querySelector('#record-text').value.includes('[Result')")
                record = self.page.input_value("#record-text")
                self.assertIn(f'[Game "{name}"]', record)
                self.put(record)
                self.assertEqual(self.plies(), plies)

    def test_a_stone_falls_wherever_its_column_is_clicked(self):
        self.open("?game=connect-four")
        self.choose("d6", "d6", "d1")
        self.wait_for_plies(3)
        self.assertEqual(self.plies(), ["4", "4", "4"])
        self.assertEqual(self.page.locator("[data-stack]").count(), 3)

    def test_a_drawn_start_has_a_seed_and_a_record_leads_to_its_game(self):
        self.open("?game=checkers-num")
        self.assertRegex(self.page.inner_text("#drawn"), r"drawn with seed \d+")
        self.page.fill("#seed", "12")
        self.page.select_option("#opponent", "hand")
        self.page.click("#start")
        self.until("document.querySelector('#drawn').textContent.includes('seed 12.')")
        labels = self.page.locator("#board .piece text").all_inner_texts()
        self.page.reload()
        self.loaded()
        self.assertEqual(self.page.locator("#board .piece text").all_inner_texts(), labels)
        # A record of another game is shown on the page of that game.
        self.page.click("#load summary")
        tags = '[Game "lines9"]\n[Result "*"]\n[Rules "repetition 3, length 200"]\n\n'
        self.page.fill("#record-text", tags + "1. e5 d4 *")
        self.page.click('#record button:has-text("Load")')
        self.page.wait_for_url("**/?game=lines9")
        self.loaded()
        self.assertEqual(self.plies(), ["e5", "d4"])

    def test_an_analysis_is_drawn_on_the_board(self):
        self.open("?game=tricolour")
        self.choose("i5")
        self.wait_for_plies(1)
        self.assertEqual(self.page.locator("#decisions button").all_inner_texts(), ["Swap", "Keep"])
        self.page.click("#decisions button >> nth=1")
        self.wait_for_plies(2)
        self.page.click("#tab-analysis")
        self.page.fill("#simulations", "100")
        self.page.press("#simulations", "Tab")
        self.until("document.querySelector('#facts').textContent.includes('done')")
        self.assertGreater(self.page.locator(".course.candidate").count(), 0)
        self.page.locator("#candidates tbody tr").first.hover()
        self.until("document.querySelector('#line').textContent.startsWith('Expected:')")
        self.assertIn("First wins", self.page.inner_text("#value-graph"))

    def test_a_game_that_there_is_not_is_told(self):
        self.open("?game=shogi")
        self.assertIn("unknown game `shogi`", self.page.inner_text("#notice"))
        self.assertEqual(self.page.locator("[data-cell]").count(), 81)
        self.errors.clear()


class Phone(Served):
    CONTEXT = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

    def test_a_finger_plays_on_a_board_of_hexagons(self):
        self.open("?game=tetra24")
        self.cell("m7").tap()
        self.wait_for_plies(1)
        width = self.page.evaluate("document.documentElement.scrollWidth")
        self.assertEqual(width, 360)
