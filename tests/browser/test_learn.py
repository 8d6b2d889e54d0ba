"""The tutorial, puzzles, and what else is there for people who are new."""

from served import Served


class Learning(Served):
    def feedback(self, text):
        self.until("text => document.querySelector('#exercise-feedback').textContent.startsWith(text)", arg=text)

    def title(self):
        return self.page.inner_text("#exercise-title")


class Tutorial(Learning):
    def test_all_steps_are_done_on_the_board(self):
        self.page.click("#newcomers a >> nth=0")
        self.page.wait_for_selector("#exercise:not([hidden])")
        for number, (cells, more) in enumerate((
            (("A3", "D2"), None),
            (("D1", "D7"), None),
            (("B3", "C4"), None),
            (("A3", "D2"), None),
            (("A6", "A7"), "#chooser button >> nth=0"),
            (("A2", "C3"), None),
            (("A9",), None),
            (("A7", "E5"), None),
            (("A2", "C3"), None),
        ), 1):
            self.assertTrue(self.title().startswith(f"Tutorial, {number} of 9: "), self.title())
            self.assertTrue(self.page.url.endswith(f"?tutorial={number}"), self.page.url)
            self.choose(*cells)
            if more:
                self.page.click(more)
            self.feedback("Right.")
            # Nothing more can be done in this step.
            self.assertEqual(self.page.locator('[aria-label$="can be chosen"]').count(), 0)
            self.page.click("#exercise-next")
            if number < 9:
                self.until("number => document.querySelector('#exercise-title').textContent.includes(`, ${number} of`)", arg=number + 1)
        # The game before goes on, and what was done is remembered.
        self.until("document.querySelector('#exercise').hidden")
        self.until("document.querySelector('#moves').textContent === 'No moves yet.'")
        self.assertNotIn("tutorial", self.page.url)
        self.page.reload()
        self.loaded()
        self.page.click("#tab-learn")
        self.assertEqual(self.page.locator("[aria-label='Steps of the tutorial'] .done").count(), 9)

    def test_another_turn_is_not_the_task_and_can_be_tried_again(self):
        self.open("?tutorial=2")
        self.choose("A4", "E2")
        self.feedback("That is a legal turn, but not the task: A4 to E2")
        self.page.click("#exercise-again")
        self.until("!document.querySelector('#exercise-again')")
        self.assertEqual(self.die("A4"), "white 4")
        self.choose("D1", "D7")
        self.feedback("Right.")

    def test_it_can_be_done_by_keyboard(self):
        self.open("?tutorial=6")
        self.page.keyboard.press("b")
        for cell in ("A2", "C3"):
            self.page.evaluate(f"document.querySelector('[data-cell={cell}]').focus()")
            self.page.keyboard.press("Enter")
        self.feedback("Right.")
        # The way on has the focus.
        self.assertEqual(self.page.evaluate("document.activeElement.id"), "exercise-next")
        self.page.keyboard.press("Enter")
        self.until("document.querySelector('#exercise-title').textContent.includes('7 of')")

    def test_a_match_goes_on_afterwards(self):
        self.start("black", "greedy")
        self.wait_for_plies(1)
        plies = self.plies()
        self.page.click("#newcomers a >> nth=0")
        self.page.wait_for_selector("#exercise:not([hidden])")
        self.until("document.querySelector('#moves').textContent === 'No moves yet.'")
        self.page.click("#exercise-end")
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), plies)
        self.assertIn("You play Black against greedy", self.page.text_content("#match"))
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")


