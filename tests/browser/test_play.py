"""Whole games by clicking, and what goes with them."""

import random

from served import Served


class Play(Served):
    def act(self, chance):
        """Makes a move by clicking: a capture if there is one to be seen, else any."""
        goals = self.page.locator(".goal-cell")
        if goals.count() == 0:
            movable = self.page.locator('[aria-label$="can be chosen"]')
            names = [cell.get_attribute("data-cell") for cell in movable.all()]
            chance.shuffle(names)
            for name in names[:4]:
                # Else a click on a neighbour of the die chosen before would be an exchange with it.
                self.page.keyboard.press("Escape")
                self.cell(name).click()
                if self.page.locator('.goal-cell[aria-label*="captur"]').count():
                    break
        captures = self.page.locator('.goal-cell[aria-label*="captur"]')
        goals = captures if captures.count() else self.page.locator(".goal-cell")
        goal = goals.nth(chance.randrange(goals.count())).get_attribute("data-cell")
        self.cell(goal).click()
        choices = self.page.locator("#chooser button:not(.quiet)")
        if choices.count():
            choices.first.click()

    def play_to_the_end(self, plies):
        chance = random.Random(7)
        settled = "() => !document.querySelector('#match').textContent.includes('thinking')"
        while len(self.plies()) < plies:
            self.until(settled)
            if "your move" not in self.page.inner_text("#match"):
                break
            before = len(self.plies())
            self.act(chance)
            self.wait_for_plies(before + 1)
        return self.page.inner_text("#match")

    def test_a_whole_game_against_a_baseline(self):
        self.start("black", "greedy")
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")
        state = self.play_to_the_end(800)
        self.assertRegex(state, "has won|Drawn|No result")
        self.page.click("text=Copy record")
        self.until("document.querySelector('#record-text').value.includes('[Black \"human\"]')")
        record = self.page.input_value("#record-text")
        self.assertIn('[White "greedy"]', record)
        # The server reads what it has written.
        plies = self.plies()
        self.put(record)
        self.assertEqual(self.plies(), plies)

    def test_taking_back_goes_to_ones_own_move_and_resigning_ends_the_game(self):
        self.start("white", "alpha-beta")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        self.page.keyboard.press("u")
        self.until("document.querySelectorAll('#moves button').length === 0")
        self.choose("A7", "D9")
        self.wait_for_plies(2)
        self.page.click("#resign")
        self.assertIn("You have resigned", self.page.inner_text("#match"))
        # Said once, and still there when the banner is closed.
        self.assertIn("You have lost. Black has won: White resigned.", self.page.inner_text("#banner"))
        self.assertEqual(self.page.inner_text("section.table").count("has won"), 1)
        self.assertNotIn("to move", self.page.inner_text("section.table"))
        self.page.click("#banner-close")
        self.assertEqual(self.page.inner_text("#task"), "Black has won: White resigned")
        self.page.click("text=Copy record")
        self.until("document.querySelector('#record-text').value.includes('resignation')")
        self.assertIn('[Result "0-1"]', self.page.input_value("#record-text"))
        # Nothing moves any more.
        self.assertEqual(self.page.locator('[aria-label$="can be chosen"]').count(), 0)

    def test_seats_say_whose_move_it_is_and_what_was_captured(self):
        self.put("abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w")
        self.page.check("#from-here")
        self.start("white", "random")
        self.until("document.querySelector('#seat-near').textContent.includes('your move')")
        self.choose("A2", "C3")
        self.wait_for_plies(1)
        self.until("document.querySelector('#seat-near').textContent.includes('1 captured')")
        self.assertNotIn("captured", self.page.inner_text("#seat-far"))

    def test_the_address_is_that_of_the_game_and_a_reload_keeps_the_match(self):
        self.start("white", "random")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        self.until("document.querySelector('#match').textContent.includes('your move')")
        self.until("new URLSearchParams(location.search).get('moves')?.split(' ').length === 2")
        plies = self.plies()
        self.page.reload()
        self.loaded()
        self.assertEqual(self.plies(), plies)
        self.assertIn("You play White against random", self.page.inner_text("#match"))
        # Somebody else sees the game, not the match.
        other = self.browser.new_page()
        self.addCleanup(other.close)
        other.goto(self.page.url)
        other.wait_for_selector("html[data-ready]", state="attached")
        self.assertEqual(other.locator("#moves button").all_inner_texts(), plies)
        self.assertEqual(other.inner_text("#match"), "You move both sides.")

    def test_a_hint_is_drawn_and_only_ones_own_dice_move(self):
        self.start("white", "random")
        self.page.click("#hint")
        self.page.wait_for_selector(".course.hint", state="attached")
        self.choose("I3")
        self.assertEqual(self.page.locator(".goal").count(), 0)

    def test_a_reload_loses_nothing(self):
        self.start("black", "greedy")
        self.wait_for_plies(1)
        self.choose("I3")
        self.page.locator(".goal-cell").first.click()
        self.wait_for_plies(3)
        plies = self.plies()
        self.page.click("#tab-analysis")
        self.page.reload()
        self.loaded()
        self.assertEqual(self.plies(), plies)
        self.assertEqual(self.page.get_attribute("#tab-analysis", "aria-selected"), "true")
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")
        self.page.click("#tab-play")
        self.assertIn("You play Black against greedy", self.page.inner_text("#match"))
        self.assertIn("your move", self.page.inner_text("#match"))

    def variations(self):
        return self.page.locator("#variations-list li > span").all_inner_texts()

    def test_other_lines_stay_as_variations(self):
        self.type("A3D2", "1i6i7", "1A6A7")
        first = self.plies()
        self.assertTrue(self.page.locator("#variations").is_hidden())
        # Another first move, and another second one.
        self.page.click("#first")
        self.choose("A7", "D9")
        self.until("document.querySelectorAll('#variations-list li').length === 1")
        self.assertEqual(self.plies(), ["A7D9"])
        self.page.click("#variations-list li > span button:nth-child(2)")
        self.until("document.querySelectorAll('#moves button').length === 3")
        self.assertEqual(self.plies(), first)
        # To its second ply, from where a third line goes.
        self.assertEqual(self.page.inner_text("#moves [aria-current]"), "1I6I7")
        self.assertEqual(self.variations(), ["1. A7D9"])
        self.page.fill("#typed", "A7D9")
        self.page.keyboard.press("Enter")
        self.until("document.querySelectorAll('#variations-list li').length === 2")
        self.assertEqual(self.plies(), ["A3D2", "1I6I7", "A7D9"])
        # By where they leave the game.
        self.assertEqual(self.variations(), ["1. A7D9", "2. 1A6A7"])
        # A line that the game goes into is none beside it.
        self.page.click("#back")
        self.until("document.querySelector('#moves [aria-current]').textContent === '1I6I7'")
        self.page.fill("#typed", "1A6A7")
        self.page.keyboard.press("Enter")
        self.until("document.querySelector('#variations-list').textContent.includes('2. A7D9')")
        self.assertEqual(self.variations(), ["1. A7D9", "2. A7D9"])
        # A reload keeps them; one can be dropped.
        self.page.reload()
        self.loaded()
        self.assertEqual(self.variations(), ["1. A7D9", "2. A7D9"])
        self.page.click("[aria-label='Forget the variation A7D9']:nth-child(2) >> nth=0")
        self.assertEqual(self.variations(), ["2. A7D9"])
        self.page.reload()
        self.loaded()
        self.assertEqual(self.variations(), ["2. A7D9"])
        # One ply taken back is no variation, and more are.
        self.page.keyboard.press("u")
        self.until("document.querySelectorAll('#moves button').length === 2")
        self.assertEqual(self.variations(), ["2. A7D9"])

    def test_a_game_that_another_replaces_can_be_brought_back(self):
        self.type("A3D2", "1i6i7", "1A6A7")
        plies = self.plies()
        self.page.click("#first")
        self.choose("A7", "D9")
        self.until("document.querySelectorAll('#variations-list li').length === 1")
        self.start("white", "random")
        self.assertTrue(self.page.locator("#variations").is_hidden())
        self.assertIn("The game before this one had 3 plies.", self.page.inner_text("#forgotten"))
        # What is taken back in a match is gone.
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        self.page.keyboard.press("u")
        self.until("document.querySelectorAll('#moves button').length === 0")
        self.assertTrue(self.page.locator("#variations").is_hidden())
        self.page.click("text=Bring back")
        self.until("document.querySelectorAll('#variations-list li').length === 1")
        self.assertEqual((self.plies(), self.variations()), (["A7D9"], [f"1. {plies[0]} {plies[1]} 2. {plies[2]}"]))
        self.assertEqual(self.page.inner_text("#match"), "You move both sides.")

    def test_a_match_begins_from_the_position_on_the_board(self):
        for cells in (("A3", "D2"), ("I3", "F2"), ("A7", "D9")):
            before = len(self.plies())
            self.choose(*cells)
            self.wait_for_plies(before + 1)
        self.page.click("#back")
        self.until("!document.querySelector('#forward').disabled")
        self.page.check("#from-here")
        # The opponent is to move after two plies, and the third is forgotten.
        self.start("black", "random")
        self.wait_for_plies(3)
        self.until("document.querySelector('#match').textContent.includes('your move')")
        plies = self.plies()
        self.assertEqual((plies[:2], len(plies)), (["A3D2", "I3F2"], 3))
        self.assertFalse(self.page.is_checked("#from-here"))

    def test_whoever_comes_back_finds_the_match(self):
        self.start("white", "random")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        self.until("document.querySelector('#match').textContent.includes('your move')")
        self.until("new URLSearchParams(location.search).get('moves')?.split(' ').length === 2")
        plies = self.plies()

        def there_again():
            self.loaded()
            self.wait_for_plies(2)
            self.assertEqual(self.plies(), plies)
            self.assertIn("You play White against random. It is your move.", self.page.inner_text("#match"))

        # A link to another game, here by hand.
        self.open("?moves=A7D9")
        self.assertEqual((self.plies(), self.page.inner_text("#match")), (["A7D9"], "You move both sides."))
        self.page.go_back()
        there_again()
        self.page.go_forward()
        self.loaded()
        self.assertEqual((self.plies(), self.page.inner_text("#match")), (["A7D9"], "You move both sides."))
        self.page.go_back()
        there_again()
        # A game of another name, and a lesson.
        self.page.select_option("#game", "stax")
        self.page.wait_for_url("**/?game=stax")
        self.loaded()
        self.page.go_back()
        there_again()
        self.open("?tutorial=1")
        self.page.go_back()
        there_again()
        self.page.reload()
        there_again()

    def test_a_match_survives_a_lesson_that_is_loaded_again(self):
        self.start("white", "random")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        self.page.click("#newcomers a >> nth=0")
        self.page.wait_for_selector("#exercise:not([hidden])")
        self.page.reload()
        self.loaded()
        self.page.click("#exercise-end")
        self.wait_for_plies(2)
        self.page.click("#tab-play")
        self.assertIn("You play White against random.", self.page.inner_text("#match"))

    def test_a_match_that_another_game_replaces_is_brought_back_as_a_match(self):
        self.start("black", "greedy")
        self.wait_for_plies(1)
        plies = self.plies()
        self.open("?moves=A7D9")
        self.page.click("text=Bring back")
        self.until("document.querySelector('#match').textContent.startsWith('You play Black against greedy')")
        self.assertEqual(self.plies(), plies)
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")
        self.assertIn("The game before this one had 1 ply.", self.page.inner_text("#forgotten"))
        # Whoever presses Start by accident can go on as well.
        self.page.click("#start")
        self.until("document.querySelector('#match').textContent.startsWith('You play White')")
        self.page.click("text=Bring back")
        self.until("moves => document.querySelector('#moves button')?.textContent === moves[0]", arg=plies)
        self.assertIn("You play Black against greedy", self.page.inner_text("#match"))

    def test_the_games_own_next_move_takes_nothing_from_it(self):
        self.type("A3D2", "1i6i7", "1A6A7")
        plies = self.plies()
        self.page.click("#first")
        self.page.wait_for_selector("#first:disabled")
        self.choose("A3", "D2")
        self.wait_for_shown(1)
        self.assertEqual(self.plies(), plies)
        self.page.fill("#typed", "1I6I7")
        self.page.keyboard.press("Enter")
        self.wait_for_shown(2)
        self.assertEqual(self.plies(), plies)
        self.assertTrue(self.page.locator("#variations").is_hidden())
        # What is said is of the ply that was played.
        self.until("document.querySelector('#live').textContent.startsWith('Black: I6 gives 1 to I7')")

    def test_one_who_has_resigned_can_go_on_after_all(self):
        self.start("white", "random")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        plies = self.plies()
        self.page.click("#resign")
        self.page.wait_for_selector("#banner:not([hidden])")
        self.page.click("#take-back")
        self.until("document.querySelector('#match').textContent.includes('It is your move')")
        self.assertEqual(self.plies(), plies)
        self.assertFalse(self.page.is_visible("#banner"))
        self.page.click("#take-back")
        self.until("document.querySelectorAll('#moves button').length === 0")
        self.assertEqual(self.page.inner_text("#live"), "taken back")

    def test_what_an_address_says_is_followed_or_told(self):
        for query, told in (
            ("?game=checkers-num&seed=abc", "seed=abc, expected a whole number from 0 to 4294967295"),
            ("?game=checkers-num&seed=4294967296", "seed=4294967296, expected a whole number"),
            ("?seed=5", "The seed in the address has no effect"),
            ("?moves=A3D2&at=-1", "at=-1, expected a whole number"),
            ("?moves=A3D2&at=7", "at=7, expected at most 1"),
            ("?move=A3D2", "says move, expected only game, start, seed, rules, moves, at, tutorial, puzzle"),
            ("?tutorial=99", "tutorial=99, expected 1 to 9"),
            ("?puzzle=first", "puzzle=first, expected 1 to "),
            ("?game=lines9&puzzle=1", "There is no puzzle of this game"),
        ):
            with self.subTest(query):
                self.open(query)
                self.assertIn(told, self.page.inner_text("#notice"))
        self.open("?moves=A3D2&at=0")
        self.assertFalse(self.page.is_visible("#notice"))
        # Conventions alone make a game, too.
        self.open("?rules=repetition 7, quiet off, length off")
        self.assertFalse(self.page.is_visible("#notice"))
        self.page.click("text=Copy record")
        self.until("document.querySelector('#record-text').value.includes('repetition 7')")

    def test_a_record_that_cannot_be_shown_is_told_and_the_match_goes_on(self):
        self.start("white", "random")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        turns = [f"{turn}. {'1A6A7 1I6I7' if turn % 2 else '1A7A6 1I7I6'}" for turn in range(1, 1102)]
        self.page.click("#load summary")
        self.page.fill("#record-text", f'[Result "*"]\n[Rules "repetition off, quiet off, length off"]\n\n{" ".join(turns)} *')
        self.page.click('#record button:has-text("Load")')
        self.until("document.querySelector('#notice').textContent.includes('expected at most 2000 plies')")
        self.assertNotIn("loaded", self.page.inner_text("#live"))
        self.assertEqual(len(self.plies()), 2)
        self.assertIn("You play White against random", self.page.inner_text("#match"))
        # Nothing is no game.
        self.page.fill("#record-text", " ")
        self.page.click('#record button:has-text("Load")')
        self.until("document.querySelector('#notice').textContent.startsWith('There is nothing to load')")
        self.assertEqual(len(self.plies()), 2)
        self.errors.clear()

    def test_in_a_match_nobody_plays_for_the_opponent_or_from_an_earlier_position(self):
        self.start("white", "random")
        self.choose("A3", "D2")
        self.wait_for_plies(2)
        self.page.click("#first")
        self.until("document.querySelector('#back').disabled")
        self.page.fill("#typed", "A7D9")
        self.page.keyboard.press("Enter")
        self.until("document.querySelector('#notice').textContent.startsWith('You are looking at an earlier position')")
        self.assertEqual(len(self.plies()), 2)
        # The end of the game is shown. A match that is over is a game like any other.
        self.page.click("#resign")
        self.until("document.querySelector('#last').disabled")
        self.page.click("#first")
        self.until("document.querySelector('#back').disabled")
        self.page.keyboard.press("m")
        self.page.keyboard.press("Enter")
        self.until("document.querySelectorAll('#moves button').length === 1")
        self.assertEqual(self.plies(), ["A7D9"])

    def test_after_a_click_arrows_go_through_the_game(self):
        self.choose("A3", "D2")
        self.wait_for_plies(1)
        self.page.keyboard.press("ArrowLeft")
        self.until("document.querySelector('#back').disabled")
        # The keyboard on the board: arrows go from cell to cell.
        self.page.keyboard.press("b")
        self.page.keyboard.press("ArrowRight")
        self.assertTrue(self.page.locator("#back").is_disabled())

    def test_a_position_with_a_mistake_is_told_what_is_wrong(self):
        self.page.click("#load summary")
        self.page.fill("#record-text", "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBB w")
        self.page.click('#record button:has-text("Load")')
        self.until("!document.querySelector('#notice').hidden")
        self.assertNotIn("Result", self.page.inner_text("#notice"))
        # The browser notes the refused request too.
        self.errors.clear()

    def test_strength_has_bounds(self):
        self.page.select_option("#opponent", "alpha-beta")
        self.page.fill("#amount", "9")
        self.page.click("#start")
        self.assertEqual(self.page.inner_text("#match"), "You move both sides.")
        self.assertFalse(self.page.evaluate("document.querySelector('#amount').checkValidity()"))


