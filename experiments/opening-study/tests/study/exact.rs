//! Claims that the rules alone decide, against slow computations that know nothing of the engine's tables.

use std::collections::BTreeMap;

use chase_engine::Player;
use chase_engine::chase::{Cell, Position, Setup};
use chase_opening_study as study;
use chase_opening_study::page as study_page;
use chase_opening_study::{ClaimId, ClaimResult, Finding, Role, StudyProvenance, StudyReport, claims};
use chase_statistics::Verdict;
use chase_training::store::run_dir::Meta;

use Verdict::Supported;

/// A place on the board rolled out: row 0 to 8, and columns in half cells modulo 18.
type Place = (i32, i32);

fn place(cell: Cell) -> Place {
    let row = cell.row() as i32;
    (row, 2 * cell.column() as i32 + (row + 1) % 2)
}

const CHAMBER: Place = (4, 9);

/// The places that the die on a cell reaches over empty places, by the rules page in plain arithmetic.
fn reach(position: &Position, from: Cell) -> Vec<Place> {
    let occupied: Vec<Place> = position.all_dice().map(|(cell, _)| place(cell)).collect();
    let speed = position.die(from).unwrap().speed.pips();
    let mut reached = Vec::new();
    for (dx, up) in [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)] {
        let (mut row, mut x) = place(from);
        let mut dy = up;
        let free = (1..=speed).all(|step| {
            if !(0..9).contains(&(row + dy)) {
                dy = -dy;
            }
            (row, x) = (row + dy, (x + dx).rem_euclid(18));
            step == speed || ((row, x) != CHAMBER && !occupied.contains(&(row, x)))
        });
        if free {
            reached.push((row, x));
        }
    }
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// The cells of a player's dice that reach a place, in plain arithmetic.
fn attackers(position: &Position, player: Player, target: Place) -> Vec<String> {
    let dice = position.dice(player).into_iter();
    let attacking = dice.filter(|&from| reach(position, from).contains(&target));
    attacking.map(|cell| cell.to_string()).collect()
}

fn after(turns: &[&str]) -> Position {
    play(&Position::initial(), turns)
}

fn play(position: &Position, turns: &[&str]) -> Position {
    let mut position = *position;
    for turn in turns {
        for action in position.parse_article(turn).unwrap() {
            position = position.play(action).unwrap();
        }
    }
    position
}

fn ring() -> Vec<Cell> {
    ["E4", "F5", "F6", "E6", "D6", "D5"]
        .map(|name| name.parse().unwrap())
        .into()
}

fn findings() -> Vec<Finding> {
    claims::exact(&mut |_| {})
}

fn report() -> StudyReport {
    let provenance = StudyProvenance {
        program: Meta::new("chase", 1, 1),
        config: serde_json::Value::Null,
        raised: Vec::new(),
        config_commit: None,
        agents: Vec::new(),
    };
    StudyReport::new(provenance, findings())
}

#[test]
fn verdicts_of_the_claims() {
    let report = report();
    let verdicts: BTreeMap<ClaimId, Verdict> = report
        .claims
        .iter()
        .filter_map(|claim| Some((claim.id, claim.verdict?)))
        .collect();
    let expected = [
        // The others wait for games.
        (ClaimId::new('B', 1), Supported),
        (ClaimId::new('B', 2), Supported),
        (ClaimId::new('B', 3), Supported),
        (ClaimId::new('B', 5), Supported),
        (ClaimId::new('B', 6), Supported),
        (ClaimId::new('D', 2), Supported),
        (ClaimId::new('D', 3), Supported),
        (ClaimId::new('D', 4), Supported),
        (ClaimId::new('D', 5), Supported),
    ];
    assert_eq!(verdicts, expected.into());
    // All that claims state exactly is borne out.
    let refuted = findings().into_iter().filter(|finding| finding.role == Role::Deciding);
    let refuted: Vec<String> = refuted
        .filter(|finding| finding.verdict != Supported)
        .map(|finding| format!("{}: {}", finding.claim, finding.part))
        .collect();
    assert_eq!(refuted, Vec::<String>::new());
}

#[test]
fn attacks_round_the_chamber() {
    let start = Position::initial();
    let counts = |position: &Position| -> Vec<usize> {
        let cells = ring().into_iter();
        cells
            .map(|cell| attackers(position, Player::White, place(cell)).len())
            .collect()
    };
    // E4, F5, F6, E6, D6, D5.
    assert_eq!(counts(&start), [1, 0, 0, 1, 1, 1]);
    assert_eq!(counts(&after(&["A2C3"])), [2, 0, 0, 1, 1, 1]);
    assert_eq!(counts(&after(&["A8C7"])), [1, 0, 0, 2, 1, 1]);
    assert_eq!(counts(&after(&["A1E"])), [0, 0, 0, 0, 1, 0]);
    assert_eq!(counts(&after(&["A1W"])), [0, 0, 0, 0, 0, 1]);
    let e4 = place("E4".parse().unwrap());
    assert_eq!(attackers(&after(&["1A8A7"]), Player::White, e4), ["A6"]);
    assert!(attackers(&after(&["1A6A7"]), Player::White, e4).is_empty());
    // Which dice can enter the Chamber next, of all first moves.
    let mut entering = BTreeMap::new();
    for first in study::first_moves() {
        let dice = attackers(&first.result, Player::White, CHAMBER);
        if !dice.is_empty() {
            entering.insert(first.text(), dice.join(" "));
        }
    }
    let expected = [
        ("A1E", "A7"),
        ("A1W", "A3"),
        ("1A2A3", "A3"),
        ("1A4A3", "A3"),
        ("1A6A7", "A7"),
        ("1A8A7", "A7"),
    ];
    let expected = expected.map(|(first, die)| (first.to_owned(), die.to_owned()));
    assert_eq!(entering, expected.into());
}

