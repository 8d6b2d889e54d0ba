//! B4 and B5: the aggression of exchanges: their threats, early losses after them, and their values.

use chase_engine::chase::{Cell, Position};

use super::method::search::Opinion;
use crate::claim_test::ClaimTest;
use crate::evidence::exact::lines::after;
use crate::evidence::exact::prepared::{ChamberMove, Prepared};
use crate::evidence::exact::ring::with_ring_table;
use crate::evidence::search::SearchEvidence;
use crate::first_move::SHARPEST;
use crate::{ClaimId, Finding, Line, Subject, first_moves};
use chase_report::number::NONE;

pub fn findings() -> Vec<Finding> {
    let prepared: Vec<Prepared> = first_moves().iter().map(Prepared::new).collect();
    vec![
        prepare_the_chamber(&prepared),
        threaten_at_once(&prepared),
        kept_attack(),
    ]
}

/// B4: what the article gives as the reason.
fn prepare_the_chamber(prepared: &[Prepared]) -> Finding {
    let defended = prepared.iter().filter(|prepared| prepared.is_defended_entry());
    let mut defended: Vec<&str> = defended.map(|prepared| prepared.first_move.as_str()).collect();
    defended.sort_unstable();
    // Each of the article's two stands for its mirror image too.
    let holds = defended == ["1A2A3", "1A4A3", "1A6A7", "1A8A7"];
    let test = ClaimTest::named(ClaimId::B4, "prepared");
    let finding = test.exact(holds, defended.len() as f64, prepared.len(), defended.join(", ") + ".");
    let mut rows = Vec::new();
    for prepared in prepared.iter().filter(|prepared| prepared.threatens()) {
        let row = |entry: Option<&ChamberMove>| {
            let die = entry.map_or(NONE.into(), |entry| entry.die.to_string());
            let exits = entry.map_or(NONE.into(), ChamberMove::exits_in_words);
            [prepared.first_move.clone(), die, exits, prepared.attacked.to_string()]
        };
        let entries = prepared.entries.iter().map(Some);
        rows.extend(entries.chain(prepared.entries.is_empty().then_some(None)).map(row));
    }
    finding
        .with_about(Subject::Lines(SHARPEST.map(|action| Line::new(&[action])).into()))
        .with_table(
            "First moves that threaten something at once",
            "The die that could enter the Chamber, its exits (left first) with the dice that would defend them, and the number of \
             Black's dice under attack. The other first moves threaten nothing.",
            ["first move", "enters", "exits and their defenders", "dice attacked"],
            rows,
        )
}

/// B4, by another count: what all safe first moves threaten.
fn threaten_at_once(prepared: &[Prepared]) -> Finding {
    let [exchanges, others] = [true, false].map(|exchange| {
        let of_kind = prepared.iter().filter(move |of| of.safe && of.is_exchange == exchange);
        let all = of_kind.clone().count();
        (of_kind.filter(|of| of.threatens()).count(), all)
    });
    let share = |(threatening, all): (usize, usize)| threatening as f64 / all as f64;
    let difference = share(exchanges) - share(others);
    let details = format!(
        "{} of {} against {} of {}.",
        exchanges.0, exchanges.1, others.0, others.1
    );
    let test = ClaimTest::named(ClaimId::B4, "threats");
    test.exact(difference > 0.0, difference, exchanges.1 + others.1, details)
}

/// B5.
fn kept_attack() -> Finding {
    let start = Position::initial();
    let played = |turn: &str| after(&start, &[turn]).expect("a legal first move");
    // The article's pair, and its mirror image.
    let pairs = [("1A8A7", "1A6A7", "A6", "E4"), ("1A2A3", "1A4A3", "A4", "E6")];
    let attacks = |turn: &str, from: &str, to: &str| {
        let [from, to] = [from, to].map(|cell| cell.parse::<Cell>().expect("a cell"));
        played(turn).reach(from).contains(to)
    };
    let holds =
        |&(keeps, loses, from, to): &(&str, &str, &str, &str)| attacks(keeps, from, to) && !attacks(loses, from, to);
    let rows = ["1A8A7", "1A6A7", "1A2A3", "1A4A3"].map(|turn| (turn, played(turn)));
    let rows = [&[("initial position", start)], &rows[..]].concat();
    let test = ClaimTest::named(ClaimId::B5, "attack");
    with_ring_table(test.exact(pairs.iter().all(holds), 1.0, pairs.len(), ""), &rows)
}

impl SearchEvidence {
    /// Claim B5: the value of 1A8A7 compared with that of 1A6A7. A value shows who is better, not who defends.
    pub(crate) fn more_defensive(&self) -> Finding {
        let opinions = self.ask(|agent, budget| {
            let record = agent.branch(budget, &[])?;
            let [aggressive, defensive] = SHARPEST.map(|action| record.line(action));
            Some(Opinion::of(agent, budget, None, defensive?.score? - aggressive?.score?))
        });
        self.finding(ClaimTest::named(ClaimId::B5, "value"), &opinions)
    }
}
