//! The moves that the article discusses, with their claims and a study's findings about them.

use chase_engine::chase::{Action, Position};

use super::evidence::games::{away_openings, four_openings};
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
        for (claim, answered) in [(ClaimId::B8, away_openings()), (ClaimId::B10, four_openings())] {
            for answered in answered.iter().filter(|answered| answered.first.result == *position) {
                let named: Vec<Position> = answered.named.iter().map(|&reply| after(position, reply)).collect();
                position.for_each_action(|action| {
                    let result = after(position, action);
                    if named.contains(&result) {
                        let named = Self {
                            class: None,
                            claims: vec![claim],
                            line: vec![*position, result],
                        };
                        moves.push((action, named));
                    }
                });
            }
        }
        moves
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
        if SHARPEST.contains(&first.action()) {
            claims.push(ClaimId::B5);
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
        use ClaimId::{B1, B2, B4, B5, B6, B7, B8, B9, B10};
        for (line, expected) in [
            (&["A1NE"][..], &[B1][..]),
            (&["A1E"], &[B1, B6]),
            // Same result as A9E: the row shifts by one, whichever 1 pushes it.
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
                ClaimId::B1,
                index.to_string(),
                Basis::Empirical,
                Verdict::Inconclusive,
                "",
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
        let claim = ClaimResult::new(ClaimId::B1, findings.collect());
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