class Puzzles(Learning):
    def test_a_puzzle_is_solved_and_remembered(self):
        self.open("?puzzle=7")
        self.assertEqual(self.title(), "Puzzle 7 of 16")
        self.assertEqual(self.page.inner_text("#exercise-task"), "Black to move and win in 2 turns, whatever White does.")
        # Whoever is to move sits below.
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")
        self.choose("A4", "A2")
        self.feedback("Right. Go on.")
        self.until("document.querySelector('#task').textContent.includes('choose one of the marked dice')")
        self.page.click("#exercise-solution")
        self.feedback("The solution: ")
        solution = self.page.inner_text("#exercise-feedback").removeprefix("The solution: ").split(". Step")[0].split()
        self.page.click("#exercise-repeat")
        self.until("document.querySelector('#moves').textContent === 'No moves yet.'")
        self.choose("A4", "A2")
        self.feedback("Right. Go on.")
        self.page.fill("#typed", solution[0])
        self.page.press("#typed", "Enter")
        self.until("document.querySelector('#task').textContent.includes('Black to move')")
        self.feedback("Right. Go on.")
        self.page.fill("#typed", solution[1])
        self.page.press("#typed", "Enter")
        self.feedback("Solved.")
        self.assertTrue(self.page.is_visible("[aria-label*='Puzzle 7:'][aria-label$='done']"))
        self.page.click("#exercise-next")
        self.until("document.querySelector('#exercise-title').textContent === 'Puzzle 8 of 16'")

    def test_a_mistake_is_refuted_and_can_be_taken_back(self):
        self.open("?puzzle=7")
        self.choose("I1", "H1")
        self.feedback("That does not force it: White answers ")
        self.page.click("#exercise-again")
        self.until("document.querySelector('#moves').textContent === 'No moves yet.'")
        self.assertEqual(self.page.inner_text("#exercise-feedback"), "")
        self.choose("A4", "A2")
        self.feedback("Right. Go on.")

    def test_other_games_have_puzzles_or_say_that_they_have_none(self):
        self.open("?game=connect-four&puzzle=1")
        self.assertEqual(self.title(), "Puzzle 1 of 6")
        self.choose("c6")
        self.feedback("Right. Go on.")
        self.assertEqual(len(self.plies()), 2)
        self.open("?game=stax&puzzle=1")
        self.assertFalse(self.page.is_visible("#exercise"))
        self.page.click("#tab-learn")
        self.assertIn("no puzzles", self.page.inner_text("#panel-learn"))


class People(Learning):
    def test_a_level_is_an_opponent(self):
        self.page.select_option("#opponent", "agent:agent-71")
        self.assertEqual(self.page.input_value("#unit"), "level")
        self.page.fill("#amount", "11")
        self.page.click("#start")
        self.assertEqual(self.page.inner_text("#match"), "You move both sides.")
        self.page.fill("#amount", "2")
        self.start("black", "agent:agent-71")
        self.wait_for_plies(1)
        self.assertIn("agent-71, level", self.page.inner_text("#match"))

    def test_a_link_leads_to_the_game_at_its_position(self):
        for text in ["A3D2", "I3F2", "1A6A7"]:
            count = len(self.plies())
            self.page.fill("#typed", text)
            self.page.press("#typed", "Enter")
            self.wait_for_plies(count + 1)
        self.page.click("#back")
        self.until("!document.querySelector('#forward').disabled")
        self.page.click("#copy-link")
        self.until("document.querySelector('#record-text').value.startsWith('http')")
        link = self.page.input_value("#record-text")
        self.page.goto(link)
        self.loaded()
        self.assertEqual(self.plies(), ["A3D2", "I3F2", "1A6A7"])
        self.assertEqual(self.page.inner_text("#moves [aria-current]"), "I3F2")

    def test_an_address_of_no_game_is_told(self):
        self.open("?moves=A3D2+A3D2")
        self.assertIn("The address names no game: ", self.page.inner_text("#notice"))
        self.assertEqual(self.plies(), [])
        self.errors.clear()

    def test_the_end_of_a_game_is_shown_with_what_to_do_next(self):
        self.open("?start=1f2f2f1/9/9/4f4/9/9/2a6/9/ABCDEDCBA w".replace(" ", "%20"))
        self.choose("A2", "C3")
        self.page.wait_for_selector("#banner:not([hidden])")
        self.assertIn("White has won: Black has four dice or fewer left.", self.page.inner_text("#banner"))
        self.assertEqual(self.page.inner_text("section.table").count("has won"), 1)
        self.page.click("#banner-analyse")
        self.until("document.querySelector('#facts').textContent === 'The game is over.'")
        self.assertFalse(self.page.is_visible("#banner"))
        self.assertEqual(self.page.get_attribute("#tab-analysis", "aria-selected"), "true")


class Phone(Learning):
    CONTEXT = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

    def test_a_finger_does_the_tutorial_without_scrolling_sideways(self):
        self.open("?tutorial=8")
        self.cell("A7").tap()
        self.cell("E5").tap()
        self.cell("E5").tap()
        self.feedback("Right.")
        self.page.tap("#exercise-next")
        self.until("document.querySelector('#exercise-title').textContent.includes('9 of')")
        self.assertTrue(self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