class Phone(Served):
    CONTEXT = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

    def test_nothing_is_wider_than_the_screen_and_fingers_see_before_they_play(self):
        wide = "document.documentElement.scrollWidth <= window.innerWidth"
        for tab in ("analysis", "explorer", "runs", "play"):
            self.page.tap(f"#tab-{tab}")
            self.assertTrue(self.page.evaluate(wide), tab)
        # Names of cells would be too small; those of rows and columns are there, on both sides.
        self.assertFalse(self.page.locator("#board .name").first.is_visible())
        names = [text.text_content() for text in self.page.locator("#board .edge text").all() if text.is_visible()]
        self.assertEqual(sorted(names), sorted(2 * "ABCDEFGHI123456789"))
        self.put("abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w")
        self.cell("A7").tap()
        self.cell("E5").tap()
        self.assertIn("splits", self.page.inner_text("#preview"))
        self.assertIn("Tap again to play.", self.page.inner_text("#preview"))
        self.assertEqual(self.plies(), [])
        self.cell("E5").tap()
        self.wait_for_plies(1)
        # A plain move needs one tap.
        self.cell("I3").tap()
        self.cell("F2").tap()
        self.wait_for_plies(2)

    def test_a_game_that_is_started_is_in_sight(self):
        self.page.locator("#start").scroll_into_view_if_needed()
        self.page.tap("#start")
        self.until("document.querySelector('#board').getBoundingClientRect().top > -1")

    def test_a_strength_that_is_no_number_starts_no_game(self):
        self.page.select_option("#opponent", "agent:agent-71")
        self.page.fill("#amount", "")
        self.page.click("#start")
        # Nothing comes: a game would have begun.
        self.page.wait_for_timeout(300)
        self.assertNotIn("You play", self.page.inner_text("#match"))

    def test_a_list_of_moves_can_be_pasted(self):
        self.put("1. A3D5 I3F2 2. 1A6A7")
        self.assertEqual(self.plies(), ["A3D5", "I3F2", "1A6A7"])
