//! Builds a book: judges its positions ply by ply, challenges its best moves, and plays its contest.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use chase_engine::Playable;
use chase_models::device;

use crate::backup::back_up;
use crate::challengers::challenge;
use crate::config::BookConfig;
use crate::contest::{PlayedContest, contest};
use crate::conventions::conventions;
use crate::error::{BookError, damaged};
use crate::folder::{BookFolder, POSITIONS};
use crate::guaranteed_scores::hold;
use crate::judge::scores;
use crate::panel::{Bench, Panel};
use crate::part_files::Parts;
use crate::played::played;
use crate::position::{BookMove, BookPosition};
use crate::progress::{BookStage, BookWatch};

/// The content of a book.
pub struct BookContent {
    /// The positions, by ply.
    pub(crate) positions: Vec<BookPosition>,
    /// The contest of first moves, if there is one.
    pub(crate) contest: Option<PlayedContest>,
}

/// Judges all positions of a book, challenges its best moves, and plays its contest, on all threads of the current
/// pool; `None` if it was stopped before. What is stored in the folder is not done again. The result does not depend on
/// the number of threads, unless a player has a limit of time.
///
/// # Errors
/// If a player cannot judge, or a file is damaged or cannot be written.
pub fn build<G: Playable>(folder: &BookFolder, watch: BookWatch<'_>) -> Result<Option<BookContent>, BookError> {
    let config = folder.config();
    let device = device::parse(&config.device)?;
    let panel = Panel::<G>::of(config, device)?;
    let (_, rules) = conventions::<G>(config.game);
    if G::begins_at_random(&rules) {
        return Err(BookError::NoOpening(config.game));
    }
    let start = G::new(&rules);
    let mut all = Vec::new();
    let mut games = vec![(Vec::new(), start)];
    for ply in 0..config.plies {
        let Some(positions) = level(folder, &panel, &games, ply, watch)? else {
            return Ok(None);
        };
        let mut next = Vec::new();
        let mut known = HashSet::new();
        for ((line, game), position) in games.iter().zip(&positions) {
            for step in position.moves.iter().filter(|step| step.followed) {
                let after = played(game, &step.action);
                let after = after.ok_or_else(|| damaged(folder.path(), &"it has a move that is not legal"))?;
                if after.outcome().is_none() && known.insert(after.position_key()) {
                    let mut line: Vec<String> = Vec::clone(line);
                    line.push(step.action.clone());
                    next.push((line, after));
                }
            }
        }
        all.extend(positions);
        games = next;
    }
    back_up::<G>(&mut all, config);
    if !challenge(folder, &panel, &mut all, watch)? {
        return Ok(None);
    }
    hold(&mut all);
    let contest = match panel.contestant.as_ref().zip(all.first()) {
        Some((player, first)) => match contest(folder, player, first, watch)? {
            None if watch.stop.load(Ordering::Relaxed) => return Ok(None),
            played => played,
        },
        None => None,
    };
    let positions = all;
    Ok(Some(BookContent { positions, contest }))
}

/// The positions of a ply.
fn level<G: Playable>(
    folder: &BookFolder,
    panel: &Panel<G>,
    games: &[(Vec<String>, G)],
    ply: u32,
    watch: BookWatch<'_>,
) -> Result<Option<Vec<BookPosition>>, BookError> {
    let parts = Parts {
        folder,
        panel,
        watch,
        stage: BookStage::Ply(ply),
        file: &format!("{POSITIONS}/ply-{ply:02}-"),
        things: games,
        fits: &|(line, _), position: &BookPosition| position.line == *line,
        work: &|bench, (line, game)| judge(folder.config(), bench, line, game),
        done: AtomicUsize::new(0),
    };
    parts.results()
}

fn judge<G: Playable>(
    config: &BookConfig,
    bench: &mut Bench<G>,
    line: &[String],
    game: &G,
) -> Result<BookPosition, BookError> {
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let scouted = scores(bench.scout.as_mut(), &config.scout.to_string(), game, &legal)?;
    let first = line.is_empty();
    let mut order: Vec<usize> = (0..legal.len()).collect();
    let by = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|&one, &other| by(scouted[other]).total_cmp(&by(scouted[one])));
    order.truncate(if first { legal.len() } else { config.candidates as usize });
    let candidates: Vec<G::Action> = order.iter().map(|&index| legal[index]).collect();
    let mut judged = vec![Vec::new(); candidates.len()];
    for (judge, player) in bench.judges.iter_mut().zip(&config.judges) {
        let scores = scores(judge.as_mut(), &player.to_string(), game, &candidates)?;
        for (all, score) in judged.iter_mut().zip(scores) {
            all.extend(score);
        }
    }
    let mut moves: Vec<BookMove> = legal
        .iter()
        .zip(&scouted)
        .map(|(&action, &scout)| BookMove {
            action: game.action_text(action),
            text: game.people_text(action),
            scout,
            judges: Vec::new(),
            followed: false,
            to: None,
            backed: None,
            challenge: None,
            held: None,
        })
        .collect();
    for (&index, judged) in order.iter().zip(judged) {
        moves[index].judges = judged;
    }
    let mut position = BookPosition {
        ply: line.len() as u32,
        line: line.to_vec(),
        position: game.position_text(),
        player: game.to_move().name().to_owned(),
        moves,
        backed: None,
    };
    position.sort();
    follow(&mut position, config, first);
    Ok(position)
}

/// Marks the candidates that are followed: all of the first position, else the best ones.
fn follow(position: &mut BookPosition, config: &BookConfig, first: bool) {
    let width = if first { usize::MAX } else { config.width as usize };
    let best = position.moves.first().and_then(|best| best.judged());
    let least = match best {
        Some(best) if !first => best.mean - config.margin,
        _ => f64::NEG_INFINITY,
    };
    for step in position.moves.iter_mut().take(width) {
        step.followed = step.judged().is_some_and(|judged| judged.mean >= least);
    }
}
