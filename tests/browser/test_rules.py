"""The rules of the games, beside the board."""

from served import Served

# A game of each kind: dice on hexagons, stacks on squares, stones on hexagons.
GAMES = (
    ("chase", "Chase", 10),
    ("stax-cyl-num", "Cylindrical Stax with Numbers", 6),
    ("tricolour", "Tricolour", 2),
)


class Rules(Served):
    def read(self, game):
        self.open(f"?game={game}")
        self.page.click("#tab-rules")
        self.page.wait_for_selector("#rules")

    def test_rules_with_diagrams_are_beside_the_board(self):
        for game, title, diagrams in GAMES:
            self.read(game)
            self.assertEqual(self.page.inner_text("#rules-title"), f"The rules of {title}")
            self.assertEqual(self.page.locator("#game option:checked").inner_text(), title)
            pictures = self.page.locator("#rules figure svg[role=img]")
            self.assertEqual(pictures.count(), diagrams)
            for picture in pictures.all():
                box = picture.bounding_box()
                self.assertGreater(min(box["width"], box["height"]), 150)
                # What it shows is said to those who cannot see it.
                self.assertGreater(len(picture.locator("> title").text_content()), 20)
            for heading in ("The board", "The goal", "A turn", "The end", "How moves are written", "Entering a move"):
                self.assertEqual(self.page.get_by_role("heading", name=heading, exact=True).count(), 1, heading)
            self.assertIn("To enter a move: Click ", self.page.inner_text(".entering"))
            self.assertTrue(self.page.is_visible("#board"))

    def test_diagrams_have_colours_in_both_themes(self):
        for game, part in (("chase", ".c1"), ("queens", ".dark"), ("moves23", ".plain")):
            seen = set()
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                self.read(game)
                fill = f"getComputedStyle(document.querySelector('#rules svg {part}')).fill"
                seen.add(self.page.evaluate(fill))
                arrow = "getComputedStyle(document.querySelector('#rules svg .shaft, #rules svg .around')).stroke"
                self.assertNotIn(self.page.evaluate(arrow), ("none", "rgb(0, 0, 0)"))
            self.assertEqual(len(seen), 2, game)
            self.assertNotIn("rgb(0, 0, 0)", seen)

    def test_newcomers_are_led_there_by_keyboard(self):
        self.open("?game=lines9")
        self.assertIn("New to Lines 9?", self.page.inner_text("#newcomers"))
        self.page.locator("#to-rules").focus()
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#rules")
        self.assertEqual(self.page.get_attribute("#tab-rules", "aria-selected"), "true")
        # The game goes on meanwhile.
        self.choose("e5")
        self.wait_for_plies(1)
        self.assertTrue(self.page.is_visible("#rules"))


class Phone(Served):
    CONTEXT = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

    def test_a_finger_opens_the_rules_where_they_can_be_read(self):
        self.open("?game=chase")
        self.page.tap("#tab-rules")
        self.page.wait_for_selector("#rules")
        self.until("document.querySelector('#rules').getBoundingClientRect().top < window.innerHeight / 2")
        self.assertTrue(self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
