"""Opening books: their moves in the position shown."""

import json
import pathlib
import subprocess
import tempfile

from served import PROGRAM, Served

SMALL = """
    --scout nnue-57,nodes=1 --judge nnue-57,nodes=4 --judge nnue-57,nodes=300 --challenger nnue-57,nodes=3
    --set plies=2 --set candidates=3 --set width=1 --set contest.moves=0
""".split()
# A folder whose name is markup, and comes first.
ODD = "<img src=x onerror=alert(1)>"


def little_book(runs):
    """Builds a book of two plies and reads it."""
    folder = pathlib.Path(runs) / "little"
    subprocess.run([PROGRAM, "book", "--quiet", *SMALL, "--run-dir", folder], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / "book.json").read_text())


def other_book(runs, name, text):
    """Puts another book next to the little one."""
    folder = pathlib.Path(runs) / name
    folder.mkdir()
    (folder / "meta.json").write_text((pathlib.Path(runs) / "little" / "meta.json").read_text())
    (folder / "book.json").write_text(text)


def percent(score):
    return f"{100 * score:.1f} %"


class Book(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.book = little_book(folder.name)
        cls.ARGUMENTS = ["--runs", folder.name]
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.page.click("#tab-explorer")
        self.shows(self.book["positions"][0])

    def rows(self):
        return self.page.locator("#book-moves tr[data-action]")

    def shows(self, position):
        """Waits for the moves of a position."""
        best = position["moves"][0]["action"]
        self.until("best => document.querySelector('#book-moves tr[data-action]')?.dataset.action === best", arg=best)

    def test_moves_are_compared_and_played(self):
        first = self.book["positions"][0]
        self.assertIn("White, who is to move", self.page.inner_text("#book-facts"))
        heads = self.page.locator("#book-moves th").all_inner_texts()
        self.assertEqual(heads[:-1], ["move", "score", "judge 1", "judge 2", "scout"])
        best, second = first["moves"][:2]
        cells = self.rows().first.locator("td").all_inner_texts()
        self.assertEqual(cells[2:5], [*map(percent, best["judges"]), percent(best["scout"])])
        # Bounds stand where the judges differ at the end of the line.
        bounded = 0
        for index, move in enumerate(first["moves"][: self.rows().count()]):
            low, high = move["backed"]["low"], move["backed"]["high"]
            bounds = "" if low == high else f" [{100 * low:.1f}, {100 * high:.1f}]"
            score = self.rows().nth(index).locator("td").nth(1).inner_text()
            self.assertEqual(score, f"{percent(move['backed']['mean'])}{bounds}")
            bounded += low != high
        self.assertGreater(bounded, 0)
        compared = self.page.locator("#book-moves > .compared > div").all_inner_texts()
        self.assertEqual([text.split("\n")[0] for text in compared], ["Best move", "Second best move"])
        self.assertIn(f"{second['text']} {percent(second['backed']['mean'])}", compared[1])
        # The best replies, with the scores of the player who moves first.
        self.assertEqual(self.page.locator("#book-moves tr.more:visible").count(), 0)
        self.rows().first.locator("button[aria-expanded=false]").click()
        reply = self.book["positions"][best["to"]]["moves"][0]
        said = self.page.inner_text("#book-moves tr.more:visible")
        self.assertRegex(said, "Best reply(.|\n)*Second best reply")
        self.assertIn(f"{reply['text']} {percent(best['backed']['mean'])}", said)
        self.assertIn(f"followed; expects {reply['text']}", self.page.locator("#book-moves .said").first.inner_text())
        # Twelve moves at first.
        self.assertEqual(self.rows().count(), 12)
        self.page.click("#all-book-moves")
        self.assertEqual(self.rows().count(), 46)
        self.assertEqual(self.page.evaluate("document.activeElement.id"), "all-book-moves")
        self.rows().nth(1).hover()
        self.assertNotEqual(self.page.inner_text("#preview"), "")
        # By the keyboard too.
        self.rows().first.locator("button").first.focus()
        self.page.keyboard.press("Enter")
        self.wait_for_plies(1)
        self.assertEqual(self.plies(), [best["text"]])
        after = self.book["positions"][best["to"]]
        self.shows(after)
        self.assertIn("Black, who is to move", self.page.inner_text("#book-facts"))
        # What was open before is not carried over.
        self.assertEqual(self.page.locator("#book-moves tr.more:visible").count(), 0)
        self.assertEqual(self.rows().count(), len(after["moves"]))
        words = self.page.locator("#book-moves .said").all_inner_texts()
        self.assertEqual(words[0], f"followed, the book ends here; holds {percent(after['moves'][0]['held'])}")
        self.assertEqual(words.count("seen by the scout only"), len(after["moves"]) - 3)
        # Another book may have the next position.
        self.page.select_option("#book", "little")
        # Somebody else plays while the pointer is at a row.
        self.rows().first.hover()
        self.page.fill("#typed", after["moves"][0]["text"])
        self.page.press("#typed", "Enter")
        self.until("document.querySelector('#book-facts').textContent === 'This position is not in the book little.'")
        self.assertEqual(self.rows().count(), 0)
        # The board shows no move of a row that is gone.
        self.until("document.querySelector('#preview').textContent.startsWith('Black played: ')")
        self.assertEqual(self.page.inner_text("#explored-facts"), "0 games.")

    def test_another_way_leads_to_the_same_moves(self):
        best = self.book["positions"][0]["moves"][0]
        self.rows().first.locator("button").first.click()
        self.wait_for_plies(1)
        self.put("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 7 9")
        self.shows(self.book["positions"][0])
        self.assertEqual(self.rows().first.locator("button").first.inner_text(), best["text"])

    def test_it_says_how_it_was_made(self):
        # A book of one's own comes before the built-in one.
        self.assertEqual(self.page.locator("#book option").all_inner_texts(), ["little", "built-in"])
        self.assertFalse(self.page.is_visible("#book-trouble"))
        origin = self.page.locator("#book-origin")
        self.assertRegex(origin.inner_text(), "^little: judged by .*nodes 4 and by .*nodes 300; scout .*nodes 1$")
        origin.locator("summary").click()
        self.assertIn("45 positions, to ply 2.", origin.inner_text())
        self.assertIn(self.book["provenance"]["judges"][1]["weights"], origin.inner_text())
        with self.page.context.expect_page() as opened:
            origin.locator("a").click()
        opened.value.wait_for_load_state()
        self.assertIn("Which openings are good?", opened.value.inner_text("body"))
        self.page.click("#tab-runs")
        self.until("document.querySelector('#run-facts').textContent === 'Opening book of chase. Report'")


class Several(Served):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        book = little_book(folder.name)
        other_book(folder.name, "damaged", json.dumps(book)[:1000])
        # Only the first position, and markup wherever there are words.
        del book["positions"][1:]
        for step in book["positions"][0]["moves"]:
            step.pop("to")
        book["positions"][0]["moves"][0]["text"] = book["provenance"]["scout"]["player"] = ODD
        other_book(folder.name, ODD, json.dumps(book))
        cls.ARGUMENTS = ["--runs", folder.name]
        super().setUpClass()

    def facts(self, words):
        self.until("words => document.querySelector('#book-facts').textContent.includes(words)", arg=words)

    def test_one_is_chosen_and_words_are_no_markup(self):
        self.page.click("#tab-explorer")
        self.until(f"document.querySelector('#book').value === {json.dumps(ODD)}")
        self.assertIn(ODD, self.page.inner_text("#book-moves .compared"))
        self.assertIn(f"scout {ODD}", self.page.inner_text("#book-origin"))
        self.assertEqual(self.page.locator("#book-card img").count(), 0)
        self.assertEqual(self.page.locator("#book-moves button[aria-expanded]").count(), 0)
        self.page.select_option("#book", "little")
        self.page.wait_for_selector("#book-moves button[aria-expanded]")
        # The choice stays: with a position that it has, and with one that it has not.
        self.page.locator("#book-moves tr[data-action] button").first.click()
        self.facts("Black, who is to move")
        self.assertEqual(
            self.page.locator("#book option").all_inner_texts(), [f"{ODD} (without this position)", "little", "built-in"]
        )
        self.page.select_option("#book", ODD)
        self.facts(f"This position is not in the book {ODD}.")
        self.page.click("#first")
        self.facts("White, who is to move")
        self.assertEqual(self.page.input_value("#book"), ODD)

    def test_a_damaged_one_is_told_and_the_rest_of_the_page_works(self):
        self.page.click("#tab-explorer")
        self.until("document.querySelector('#book-trouble').textContent.includes('damaged')")
        told = self.page.inner_text("#book-trouble")
        self.assertRegex(told, r"^1 book could not be read: .*damaged/book\.json is damaged: EOF")
        self.assertTrue(self.page.locator("#notice").is_hidden())
        self.assertEqual(self.page.locator("#book option").count(), 3)
        self.page.wait_for_selector("#book-moves tr[data-action]")
        self.until("document.querySelector('#explored-facts').textContent === '0 games.'")


class OnPhone(Served):
    CONTEXT = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        little_book(folder.name)
        cls.ARGUMENTS = ["--runs", folder.name]
        super().setUpClass()

    def test_a_phone_does_not_scroll_sideways(self):
        self.page.click("#tab-explorer")
        self.page.wait_for_selector("#book-moves tr[data-action]")
        self.page.tap("#all-book-moves")
        self.page.tap("#book-origin summary")
        self.page.locator("#book-moves button[aria-expanded]").first.tap()
        self.assertEqual(self.page.evaluate("document.documentElement.scrollWidth"), 360)
        table = self.page.locator("#book-moves .sideways")
        self.assertTrue(table.evaluate("box => box.scrollWidth <= box.clientWidth"))


class BuiltIn(Served):
    def test_the_built_in_book_is_shown(self):
        self.page.click("#tab-explorer")
        self.page.wait_for_selector("#book-moves tr[data-action]")
        self.assertFalse(self.page.is_visible("#book"))
        self.assertFalse(self.page.is_visible("#no-openings"))
        self.page.click("#all-book-moves")
        self.until("document.querySelectorAll('#book-moves tr[data-action]').length === 46")
        origin = self.page.locator("#book-origin")
        origin.locator("summary").click()
        self.assertIn("1,155 positions, to ply 6.", origin.inner_text())
        # It has no folder, and so no page.
        self.assertEqual(origin.locator("a").count(), 0)
        self.page.locator("#book-moves tr[data-action] button").first.click()
        self.until("document.querySelector('#book-facts').textContent.includes('Black, who is to move')")

    def test_a_position_that_it_has_not_is_told(self):
        self.page.click("#tab-explorer")
        self.page.wait_for_selector("#book-moves tr[data-action]")
        self.put("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b")
        self.until("document.querySelector('#book-facts').textContent === 'This position is not in the built-in book.'")
        self.assertEqual(self.page.locator("#book-moves tr").count(), 0)
