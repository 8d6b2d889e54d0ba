"""Everything by keyboard alone."""

from served import Served


class Keyboard(Served):
    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def heard(self, text):
        """Waits until a text has been read out."""
        self.until("text => document.querySelector('#live').textContent.includes(text)", arg=text)

    def focused(self):
        return self.page.evaluate("document.activeElement.dataset.cell")

    def test_moves_exchanges_and_the_chamber(self):
        self.press("b")
        self.assertEqual(self.focused(), "A5")
        # Around the cylinder, and to the next die that can be chosen.
        self.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
        self.assertEqual(self.focused(), "A1")
        self.press("ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowDown")
        self.assertEqual(self.focused(), "A8")
        self.press("n", "n", "n", "n", "n", "n", "n", "Enter")
        self.heard("A6 chosen")
        self.press("n")
        self.assertEqual(self.focused(), "A7")
        self.assertIn("3 ways", self.cell("A7").get_attribute("aria-label"))
        self.press("Enter", "Enter")
        self.wait_for_plies(1)
        self.heard("A6 gives 1 to A7")
        self.assertEqual(self.plies(), ["1A6A7"])
        self.press("m")
        self.page.keyboard.type("1I4I3")
        self.press("Enter")
        self.wait_for_plies(2)
        self.page.locator("#typed").blur()
        self.press("b")
        self.page.evaluate("document.querySelector('[data-cell=\"A7\"]').focus()")
        self.press("Enter")
        self.heard("A7 chosen")
        while self.focused() != "E5":
            self.press("n")
        self.assertIn("splits", self.page.inner_text("#preview"))
        self.press("Enter")
        self.wait_for_plies(3)
        self.assertEqual(self.plies()[-1], "A7E5/D5=2/E6=2")
        self.heard("White: A7 to the Chamber, splits")

    def test_walking_turning_and_the_tabs(self):
        self.press("m")
        self.page.keyboard.type("A3D2")
        self.press("Enter")
        self.wait_for_plies(1)
        self.page.locator("#typed").blur()
        self.press("ArrowLeft")
        self.page.wait_for_selector("#first:disabled")
        self.press("ArrowRight")
        self.page.wait_for_selector("#last:disabled")
        before = self.cell("E1").bounding_box()["x"]
        self.press("]")
        self.assertGreater(self.cell("E1").bounding_box()["x"], before + 20)
        self.press("f")
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")
        self.press("u")
        self.until("document.querySelectorAll('#moves button').length === 0")
        self.page.locator("#tab-play").focus()
        self.press("ArrowRight")
        self.page.wait_for_selector("#panel-rules #rules")
        self.press("ArrowRight")
        self.assertTrue(self.page.locator("#panel-learn").is_visible())
        self.press("ArrowRight")
        self.assertTrue(self.page.locator("#panel-analysis").is_visible())
        self.press("?")
        self.assertTrue(self.page.locator("#help").is_visible())
        self.press("Escape")
        self.assertFalse(self.page.locator("#help").is_visible())

    def test_absorbing(self):
        self.put("abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w")
        self.press("m")
        self.page.keyboard.type("A2:C3")
        self.press("Enter")
        self.wait_for_plies(1)
        self.page.locator("#typed").blur()
        self.assertIn("choose one of the marked dice", self.page.inner_text("#task"))
        self.press("b", "n")
        self.assertEqual(self.focused(), "I1")
        self.assertIn("becomes a 6", self.page.inner_text("#preview"))
        self.press("Enter")
        self.wait_for_plies(2)
        # The same player goes on to move.
        self.assertIn("Black to move", self.page.inner_text("#task"))
        self.assertEqual((self.plies()[-1], self.die("I1")), ("=I1", "black 6"))

    def test_escape_leads_from_the_field_back_to_the_board(self):
        self.page.keyboard.press("b")
        self.page.keyboard.press("m")
        self.assertEqual(self.page.evaluate("document.activeElement.id"), "typed")
        self.page.keyboard.press("Escape")
        self.assertIsNotNone(self.page.evaluate("document.activeElement.dataset.cell ?? null"))

    def fire(self, key, code, **modifiers):
        """Presses a key of any keyboard; whether the page took it."""
        return self.page.evaluate(
            "init => !document.activeElement.dispatchEvent(new KeyboardEvent('keydown', init))",
            {"key": key, "code": code, "bubbles": True, "cancelable": True, **modifiers},
        )

    def test_a_box_that_has_the_focus_leaves_the_keys_to_the_game(self):
        self.type("A3D2", "1i6i7")
        self.page.locator("#from-here").click()
        self.press("ArrowLeft")
        self.wait_for_shown(1)
        self.press("f")
        self.assertEqual(self.page.get_attribute("#flip", "aria-pressed"), "true")
        # But for the one that is its own.
        self.assertTrue(self.page.is_checked("#from-here"))
        self.press(" ")
        self.assertFalse(self.page.is_checked("#from-here"))
        # What is typed or chosen with keys keeps them.
        for field in ("#opponent", "#amount", "#typed"):
            self.page.focus(field)
            self.press("u", "ArrowLeft")
        self.assertEqual((len(self.plies()), self.shown()), (2, 1))

    def test_keys_are_the_same_with_caps_lock_and_on_every_keyboard(self):
        def flips(*args, **modifiers):
            before = self.page.get_attribute("#flip", "aria-pressed")
            took = self.fire(*args, **modifiers)
            self.assertEqual(took, self.page.get_attribute("#flip", "aria-pressed") != before, args)
            return took

        def turns(*args, **modifiers):
            before = self.cell("E1").bounding_box()["x"]
            took = self.fire(*args, **modifiers)
            self.assertEqual(took, abs(self.cell("E1").bounding_box()["x"] - before) > 20, args)
            return took

        for key in ("f", "F", "а", "А", "φ", "ב"):
            self.assertTrue(flips(key, "KeyF"), key)
        # On another Latin keyboard the letter counts, not its place.
        self.assertTrue(flips("f", "KeyY"))
        self.assertFalse(flips("y", "KeyF"))
        for modifier in ("ctrlKey", "metaKey", "altKey"):
            self.assertFalse(flips("f", "KeyF", **{modifier: True}), modifier)
        self.assertFalse(flips("đ", "KeyF", modifierAltGraph=True))
        # Brackets: American; German on Linux, Windows and a Mac; and where there are none.
        self.assertTrue(turns("[", "BracketLeft"))
        self.assertTrue(turns("]", "BracketRight"))
        self.assertTrue(turns("[", "Digit8", modifierAltGraph=True))
        self.assertTrue(turns("]", "Digit9", modifierAltGraph=True, ctrlKey=True, altKey=True))
        self.assertTrue(turns("[", "Digit5", altKey=True))
        self.assertTrue(turns("х", "BracketLeft"))
        self.assertFalse(turns("[", "BracketLeft", metaKey=True))
        # On the board, in the tabs and in the question which action is meant.
        self.press("b")
        self.assertTrue(self.fire("Т", "KeyN"))
        self.assertEqual(self.focused(), "A6")
        self.press("Enter", "n", "Enter")
        self.page.wait_for_selector("#chooser button")
        self.assertFalse(self.fire("ArrowLeft", "ArrowLeft", altKey=True))
        self.press("Escape")
        self.page.focus("#tab-play")
        self.assertFalse(self.fire("ArrowRight", "ArrowRight", altKey=True))
        self.assertTrue(self.page.is_visible("#panel-play"))
        self.assertTrue(self.fire("?", "Digit7", shiftKey=True))
        self.assertTrue(self.page.is_visible("#help"))

    def test_the_first_link_leads_to_the_cells_of_the_board(self):
        self.press("Tab", "Enter")
        self.assertEqual(self.focused(), "A5")
        self.press("ArrowRight")
        self.assertEqual(self.focused(), "A6")