#[test]
fn only_a_4_can_be_captured_at_once_and_the_capturing_4_attacks_another_die() {
    for first in study::first_moves() {
        let position = first.result;
        let whites: Vec<Cell> = position.dice(Player::White).into_iter().collect();
        let attacked: Vec<&Cell> = whites
            .iter()
            .filter(|&&cell| !attackers(&position, Player::Black, place(cell)).is_empty())
            .collect();
        let is_4 = first.class == study::OpeningClass::Four;
        assert_eq!(attacked.len(), usize::from(is_4), "{}", first.text());
        let [target] = attacked[..] else { continue };
        let dice = attackers(&position, Player::Black, place(*target));
        assert_eq!(dice.len(), 1);
        let after = play(&position, &[&format!("{}:{target}", dice[0])]);
        assert_eq!(after.die(*target).unwrap().speed.pips(), 4);
        let next = reach(&after, *target);
        let threatened = after.dice(Player::White).into_iter();
        assert_eq!(threatened.filter(|&cell| next.contains(&place(cell))).count(), 1);
    }
}

/// The first Problem's position, and that White wins it in two turns whatever Grey plays, by loops instead of a search.
#[test]
fn the_first_problem() {
    let problem: Position = "2f3f2/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b".parse().unwrap();
    let finding = findings()
        .into_iter()
        .find(|finding| finding.part == "Problem 1: White wins in three")
        .unwrap();
    assert!(
        finding.summary.contains(&problem.to_short_cfen()),
        "{}",
        finding.summary
    );
    let line = ["E4F5", "1B1C9", "F5G5", "C9G7", "G5G6/G6:G7(B1=6/F7=5)", "G2:G7"];
    let end = play(&problem, &line);
    assert_eq!(end.decision().unwrap().0, Player::White);
    // White wins by taking any die, or by leaving Grey without an action.
    let wins_now = |position: &Position| {
        position.legal_actions().into_iter().any(|action| {
            let next = position.play(action).unwrap();
            next.dice(Player::Black).count() < 5 || (next.to_move() == Player::Black && next.legal_actions().is_empty())
        })
    };
    // What is to be absorbed is absorbed in the best way before that.
    let wins_after_absorbing = |position: &Position| {
        let mut open = vec![*position];
        while let Some(position) = open.pop() {
            if position.missing() == 0 {
                if wins_now(&position) {
                    return true;
                }
                continue;
            }
            let choices = position.legal_actions().into_iter();
            open.extend(choices.map(|action| position.play(action).unwrap()));
        }
        false
    };
    let mut slow = 0;
    for reply in problem.legal_actions() {
        let position = problem.play(reply).unwrap();
        if wins_after_absorbing(&position) {
            continue;
        }
        slow += 1;
        assert_eq!(position.missing(), 0, "captures lose at once");
        let quiet = position.legal_actions().into_iter().any(|action| {
            let next = position.play(action).unwrap();
            let answers = next.legal_actions().into_iter();
            answers
                .map(|answer| next.play(answer).unwrap())
                .all(|answered| wins_after_absorbing(&answered))
        });
        assert!(quiet, "{}", problem.article_text(reply));
    }
    // All replies but the capture E4:F4.
    assert_eq!(slow, problem.count_actions() - 1);
}

#[test]
fn every_finding_says_what_was_done_and_can_be_drawn() {
    let report = report();
    for finding in report.claims.iter().flat_map(|claim| &claim.findings) {
        let name = format!("{}: {}", finding.claim, finding.part);
        assert!(
            finding.n > 0 && !finding.n_unit.is_empty() && !finding.test.is_empty(),
            "{name}"
        );
        assert!(!finding.summary.is_empty(), "{name}");
        for board in &finding.boards {
            assert!(board.position.parse::<Setup>().is_ok(), "{name}");
            for mark in &board.cells {
                assert!(
                    mark.cell.parse::<Cell>().is_ok() && (0.0..=1.0).contains(&mark.value),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn the_report_reads_back_and_its_page_is_well_formed() {
    let report = report();
    let text = serde_json::to_string(&report).unwrap();
    let read: StudyReport = serde_json::from_str(&text).unwrap();
    let value = |report: &StudyReport| serde_json::to_value(report).unwrap();
    assert_eq!(value(&read), value(&report));
    let page = study_page::page(&report);
    let tree = roxmltree::Document::parse_with_options(
        &page,
        roxmltree::ParsingOptions {
            allow_dtd: true,
            ..roxmltree::ParsingOptions::default()
        },
    )
    .unwrap();
    let ids: Vec<&str> = tree
        .descendants()
        .filter(|node| node.has_tag_name("tr"))
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert_eq!(ids.len(), report.claims.len());
    // Every claim can be reached from the table, and nothing comes from elsewhere.
    for claim in &report.claims {
        let ClaimResult { id, .. } = claim;
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    assert!(!page.contains("src=") && !page.contains("<script"));
}
