//! The moves that the article discusses, with their claims and a study's findings about them.

use chase_engine::chase::{Action, Position};

use super::evidence::games::answered_openings;
use super::first_move::SHARPEST;
use super::{ClaimId, ClaimResult, Finding, FirstMove, OpeningClass, Role, Subject, first_moves};

/// A move that the article discusses: a first move, or a reply that it calls best.
#[derive(Clone, Debug)]
pub struct ArticleMove {
    /// The class of a first move.
    pub class: Option<OpeningClass>,
    /// The claims about it, in the order of their ids.
    pub claims: Vec<ClaimId>,
    /// The positions after each action up to and including the move.
    line: Vec<Position>,
}

impl ArticleMove {
    /// The moves of a position that the article discusses, with their actions; none in most positions.
    pub fn of(position: &Position) -> Vec<(Action, Self)> {
        let firsts = first_moves();
        if *position == Position::initial() {
            let moves = firsts.iter().flat_map(|first| {
                let known = Self::first(first);
                first.actions.iter().map(move |&action| (action, known.clone()))
            });
            return moves.collect();
        }
        let mut moves = Vec::new();
        let openings = answered_openings().into_iter();
        for answered in openings.filter(|answered| answered.first.result == *position) {
            let named: Vec<Position> = answered.named.iter().map(|&reply| after(position, reply)).collect();
            position.for_each_action(|action| {
                let result = after(position, action);
                if named.contains(&result) {
                    let named = Self {
                        class: None,
                        claims: vec![match answered.first.class {
                            OpeningClass::Four => ClaimId::new('B', 10),
                            _ => ClaimId::new('B', 8),
                        }],
                        line: vec![*position, result],
                    };
                    moves.push((action, named));
                }
            });
        }
        moves
    }

    fn first(first: &FirstMove) -> Self {
        let class = first.class;
        let mut claims = Vec::new();
        if class.is_called_safe() {
            claims.push(ClaimId::new('B', 1));
        }
        match class {
            OpeningClass::TwoToChamber => claims.push(ClaimId::new('B', 2)),
            OpeningClass::Exchange => claims.push(ClaimId::new('B', 4)),
            OpeningClass::WrapBump => claims.push(ClaimId::new('B', 6)),
            OpeningClass::ThreeAway | OpeningClass::FiveAway => claims.push(ClaimId::new('B', 7)),
            OpeningClass::Four => claims.push(ClaimId::new('B', 9)),
            OpeningClass::OneStep | OpeningClass::Duck | OpeningClass::Other => {}
        }
        if SHARPEST.contains(&first.action()) {
            claims.push(ClaimId::new('B', 5));
        }
        Self {
            class: Some(class),
            claims,
            line: vec![first.result],
        }
    }

    /// The deciding findings on a claim that concern this move: all except those about other moves only.
    pub fn findings<'a>(&self, claim: &'a ClaimResult) -> impl Iterator<Item = &'a Finding> {
        let findings = claim.findings.iter().filter(|finding| finding.role == Role::Deciding);
        findings.filter(move |finding| match &finding.about {
            None => true,
            Some(Subject::Class(class)) => self.class == Some(*class),
            Some(Subject::Lines(lines)) => lines.iter().any(|line| line.positions() == self.line),
        })
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
    use crate::Basis;
    use chase_statistics::Verdict;

    fn article_move(line: &[&str]) -> Option<ArticleMove> {
        let mut position = Position::initial();
        let (last, before) = line.split_last().unwrap();
        for text in before {
            position = after(&position, text.parse().unwrap());
        }
        let action: Action = last.parse().unwrap();
        let moves = ArticleMove::of(&position);
        let found = moves.into_iter().find(|(other, _)| *other == action);
        found.map(|(_, found)| found)
    }

    fn claims(line: &[&str]) -> Vec<ClaimId> {
        article_move(line).map_or(Vec::new(), |found| found.claims)
    }

    #[test]
    fn every_first_move_and_the_replies_that_are_called_best_have_their_claims() {
        let [b1, b2, b4, b5, b6, b7, b8, b9, b10] =
            [1, 2, 4, 5, 6, 7, 8, 9, 10].map(|number| ClaimId::new('B', number));
        for (line, expected) in [
            (&["A1NE"][..], &[b1][..]),
            (&["A1E"], &[b1, b6]),
            // Same result as A9E: the row shifts by one, whichever 1 pushes it.
            (&["A9E"], &[b1, b6]),
            (&["A3NE"], &[b1]),
            (&["1A6A7"], &[b1, b4, b5]),
            (&["1A4A3"], &[b1, b4]),
            (&["A2NE"], &[b1, b2]),
            (&["A3NW"], &[b7]),
            (&["A5NE"], &[b7]),
            (&["A4NE"], &[b9]),
            (&["A2NW"], &[]),
            (&["A3NW", "I1W"], &[b8]),
            (&["A3NW", "I1NE"], &[]),
            (&["A4NE", "I4SE"], &[b10]),
            (&["A1NE", "I1W"], &[]),
        ] {
            assert_eq!(claims(line), expected, "{line:?}");
        }
        assert_eq!(ArticleMove::of(&Position::initial()).len(), 46);
    }

    #[test]
    fn findings_about_other_moves_are_left_out() {
        let line = |texts: &[&str]| {
            let actions: Vec<Action> = texts.iter().map(|text| text.parse().unwrap()).collect();
            Subject::line(&actions)
        };
        let finding = |(index, about): (usize, Option<Subject>)| {
            let finding = Finding::new(
                ClaimId::new('B', 1),
                index.to_string(),
                Basis::Empirical,
                Verdict::Inconclusive,
            );
            Finding { about, ..finding }
        };
        let abouts = [
            Some(Subject::Class(OpeningClass::OneStep)),
            Some(Subject::Class(OpeningClass::Exchange)),
            None,
            Some(line(&["1A6A7"])),
            Some(line(&["A3NW", "I1W"])),
            // Two lines with the same result.
            Some(line(&["A9E"])),
        ];
        let context = finding((6, None)).as_context();
        let findings = abouts.into_iter().enumerate().map(finding).chain([context]);
        let claim = ClaimResult::new(ClaimId::new('B', 1), findings.collect());
        let of = |line: &[&str]| -> Vec<String> {
            let found = article_move(line).unwrap();
            found.findings(&claim).map(|finding| finding.part.clone()).collect()
        };
        assert_eq!(of(&["A1NE"]), ["0", "2"]);
        assert_eq!(of(&["1A6A7"]), ["1", "2", "3"]);
        assert_eq!(of(&["1A8A7"]), ["1", "2"]);
        assert_eq!(of(&["A3NW", "I1W"]), ["2", "4"]);
        assert_eq!(of(&["A1E"]), ["2", "5"]);
    }
}
