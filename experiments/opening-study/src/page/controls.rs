//! The controls: the tests of the study in worlds whose truth is known.

use chase_report::markup::{Element, Node, element};
use chase_report::number::{self, NONE};
use chase_report::page::{paragraph, table};

use crate::controls::{AdvantageControl, AdvantageWorld, Controls, ErrorShare, SolvedControl, SolvedPosition};

/// The section; empty without controls.
pub(super) fn section(controls: Option<&Controls>) -> Vec<Element> {
    let Some(controls) = controls else {
        return Vec::new();
    };
    let heading = |text: &str| element("h3").with(text);
    let mut content = vec![outcome(controls), note(controls)];
    content.push(heading("A1 in worlds made of the games of this study"));
    if !controls.decides {
        content.push(paragraph(
            "Too few games were planned for this test, so that A1 gets no verdict in this study. The table shows what the test would \
             say, and thus why it does not count.",
        ));
    }
    content.push(advantage(&controls.advantage));
    content.push(heading("Connect Four, which is solved"));
    content.push(connect_four(&controls.connect_four));
    content
}

/// What came out, in a sentence.
fn outcome(controls: &Controls) -> Element {
    let failures = controls.failures();
    if failures.is_empty() {
        return paragraph(
            "Expected: a test gives a wrong verdict no more often than its error says. It came out so in every control.",
        );
    }
    let told = failures.iter().map(|failure| element("li").with(failure.as_str()));
    element("div")
        .with(paragraph(
            "Expected: a test gives a wrong verdict no more often than its error says. It did not come out so. Do not rely on the \
             verdicts of this study before the reason is found:",
        ))
        .with(element("ul").with_all(told))
}

fn note(controls: &Controls) -> Element {
    let text = format!(
        "The test of A1 is repeated on the games of this study, retold so that the truth is known. Without an advantage, a fair \
         coin exchanges the colours after each game, so that the first player's true score is 50 %. With an advantage, White wins a \
         given share of the decided games by a coin. All else stays: agents, blocks, draws, first moves and numbers of games, the \
         pooling of agents, and the withholding of a verdict that an agent contradicts. A1 holds above {}; exactly there, either \
         verdict is wrong. The share of worlds with a verdict for A1 where it is true is the power of this study. In these worlds the coins \
         of a block are independent, and all agents have the same truth; of agents that differ, less can be said. In Connect \
         Four players blunder in a quarter of their plies, with the same error, margin and blocks (128 at most). The first \
         move may be best by the study's comparison of all first moves (Hsu).",
        number::percent(controls.threshold)
    );
    element("details")
        .class("note")
        .with(element("summary").with("What a control is"))
        .with(paragraph(text))
}

fn wrong(of: &ErrorShare) -> Node {
    let share = f64::from(of.wrong) / f64::from(of.worlds.max(1));
    let mark = if of.failed { ": failed" } else { "" };
    format!("{}{mark}", number::percent_within(share, &of.interval)).into()
}

fn share(count: u32, of: u32) -> Node {
    match of {
        0 => NONE.to_owned(),
        of => number::percent(f64::from(count) / f64::from(of)),
    }
    .into()
}

fn advantage(controls: &[AdvantageControl]) -> Element {
    let level = controls
        .first()
        .map_or(String::new(), |control| number::percent(control.wrong.level));
    let headings = [
        "world",
        "true score",
        "worlds",
        "A1 supported",
        "refuted",
        "inconclusive",
        "wrong verdicts at most",
    ];
    let wrong_at = format!("wrong verdicts ({level} interval)");
    let headings: Vec<&str> = headings.into_iter().chain([wrong_at.as_str()]).collect();
    let rows = controls.iter().map(|control| -> Vec<Node> {
        let (counts, worlds) = (&control.verdicts, control.verdicts.worlds());
        let name = match control.world {
            AdvantageWorld::None => "no advantage",
            AdvantageWorld::Threshold => "on the threshold of A1",
            AdvantageWorld::Small => "a small advantage",
            AdvantageWorld::Planned => "ten points above the threshold",
        };
        vec![
            name.into(),
            number::percent(control.true_score).into(),
            number::count(worlds.into()).into(),
            share(counts.supported, worlds),
            share(counts.refuted, worlds),
            share(counts.inconclusive, worlds),
            number::percent(control.wrong.nominal).into(),
            wrong(&control.wrong),
        ]
    });
    table(&headings, rows).class("scroll numbers")
}

fn connect_four(controls: &[SolvedControl]) -> Element {
    let headings = [
        "position",
        "studies",
        "expected of the first player's advantage",
        "supported",
        "refuted",
        "inconclusive",
        "wrong verdicts",
        "best move found alone",
        "best move excluded",
    ];
    let rows = controls.iter().map(|control| -> Vec<Node> {
        let (counts, studies) = (&control.verdicts, control.verdicts.worlds());
        let expected = match control.position {
            SolvedPosition::Won => "supported",
            SolvedPosition::Lost => "refuted",
            SolvedPosition::ColoursExchanged => "not supported",
        };
        let best = control.best.as_ref();
        // Where no move is better, none should be found.
        let alone = best.filter(|_| control.position == SolvedPosition::Won);
        vec![
            control.position.name().into(),
            number::count(studies.into()).into(),
            expected.into(),
            share(counts.supported, studies),
            share(counts.refuted, studies),
            share(counts.inconclusive, studies),
            wrong(&control.wrong),
            alone.map_or_else(|| NONE.into(), |best| share(best.alone, studies)),
            best.map_or_else(|| NONE.into(), |best| wrong(&best.wrong)),
        ]
    });
    table(&headings, rows).class("scroll numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controls::{BestMoveControl, VerdictCounts};

    fn controls(wrong: u32) -> Controls {
        let verdicts = VerdictCounts {
            supported: wrong,
            refuted: 0,
            inconclusive: 100 - wrong,
        };
        Controls {
            blocks: 16,
            threshold: 0.52,
            decides: true,
            advantage: vec![AdvantageControl {
                world: AdvantageWorld::None,
                true_score: 0.5,
                verdicts,
                wrong: ErrorShare::of(wrong, 100, 0.05),
            }],
            connect_four: vec![SolvedControl {
                position: SolvedPosition::ColoursExchanged,
                blocks: 16,
                verdicts,
                wrong: ErrorShare::of(0, 20, 0.05),
                best: Some(BestMoveControl {
                    alone: 3,
                    wrong: ErrorShare::of(1, 20, 0.05),
                }),
            }],
        }
    }

    fn shown(controls: &Controls) -> String {
        section(Some(controls)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_was_expected_and_what_came_out_is_told() {
        assert!(section(None).is_empty());
        let page = shown(&controls(2));
        assert!(page.contains("It came out so in every control."), "{page}");
        assert!(page.contains("2.0\u{202f}% [") && !page.contains("failed"), "{page}");
        assert!(!page.contains("Too few games were planned"), "{page}");
        // A move that is found alone means nothing where none is better.
        assert!(!page.contains("15.0\u{202f}%"), "{page}");

        let page = shown(&controls(40));
        assert!(page.contains("It did not come out so."), "{page}");
        assert!(
            page.contains("<li>control failed: a wrong verdict on A1 with a true score of 50.0 % in 40 of 100 worlds"),
            "{page}"
        );
        let undecided = Controls {
            decides: false,
            ..controls(2)
        };
        assert!(shown(&undecided).contains("Too few games were planned"));
    }
}
