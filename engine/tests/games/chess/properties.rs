//! Properties of whole games.

use std::collections::HashSet;

use chase_engine::chess::{ChessEncoding, Position, Rules, Variant};
use chase_engine::{Chess, Encode, Game, Heuristic, Player, seed};
use ndarray::Array2;
use rand::RngExt;

/// Positions of random games on a board.
fn positions(variant: Variant) -> Vec<Chess> {
    let mut all = Vec::new();
    for number in 0..6 {
        let mut rng = seed::named("games of chess", &[number]);
        let mut game = Chess::new(&Rules::standard(variant));
        while game.outcome().is_none() {
            let actions = game.position().legal_actions();
            game.apply(actions[rng.random_range(0..actions.len())]);
            all.push(game.clone());
        }
    }
    all
}

/// A move as the other player sees it.
fn mirrored(text: &str) -> String {
    let mirror = |letter: char| match letter.to_digit(10) {
        Some(rank) => char::from(b'0' + 9 - rank as u8),
        None => letter,
    };
    text.chars().map(mirror).collect()
}

#[test]
fn exchanging_the_players_and_mirroring_the_ranks_changes_nothing() {
    for variant in Variant::ALL {
        for game in positions(variant) {
            let position = game.position();
            let image = position.mirrored();
            assert_eq!(image.mirrored(), *position);
            let reread = Position::parse(variant, &image.to_string()).unwrap();
            assert_eq!(reread, image, "{position}");
            let texts = |position: &Position, mirror: bool| -> HashSet<_> {
                let actions = position.legal_actions().into_iter();
                let game = Chess::from_position(*position, *game.rules());
                let pair = |action| {
                    let next = position.play(action).unwrap();
                    let next = if mirror { next.mirrored() } else { next };
                    let next = next.to_string();
                    let (board, _) = next.rsplit_once(' ').unwrap();
                    let text = game.action_text(action);
                    let text = if mirror { mirrored(&text) } else { text };
                    (text, board.to_owned(), game.policy_index(action), game.gain(action))
                };
                actions.map(pair).collect()
            };
            assert_eq!(texts(position, false), texts(&image, true), "{position}");
            let image = Chess::from_position(image, *game.rules());
            for player in Player::BOTH {
                let value = game.heuristic(player);
                assert_eq!(value, -game.heuristic(!player), "{position}");
                assert_eq!(value, image.heuristic(!player), "{position}");
                assert_eq!(game.lead(player), image.lead(!player));
            }
            // The image has no history.
            let shown = |game: &Chess| {
                let planes = planes(game).into_iter();
                let planes = planes.filter(|(name, _)| !["repetition", "turns"].contains(&&**name));
                planes.collect::<Vec<_>>()
            };
            assert_eq!(shown(&game), shown(&image), "{position}");
        }
    }
}

/// The planes of a position, by name.
fn planes(game: &Chess) -> Vec<(String, Array2<f32>)> {
    let encoding = ChessEncoding {
        game: game.rules().variant,
    };
    let planes = Chess::encode_all(std::slice::from_ref(game), &encoding);
    let planes = planes
        .outer_iter()
        .next()
        .unwrap()
        .outer_iter()
        .map(|plane| plane.to_owned())
        .collect::<Vec<_>>();
    Chess::plane_names(&encoding).into_iter().zip(planes).collect()
}

#[test]
fn planes_show_the_mover_below() {
    let text = "r3k3/8/8/8/3Pp3/8/8/4K2R b Kq d3 0 11";
    let game = Chess::from_position_text(text, &Rules::standard(Variant::Flat)).unwrap();
    let shown = planes(&game);
    let plane = |name: &str| {
        let (_, plane) = shown.iter().find(|(plane, _)| plane == name).unwrap();
        let numbers = plane.indexed_iter().filter(|&(_, &number)| number != 0.0);
        numbers
            .map(|((row, column), &number)| (row, column, number))
            .collect::<Vec<_>>()
    };
    assert_eq!(plane("own pawn"), [(4, 4, 1.0)]);
    assert_eq!(plane("own king"), [(0, 4, 1.0)]);
    assert_eq!(plane("enemy rook"), [(7, 7, 1.0)]);
    assert_eq!(plane("en passant"), [(5, 3, 1.0)]);
    assert_eq!(plane("own castling, queen's side").len(), 64);
    assert_eq!(plane("own castling, king's side").len(), 0);
    assert_eq!(plane("enemy castling, king's side").len(), 64);
    assert!(plane("turns").iter().all(|&(_, _, value)| value == 20.0 / 400.0));
    assert_eq!(plane("quiet turns").len(), 0);
}

#[test]
fn keys_tell_positions_apart() {
    let key = |text: &str| Position::parse(Variant::Flat, text).unwrap().key();
    let all = [
        "r3k3/8/8/8/3Pp3/8/8/4K2R b Kq d3 0 11",
        "r3k3/8/8/8/3Pp3/8/8/4K2R b Kq - 0 11",
        "r3k3/8/8/8/3Pp3/8/8/4K2R b K - 0 11",
        "r3k3/8/8/8/3Pp3/8/8/4K2R w Kq - 0 11",
        "r3k3/8/8/8/3Pp3/8/8/4K2B b q - 0 11",
        "r3k3/8/8/8/3Pp3/8/8/4K2b b q - 0 11",
    ];
    assert_eq!(all.map(key).iter().collect::<HashSet<_>>().len(), all.len());
    assert_eq!(key(all[0]), key(&all[0].replace("0 11", "7 30")));
    for variant in Variant::ALL {
        for game in positions(variant) {
            let again = Position::parse(variant, &game.position_text()).unwrap();
            assert_eq!((again, again.key()), (*game.position(), game.position().key()));
        }
    }
}
