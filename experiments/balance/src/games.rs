//! The games of a final agent against itself.

use std::collections::HashSet;
use std::path::Path;

use chase_arena::games::{GAMES_FILE, GameLine, GameLines, StoredGamesError};
use chase_engine::{Game, Player};
use chase_statistics::clusters::BlockSums;
use chase_statistics::{Diversity, WinDrawLoss};

use crate::agent::BudgetReport;
use crate::measured_number::Measured;

/// The stored games of a tournament.
///
/// # Errors
/// If the file cannot be read, or a line is not a game.
pub(crate) fn read(folder: &Path) -> Result<Vec<GameLine>, StoredGamesError> {
    let mut lines = GameLines::open(&folder.join(GAMES_FILE))?;
    let mut games = Vec::new();
    while let Some(line) = lines.next_line()? {
        games.push(line.game()?);
    }
    Ok(games)
}

/// The first player's score of a game; `None` for a truncated one.
pub(crate) fn score(game: &GameLine) -> Option<f64> {
    let value = game.game.outcome.value_for(Player::White)?;
    Some(f64::midpoint(f64::from(value.0), 1.0))
}

/// Legal actions of all positions of a game, and the number of positions.
///
/// # Errors
/// The fault of a game that cannot be replayed.
pub(crate) fn branching<G: Game>(game: &GameLine, rules: &G::Rules) -> Result<BlockSums, String> {
    let (mut sums, mut actions) = (BlockSums::default(), Vec::new());
    let count = |game: &G, _| {
        game.legal_actions(&mut actions);
        sums.add(actions.len() as f64);
    };
    let replayed = game.game.replay_game(rules, usize::MAX, count);
    replayed.map_err(|fault| fault.to_string())?;
    Ok(sums)
}

/// The report on the games; `actions` are the legal actions of each game's positions.
pub(crate) fn report(simulations: u32, opening_plies: u32, games: &[GameLine], actions: &[BlockSums]) -> BudgetReport {
    let mut counts = WinDrawLoss::default();
    games
        .iter()
        .for_each(|game| counts.add(game.game.outcome, Player::White));
    // The games of a pair begin with the same position, which is random in some games.
    let pairs = |of: &dyn Fn(&GameLine) -> Option<f64>| -> Vec<BlockSums> {
        let sum = |games: &[GameLine]| {
            let mut sums = BlockSums::default();
            games.iter().filter_map(of).for_each(|number| sums.add(number));
            sums
        };
        games.chunks(2).map(sum).collect()
    };
    let draw = |game: &GameLine| Some(f64::from(u8::from(score(game)? == 0.5)));
    let branching: Vec<BlockSums> = actions.chunks(2).map(|games| games.iter().copied().sum()).collect();
    let lines: HashSet<_> = games
        .iter()
        .map(|game| (&game.game.start, &game.game.actions))
        .collect();
    let opening = |game: &GameLine| -> String {
        let plies = game.game.actions.iter().take(opening_plies as usize);
        plies.map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    BudgetReport {
        simulations,
        repeated: (games.len() - lines.len()) as u32,
        score: Measured::share(&pairs(&score)),
        draws: Measured::share(&pairs(&draw)),
        plies: Measured::mean(&pairs(&|game| Some(f64::from(game.game.plies)))),
        branching: Measured::mean(&branching),
        openings: Diversity::of(games.iter().map(opening)),
        games: counts,
    }
}

#[cfg(test)]
mod tests {
    use chase_arena::{Efforts, GameResult};
    use chase_engine::{ConnectFour, Outcome};

    use super::*;

    fn game(outcome: Outcome, actions: &str) -> GameLine {
        let actions: Vec<String> = actions.split(' ').map(str::to_owned).collect();
        GameLine {
            white: "a".into(),
            black: "b".into(),
            pair: 0,
            game: GameResult {
                outcome,
                reason: String::new(),
                plies: actions.len() as u32,
                opening_plies: 0,
                start: None,
                actions,
                effort: Efforts::default(),
            },
        }
    }

    #[test]
    fn games_are_counted_for_the_player_who_moves_first() {
        let (white, black) = (Outcome::Win(Player::White), Outcome::Win(Player::Black));
        let games = [
            game(white, "4 4 1"),
            game(white, "4 4 1"),
            game(Outcome::Draw, "4 1"),
            game(black, "4 4 4 4 4 4 1"),
            game(Outcome::Truncated, "1 4"),
            game(white, "1 4 4"),
        ];
        let actions: Vec<BlockSums> = games
            .iter()
            .map(|game| branching::<ConnectFour>(game, &()).expect("legal"))
            .collect();
        // The last ply of the fourth game is in a position with a full column.
        assert_eq!(
            actions[3],
            BlockSums {
                total: 48.0,
                count: 7.0
            }
        );
        let found = report(16, 2, &games, &actions);
        assert_eq!((found.games.wins, found.games.losses, found.repeated), (3, 1, 1));
        assert_eq!(found.score.map(|score| score.value), Some(3.5 / 5.0));
        assert_eq!(found.draws.map(|draws| draws.value), Some(0.2));
        assert_eq!(found.plies.map(|plies| plies.value), Some(20.0 / 6.0));
        assert_eq!(found.branching.map(|actions| actions.value), Some(139.0 / 20.0));
        assert_eq!(found.openings.map(|openings| openings.lines), Some(3));
        assert!(branching::<ConnectFour>(&game(white, "8"), &()).is_err());
    }
}
