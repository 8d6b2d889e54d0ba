//! Which claims are about a move, and what a study says of them there.

use chase_engine::chase::{Action, Position};

use super::games::{away_openings, four_openings};
use super::{ClaimId, ClaimResult, Finding, FirstMove, OpeningClass, Role, first_moves};

/// A move that the article speaks of: a first move, or a reply that it calls best.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The class of a first move.
    pub class: Option<OpeningClass>,
    /// The claims about it, in the order of their ids.
    pub claims: Vec<ClaimId>,
    /// What is played up to and with this move, each as the position that it leads to.
    line: Vec<Position>,
}

/// The first moves that claim B5 compares.
const COMPARED: [&str; 2] = ["1A6A7", "1A8A7"];

impl Subject {
    /// The moves of a position that the article speaks of, with their actions; none in most positions.
    pub fn of(position: &Position) -> Vec<(Action, Self)> {
        let firsts = first_moves();
        if *position == Position::initial() {
            let subjects = firsts.iter().flat_map(|first| {
                let subject = Self::first(first);
                first.actions.iter().map(move |&action| (action, subject.clone()))
            });
            return subjects.collect();
        }
        let mut subjects = Vec::new();
        for (claim, answered) in [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())] {
            for answered in answered.iter().filter(|answered| answered.first.result == *position) {
                let named: Vec<Position> = answered.named.iter().map(|&reply| after(position, reply)).collect();
                position.for_each_action(|action| {
                    let result = after(position, action);
                    if named.contains(&result) {
                        let subject = Self {
                            class: None,
                            claims: vec![claim],
                            line: vec![*position, result],
                        };
                        subjects.push((action, subject));
                    }
                });
            }
        }
        subjects
    }

    fn first(first: &FirstMove) -> Self {
        let class = first.class;
        let mut claims = Vec::new();
        if class.is_called_safe() {
            claims.push(ClaimId::B1);
        }
        match class {
            OpeningClass::TwoToChamber => claims.push(ClaimId::B2),
            OpeningClass::Exchange => claims.push(ClaimId::B4),
            OpeningClass::WrapBump => claims.push(ClaimId::B6),
            OpeningClass::ThreeAway | OpeningClass::FiveAway => claims.push(ClaimId::B7),
            OpeningClass::Four => claims.push(ClaimId::B9),
            OpeningClass::OneStep | OpeningClass::Duck | OpeningClass::Other => {}
        }
        if COMPARED.contains(&first.text().as_str()) {
            claims.push(ClaimId::B5);
        }
        Self {
            class: Some(class),
            claims,
            line: vec![first.result],
        }
    }

    /// The deciding findings on a claim that are about this move: all but those whose part names another class or
    /// another move.
    pub fn findings<'a>(&self, claim: &'a ClaimResult) -> impl Iterator<Item = &'a Finding> {
        let findings = claim.findings.iter().filter(|finding| finding.role == Role::Deciding);
        findings.filter(move |finding| self.concerns(&finding.part))
    }

    fn concerns(&self, part: &str) -> bool {
        let named = OpeningClass::ALL.into_iter().find(|class| {
            part.strip_prefix(class.name())
                .is_some_and(|rest| rest.starts_with(':'))
        });
        if named.is_some() {
            return named == self.class;
        }
        let mut position = Position::initial();
        let mut line = Vec::new();
        for word in part.split(' ') {
            let Ok(actions) = position.parse_article(word) else {
                break;
            };
            actions.iter().for_each(|&action| position = after(&position, action));
            line.push(position);
        }
        line.is_empty() || line == self.line
    }
}

fn after(position: &Position, action: Action) -> Position {
    let mut after = *position;
    after.play_unchecked(action);
    after
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use chase_statistics::Verdict;

    fn subject(line: &[&str]) -> Option<Subject> {
        let mut position = Position::initial();
        let (last, before) = line.split_last().unwrap();
        for text in before {
            position = after(&position, text.parse().unwrap());
        }
        let action: Action = last.parse().unwrap();
        let subjects = Subject::of(&position);
        let found = subjects.into_iter().find(|(other, _)| *other == action);
        found.map(|(_, subject)| subject)
    }

    fn claims(line: &[&str]) -> Vec<ClaimId> {
        subject(line).map_or(Vec::new(), |subject| subject.claims)
    }

    #[test]
    fn every_first_move_and_the_replies_that_are_called_best_have_their_claims() {
        use ClaimId::{B1, B2, B4, B5, B6, B7, B8, B9, B10};
        for (line, expected) in [
            (&["A1NE"][..], &[B1][..]),
            (&["A1E"], &[B1, B6]),
            // The second action with the result of A9E: the row shifts by one, whichever 1 pushes it.
            (&["A9E"], &[B1, B6]),
            (&["A3NE"], &[B1]),
            (&["1A6A7"], &[B1, B4, B5]),
            (&["1A4A3"], &[B1, B4]),
            (&["A2NE"], &[B1, B2]),
            (&["A3NW"], &[B7]),
            (&["A5NE"], &[B7]),
            (&["A4NE"], &[B9]),
            (&["A2NW"], &[]),
            (&["A3NW", "I1W"], &[B8]),
            (&["A3NW", "I1NE"], &[]),
            (&["A4NE", "I4SE"], &[B10]),
            (&["A1NE", "I1W"], &[]),
        ] {
            assert_eq!(claims(line), expected, "{line:?}");
        }
        assert_eq!(Subject::of(&Position::initial()).len(), 46);
    }

    #[test]
    fn findings_about_other_moves_are_left_out() {
        let parts = [
            "one-step: no worse than the rest",
            "exchange: no worse than the rest",
            "exchanges: dice lost in the first 20 plies",
            "1A6A7 the most aggressive",
            "A3D2 I1W",
            "A6 goes on attacking E4",
        ];
        let finding = |part: &&str| Finding::empirical(ClaimId::B1, *part, Verdict::Inconclusive, "");
        let context = finding(&"beside").as_context();
        let findings = parts.iter().map(finding).chain([context]).collect();
        let claim = ClaimResult::new(ClaimId::B1, findings);
        let of = |line: &[&str]| -> Vec<String> {
            let subject = subject(line).unwrap();
            subject.findings(&claim).map(|finding| finding.part.clone()).collect()
        };
        assert_eq!(of(&["A1NE"]), [parts[0], parts[2], parts[5]]);
        assert_eq!(of(&["1A6A7"]), [parts[1], parts[2], parts[3], parts[5]]);
        assert_eq!(of(&["1A8A7"]), [parts[1], parts[2], parts[5]]);
        assert_eq!(of(&["A3NW", "I1W"]), [parts[2], parts[4], parts[5]]);
    }
}
