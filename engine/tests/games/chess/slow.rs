//! A second, slow generator of chess moves, which shares nothing with the engine: a board of letters, and every move tried
//! out to see whether it leaves the king attacked.

use std::collections::BTreeMap;

use chase_engine::chess::{Position, Rules, Variant};
use chase_engine::{Chess, Game, seed};
use rand::RngExt;

/// A position: letters as in FEN by rank from the first and file from a, `.` for an empty cell.
#[derive(Clone)]
struct Board {
    cells: [[char; 8]; 8],
    white: bool,
    castling: String,
    en_passant: Option<(i32, i32)>,
    quiet: u32,
    turn: u32,
    joined: bool,
}

type Place = (i32, i32);

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Board {
    fn read(text: &str, joined: bool) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut cells = [['.'; 8]; 8];
        for (row, line) in fields[0].split('/').enumerate() {
            let wide = |letter: char| match letter.to_digit(10) {
                Some(digit) => ".".repeat(digit as usize),
                None => letter.to_string(),
            };
            let line: String = line.chars().map(wide).collect();
            for (file, letter) in line.chars().enumerate() {
                cells[7 - row][file] = letter;
            }
        }
        let place = |text: &str| {
            let bytes = text.as_bytes();
            (text != "-").then(|| (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1')))
        };
        Self {
            cells,
            white: fields[1] == "w",
            castling: fields[2].replace('-', ""),
            en_passant: place(fields[3]),
            quiet: fields[4].parse().unwrap(),
            turn: fields[5].parse().unwrap(),
            joined,
        }
    }

    fn write(&self) -> String {
        let rank = |rank: &[char; 8]| {
            let mut line: String = rank.iter().collect();
            for count in (1..=8).rev() {
                line = line.replace(&".".repeat(count), &count.to_string());
            }
            line
        };
        let ranks: Vec<String> = self.cells.iter().rev().map(rank).collect();
        let castling = if self.castling.is_empty() { "-" } else { &self.castling };
        let en_passant = self.en_passant.map_or("-".to_owned(), name);
        let side = if self.white { "w" } else { "b" };
        format!(
            "{} {side} {castling} {en_passant} {} {}",
            ranks.join("/"),
            self.quiet,
            self.turn
        )
    }

    fn at(&self, (file, rank): Place) -> char {
        self.cells[rank as usize][file as usize]
    }

    fn set(&mut self, (file, rank): Place, letter: char) {
        self.cells[rank as usize][file as usize] = letter;
    }

    fn places() -> impl Iterator<Item = Place> {
        (0..64).map(|index| (index % 8, index / 8))
    }

    /// The place at a distance, if it is on the board.
    fn beside(&self, (file, rank): Place, (files, ranks): Place) -> Option<Place> {
        let (file, rank) = (file + files, rank + ranks);
        let file = if self.joined { file.rem_euclid(8) } else { file };
        ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((file, rank))
    }

    fn is(&self, place: Place, white: bool) -> bool {
        let letter = self.at(place);
        letter.is_alphabetic() && letter.is_uppercase() == white
    }

    /// Where the piece on a place captures, or could if an enemy stood there.
    fn attacked_from(&self, from: Place) -> Vec<Place> {
        let (straight, diagonal) = ([(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
        let eight = [straight, diagonal].concat();
        let leaps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let (steps, far) = match self.at(from) {
            'P' => (vec![(1, 1), (-1, 1)], false),
            'p' => (vec![(1, -1), (-1, -1)], false),
            'N' | 'n' => (leaps.to_vec(), false),
            'K' | 'k' => (eight, false),
            'B' | 'b' => (diagonal.to_vec(), true),
            'R' | 'r' => (straight.to_vec(), true),
            'Q' | 'q' => (eight, true),
            _ => (vec![], false),
        };
        let mut found = Vec::new();
        for step in steps {
            let mut at = from;
            while let Some(to) = self.beside(at, step).filter(|&to| to != from) {
                found.push(to);
                if !far || self.at(to) != '.' {
                    break;
                }
                at = to;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn is_attacked(&self, place: Place, by_white: bool) -> bool {
        Self::places().any(|from| self.is(from, by_white) && self.attacked_from(from).contains(&place))
    }

    fn is_in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let place = Self::places().find(|&place| self.at(place) == king).unwrap();
        self.is_attacked(place, !white)
    }

    fn is_dead(&self) -> bool {
        let rest: String = self
            .cells
            .iter()
            .flatten()
            .filter(|letter| !".Kk".contains(**letter))
            .collect();
        matches!(&*rest.to_lowercase(), "" | "b" | "n")
    }

    /// The board after a move, whose capture in passing is not yet known to be legal.
    fn moved(&self, from: Place, to: Place, promotion: Option<char>) -> Self {
        let mut next = self.clone();
        let letter = self.at(from);
        let is_pawn = letter.eq_ignore_ascii_case(&'p');
        next.quiet = if is_pawn || self.at(to) != '.' {
            0
        } else {
            self.quiet + 1
        };
        next.set(from, '.');
        next.set(to, promotion.unwrap_or(letter));
        if is_pawn && self.en_passant == Some(to) && from.0 != to.0 {
            next.set((to.0, from.1), '.');
        }
        if letter.eq_ignore_ascii_case(&'k') && (from.0 - to.0).abs() == 2 {
            let (rook, rook_to) = if to.0 == 6 { (7, 5) } else { (0, 3) };
            next.set((rook_to, to.1), self.at((rook, to.1)));
            next.set((rook, to.1), '.');
        }
        let lost = |place: Place| match name(place).as_str() {
            "e1" => "KQ",
            "h1" => "K",
            "a1" => "Q",
            "e8" => "kq",
            "h8" => "k",
            "a8" => "q",
            _ => "",
        };
        let lost = [lost(from), lost(to)].concat();
        next.castling.retain(|letter| !lost.contains(letter));
        next.en_passant = (is_pawn && (from.1 - to.1).abs() == 2).then_some((from.0, (from.1 + to.1) / 2));
        next.white = !self.white;
        next.turn += u32::from(!self.white);
        next
    }

    /// All moves with the boards after them, if only those to and from the king's safety are missing.
    fn tries(&self) -> Vec<(String, Self)> {
        let mut found = Vec::new();
        for from in Self::places().filter(|&from| self.is(from, self.white)) {
            let is_pawn = self.at(from).eq_ignore_ascii_case(&'p');
            let mut targets = self.attacked_from(from);
            targets.retain(|&to| match is_pawn {
                true => self.is(to, !self.white) || self.en_passant == Some(to),
                false => !self.is(to, self.white),
            });
            if is_pawn {
                let up = if self.white { 1 } else { -1 };
                let one = (from.0, from.1 + up);
                if self.at(one) == '.' {
                    targets.push(one);
                    let two = (from.0, from.1 + 2 * up);
                    if from.1 == (if self.white { 1 } else { 6 }) && self.at(two) == '.' {
                        targets.push(two);
                    }
                }
            }
            for to in targets {
                let kinds: &[Option<char>] = match is_pawn && (to.1 == 0 || to.1 == 7) {
                    true => &[Some('q'), Some('r'), Some('b'), Some('n')],
                    false => &[None],
                };
                for &kind in kinds {
                    let text = format!("{}{}{}", name(from), name(to), kind.map_or(String::new(), String::from));
                    let kind = kind.map(|kind| if self.white { kind.to_ascii_uppercase() } else { kind });
                    found.push((text, self.moved(from, to, kind)));
                }
            }
        }
        let rank = if self.white { 0 } else { 7 };
        for letter in self
            .castling
            .chars()
            .filter(|letter| letter.is_uppercase() == self.white)
        {
            let (to, empty, safe): (i32, &[i32], [i32; 3]) = match letter {
                'K' | 'k' => (6, &[5, 6], [4, 5, 6]),
                _ => (2, &[1, 2, 3], [4, 3, 2]),
            };
            let is_free = empty.iter().all(|&file| self.at((file, rank)) == '.');
            if is_free && safe.iter().all(|&file| !self.is_attacked((file, rank), !self.white)) {
                let text = format!("{}{}", name((4, rank)), name((to, rank)));
                found.push((text, self.moved((4, rank), (to, rank), None)));
            }
        }
        found
    }

    /// All legal moves with the positions after them.
    fn moves(&self) -> BTreeMap<String, String> {
        if self.is_dead() {
            return BTreeMap::new();
        }
        let tries = self.tries().into_iter();
        let legal = tries.filter(|(_, next)| !next.is_in_check(self.white));
        let results = legal.map(|(text, mut next)| {
            if let Some(passed) = next.en_passant {
                let in_passing = next.clone().tries().into_iter().any(|(text, after)| {
                    let is_pawn = next.at(Self::read_place(&text)).eq_ignore_ascii_case(&'p');
                    is_pawn && text[2..4] == name(passed) && !after.is_in_check(next.white)
                });
                next.en_passant = in_passing.then_some(passed);
            }
            (text, next.write())
        });
        results.collect()
    }

    fn read_place(text: &str) -> Place {
        let bytes = text.as_bytes();
        (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
    }
}

/// Compares the moves of a position and where they lead.
fn compare(position: &Position) {
    let text = position.to_string();
    let slow = Board::read(&text, position.variant() == Variant::Cylinder);
    assert_eq!(slow.write(), text);
    let moves: BTreeMap<_, _> = position
        .legal_actions()
        .into_iter()
        .map(|action| (action.to_string(), position.play(action).unwrap().to_string()))
        .collect();
    assert_eq!(moves, slow.moves(), "{} {text}", position.variant().name());
    assert_eq!(position.count_actions() as usize, moves.len(), "{text}");
    assert_eq!(position.is_check(), slow.is_in_check(slow.white), "{text}");
}

#[test]
fn random_games_have_the_moves_of_the_slow_generator() {
    for variant in Variant::ALL {
        for number in 0..8 {
            let mut rng = seed::named("slow chess", &[number]);
            let mut game = Chess::new(&Rules::standard(variant));
            while game.outcome().is_none() && game.plies() < 120 {
                compare(game.position());
                let actions = game.position().legal_actions();
                game.apply(actions[rng.random_range(0..actions.len())]);
            }
        }
    }
}

/// Few pieces and long routes: pins and checks over the edge, along two routes, and in passing.
#[test]
fn random_positions_have_the_moves_of_the_slow_generator() {
    let mut rng = seed::named("slow chess positions", &[]);
    let mut seen = [0; 2];
    while seen.iter().sum::<u32>() < 6000 {
        let mut board = Board::read("8/8/8/8/8/8/8/8 w - - 0 1", true);
        let pieces = ["Kk", &"QRBNPqrbnp".repeat(rng.random_range(1..3))].concat();
        let count = rng.random_range(2..pieces.len().min(14));
        let extra: Vec<char> = pieces.chars().skip(2).collect();
        let chosen = (0..count).map(|_| extra[rng.random_range(0..extra.len())]);
        let letters: Vec<char> = "Kk".chars().chain(chosen).collect();
        for letter in letters {
            let ranks = if letter.eq_ignore_ascii_case(&'p') { 1..7 } else { 0..8 };
            let place = (rng.random_range(0..8), rng.random_range(ranks));
            if board.at(place) == '.' {
                board.set(place, letter);
            }
        }
        board.white = rng.random();
        for letter in "KQkq".chars() {
            let rank = if letter.is_uppercase() { 0 } else { 7 };
            let rook = (if letter.eq_ignore_ascii_case(&'k') { 7 } else { 0 }, rank);
            let colour = |piece: char| if rank == 0 { piece.to_ascii_uppercase() } else { piece };
            if board.at((4, rank)) == colour('k') && board.at(rook) == colour('r') {
                board.castling.push(letter);
            }
        }
        // A pawn that may have advanced by two has.
        let (passed, second, fourth, pawn) = if board.white { (5, 6, 4, 'p') } else { (2, 1, 3, 'P') };
        board.en_passant = (0..8).map(|file| (file, passed)).find(|&(file, _)| {
            [passed, second].iter().all(|&rank| board.at((file, rank)) == '.') && board.at((file, fourth)) == pawn
        });
        for variant in Variant::ALL {
            if let Ok(position) = Position::parse(variant, &board.write()) {
                compare(&position);
                seen[variant as usize] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen > 1000), "{seen:?}");
}
