"""What the page says about positions."""

import json

from served import Served


class Analysis(Served):
    def setUp(self):
        super().setUp()
        # The search begins as soon as the panel is open.
        self.page.evaluate("document.querySelector('#simulations').value = 60")
        self.page.click("#tab-analysis")

    def analyse(self):
        self.until("document.querySelector('#facts').textContent.includes('done')")

    def test_candidates_stand_in_a_table_and_on_the_board(self):
        self.analyse()
        self.assertEqual(self.page.locator("#candidates tbody tr").count(), 8)
        self.assertGreater(self.page.locator(".course.candidate").count(), 0)
        self.assertIn("White wins", self.page.get_attribute("#odds", "aria-label"))
        self.page.hover("#candidates tbody tr:first-child")
        self.until("document.querySelector('#line').textContent.startsWith('Expected: ')")
        # What it does is said in words, too.
        self.assertRegex(self.page.inner_text("#preview"), "^White: [A-I][1-9] (to|gives|captures)")
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
        self.page.locator("#value-graph svg").click(position={"x": 5, "y": 20})
        self.page.wait_for_selector("#first:disabled")

    def test_a_review_outlives_variations_and_reloads(self):
        self.type("A3D2", "I3F2", "1A6A7")
        self.page.fill("#each", "20")
        self.page.click("#analyse-game")
        review = "document.querySelector('#review').textContent"
        self.until(f"{review}.startsWith('Accuracy: White')")
        before = self.page.evaluate(review)

        def known():
            self.until("document.querySelectorAll('#value-graph circle').length === 4")
            self.assertEqual(self.page.evaluate(review), before)

        # What if another move had been played? Then back to the game.
        self.page.click("#moves button >> nth=0")
        self.wait_for_shown(1)
        self.type_other("1I6I7")
        self.until("!document.querySelector('#review').textContent")
        self.page.click("#variations-list li > span button >> nth=0")
        self.until("document.querySelectorAll('#moves button').length === 3")
        known()
        self.page.reload()
        self.loaded()
        known()

    def test_a_mistake_leads_to_the_better_move(self):
        def judge(route):
            """Each player has the better of it when to move."""
            player = ["white", "black"][len(route.request.post_data_json["game"]["moves"])]
            report = {"to_move": player, "value": 0.5, "actions": [{"action": "A2NE", "text": "A2:C3"}], "stop": "simulations"}
            route.fulfill(content_type="text/event-stream", body=f"event: report\ndata: {json.dumps(report)}\n\n")

        self.page.click("#analyse")
        self.put("abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w")
        self.type("1A6A7")
        self.page.route("**/api/analyse", judge)
        self.page.click("#analyse-game")
        self.page.wait_for_selector("#review .worst li")
        self.assertIn("better was A2:C3", self.page.inner_text("#review .worst li"))
        self.page.click("#review .worst button")
        self.until("document.querySelectorAll('#board .course.candidate .shaft').length > 0")
        self.assertEqual(self.shown(), 0)
        self.assertIn("White: A2 captures on C3", self.page.inner_text("#preview"))

    def test_a_line_with_a_turn_of_several_plies_has_the_colours_of_its_players(self):
        self.put("abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w")
        self.analyse()
        # White captures, Black absorbs and moves.
        self.page.hover('#candidates tr[data-action="A2NE"]')
        self.until("document.querySelectorAll('#line button').length > 2")
        self.assertIn("=I", self.page.inner_text("#line button >> nth=1"))
        self.assertGreater(self.page.locator("#board .course.reply .shaft").count(), 0)

    def type_other(self, text):
        """Plays something else than the game has."""
        self.page.fill("#typed", text)
        self.page.press("#typed", "Enter")
        self.until("text => [...document.querySelectorAll('#moves button')].at(-1).textContent.startsWith(text)", arg=text)

    def test_an_analysis_that_is_done_goes_on_from_what_it_knows(self):
        self.analyse()
        self.page.fill("#simulations", "100")
        self.page.press("#simulations", "Tab")
        self.until("document.querySelector('#facts').textContent.startsWith('100 simulations')")
        self.assertIn("done", self.page.inner_text("#facts"))
        # So it does in the next position.
        self.page.click("#candidates tbody tr:first-child button")
        self.until("/after [1-9].* earlier ones, done/.test(document.querySelector('#facts').textContent)")

    def test_the_button_says_what_it_stops(self):
        self.analyse()
        # The search is done; the button no longer ends it.
        self.assertEqual(self.page.inner_text("#analyse"), "Stop following")
        self.page.click("#analyse")
        self.page.fill("#typed", "A3D2")
        self.page.press("#typed", "Enter")
        self.wait_for_plies(1)
        # Nothing comes: a search that began would report within this time. A busy machine may see less, never more.
        self.page.wait_for_timeout(300)
        self.assertNotIn("simulations in", self.page.inner_text("#facts"))

    def test_a_long_analysis_can_be_paused(self):
        self.page.fill("#simulations", "50000")
        self.page.press("#simulations", "Tab")
        # Of this search, not of the one before, which is done.
        self.until("/simulations in .* …/.test(document.querySelector('#facts').textContent)")
        self.page.click("#analyse")
        facts = self.page.inner_text("#facts")
        # Nothing comes: a search that went on would report three times.
        self.page.wait_for_timeout(500)
        self.assertEqual(self.page.inner_text("#facts"), facts)
        # What was found stays, and can be gone on from.
        self.assertIn("paused", facts)
        before = int(facts.split()[0].replace(",", ""))
        self.page.click("#analyse")
        self.until("before => Number(document.querySelector('#facts').textContent.split(' ')[0].replace(',', '')) > before", arg=before)

    def test_an_analysis_without_a_limit_runs_on_and_shows_what_the_policy_prefers(self):
        self.analyse()
        self.page.fill("#simulations", "")
        self.page.press("#simulations", "Tab")
        self.until("/^([1-9][0-9]{2}|[1-9][0-9]{0,2}(,[0-9]{3})+) simulations.* …/.test(document.querySelector('#facts').textContent)")
        self.page.click("#analyse")
        self.page.select_option("#overlay", "prior")
        priors = self.page.locator("#candidates tbody td:last-child").all_inner_texts()
        shown = sorted((float(text.split()[0]) for text in priors), reverse=True)[:4]
        labels = [int(text) for text in self.page.locator("#board .course.candidate .tag").all_text_contents()]
        self.assertEqual(len(labels), 4)
        for label, prior in zip(sorted(labels, reverse=True), shown):
            self.assertAlmostEqual(label, prior, delta=1)

    def test_an_analysis_begins_without_a_limit(self):
        self.page.reload()
        self.page.wait_for_selector("html[data-ready]", state="attached")
        self.assertEqual(self.page.input_value("#simulations"), "")
        self.until("/simulations in .* …/.test(document.querySelector('#facts').textContent)")
        self.page.click("#tab-play")

    def test_a_network_shows_where_dice_will_be(self):
        self.analyse()
        self.page.select_option("#overlay", "occupancy")
        self.until("document.querySelectorAll('#board .tints path').length >= 80")
        self.assertEqual(self.page.locator(".course.candidate").count(), 0)
        self.cell("A5").hover()
        self.until("document.querySelector('#legend').textContent.startsWith('A5 when the game ends: White ')")
        share = lambda cell, role: self.page.evaluate(
            "([name, role]) => Math.max(...[...document.querySelectorAll(`#board .tints .${role}`)]"
            ".filter((path) => path.getAttribute('transform') === document.querySelector(`[data-cell=${name}]`).getAttribute('transform'))"
            ".map((path) => Number(path.getAttribute('opacity'))))",
            [cell, role],
        )
        # White's dice are below, Black's above.
        self.assertGreater(share("A3", "white"), 0.05)
        self.assertGreater(share("I3", "black"), 0.05)
        self.page.select_option("#overlay", "visits")
        self.assertEqual(self.page.locator("#board .tints path").count(), 0)
        self.assertGreater(self.page.locator(".course.candidate").count(), 0)
        # Rollouts have no network that could say it.
        self.page.select_option("#judge", "rollouts")
        self.page.select_option("#overlay", "occupancy")
        self.until("document.querySelector('#legend').textContent.includes('no network')")
        self.errors.clear()

    def test_an_engine_by_alpha_beta_counts_nodes(self):
        self.analyse()
        self.page.select_option("#judge", "nnue:nnue-57")
        self.assertEqual(self.page.inner_text("label[for=simulations]"), "Nodes")
        # What limited simulations does not limit nodes.
        self.assertEqual(self.page.input_value("#simulations"), "")
        self.page.fill("#simulations", "50000")
        self.page.press("#simulations", "Tab")
        self.until("/^50,00[0-9] nodes, [0-9]+ plies deep, in .* s, done\\.$/.test(document.querySelector('#facts').textContent)")
        self.assertEqual(self.page.locator("#candidates tbody tr").count(), 4)
        self.assertEqual(self.page.locator("#candidates th").all_inner_texts(), ["move", "points", "plies"])
        self.assertEqual(self.page.locator("#board .course.candidate").count(), 4)
        self.assertRegex(self.page.get_attribute("#odds", "aria-label"), "^Expected score: White [0-9]+ %, Black [0-9]+ %$")
        self.assertEqual(self.page.inner_text("label[for=each]"), "thousand nodes a position")
        self.page.select_option("#overlay", "prior")
        self.assertEqual(self.page.locator("#board .course.candidate").count(), 0)
        self.page.hover("#candidates tbody tr:first-child")
        self.until("document.querySelectorAll('#line button').length >= 2")
        self.page.select_option("#judge", "rollouts")
        self.assertEqual(self.page.inner_text("label[for=simulations]"), "Simulations")

    def test_an_expected_line_is_walked_along(self):
        self.analyse()
        self.page.hover("#candidates tbody tr:first-child")
        self.until("document.querySelectorAll('#line button').length >= 2")
        # It stays where it is when the pointer leaves the table.
        texts = self.page.locator("#line button").all_inner_texts()
        # Each ply of it is said in words, by the player whose it is.
        self.page.hover("#line button >> nth=1")
        self.until("document.querySelector('#preview').textContent.startsWith('Black: ')")
        self.assertEqual(self.page.locator("#board .course.reply").count(), 1)
        self.page.click("#line button >> nth=1")
        self.wait_for_plies(2)
        self.assertEqual(len(self.plies()), 2)
        self.assertEqual(self.plies()[0], texts[0])

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
        # The bar beside the board keeps what is known of each position.
        self.page.click("#first")
        self.until("document.querySelector('#odds').getAttribute('aria-label').startsWith('Expected score: White ')")
        self.page.hover("#moves button:first-child")
        self.until("document.querySelector('#moves button').title.includes('A4 to E6')")
