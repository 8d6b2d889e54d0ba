//! Many games in lock-step, in arrays that Python shares.

use std::sync::Arc;

use chase_engine::{Encode, Outcome, Player, seed};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::parallel::each;
use crate::ruled::{Ruled, encode, list_legal};

/// The arrays of a batch of games: a row for each, row after row.
pub struct Rows<'a> {
    /// `[N, C, H, W]`, or nothing if no planes are wanted.
    pub planes: &'a mut [f32],
    /// True for legal policy indices, `[N, A]`.
    pub mask: &'a mut [bool],
    /// 0 for White, 1 for Black, `[N]`.
    pub to_move: &'a mut [i8],
    /// Rewards of White and Black in the last step, `[N, 2]`.
    pub rewards: &'a mut [f32],
    /// True for each game that ended with a result in the last step, `[N]`.
    pub terminated: &'a mut [bool],
    /// True for each game that was stopped without a result in the last step, `[N]`.
    pub truncated: &'a mut [bool],
}

/// Games of one kind in lock-step. A game that ends begins anew in the same step.
pub trait AnyVector: Send + Sync {
    /// Begins all games anew. Their chance begins anew too where a seed is given.
    fn reset(&mut self, rows: Rows<'_>, seed: Option<u64>, threads: usize);

    /// Plays one action in every game, or in none.
    ///
    /// # Errors
    /// If an action is not legal, or there is not one for each game.
    fn step(&mut self, actions: &[i64], rows: Rows<'_>, threads: usize) -> Result<(), String>;

    /// A legal action for every game, by the game's own chance.
    fn sample(&mut self, actions: &mut [i64]);

    /// The position of a game as text, if there is such a game.
    fn position(&self, game: usize) -> Option<String>;
}

/// One of the games.
struct Lane<G: Encode> {
    game: G,
    rng: Xoshiro256PlusPlus,
    actions: Vec<G::Action>,
    legal: Vec<(u32, G::Action)>,
    /// The place in `legal` of what is played next.
    chosen: Option<usize>,
}

/// The games, and what they are games of.
pub struct Vector<G: Encode> {
    ruled: Arc<Ruled<G>>,
    lanes: Vec<Lane<G>>,
    /// Numbers in the planes of a game; 0 if none are wanted.
    planes: usize,
}

fn rng(seed: u64, game: usize) -> Xoshiro256PlusPlus {
    seed::named("vector environment", &[seed, game as u64])
}

impl<G: Encode> Vector<G> {
    /// # Errors
    /// If there is no memory for this many games.
    pub fn new(ruled: Arc<Ruled<G>>, games: usize, seed: u64, planes: bool) -> Result<Self, String> {
        let mut lanes = Vec::new();
        lanes
            .try_reserve_exact(games)
            .map_err(|_| format!("no memory for {games} games"))?;
        lanes.extend((0..games).map(|game| Lane {
            game: G::new(&ruled.rules),
            rng: rng(seed, game),
            actions: Vec::new(),
            legal: Vec::new(),
            chosen: None,
        }));
        Ok(Self {
            planes: if planes {
                G::shape(&ruled.encoding).input_size()
            } else {
                0
            },
            lanes,
            ruled,
        })
    }

    /// The games with their rows.
    fn with_rows<'a>(&'a mut self, rows: Rows<'a>) -> Vec<(&'a mut Lane<G>, Rows<'a>)> {
        let mut rest = rows;
        let mut all = Vec::with_capacity(self.lanes.len());
        for lane in &mut self.lanes {
            all.push((
                lane,
                Rows {
                    planes: cut(&mut rest.planes, self.planes),
                    mask: cut(&mut rest.mask, self.ruled.facts.policy_size),
                    to_move: cut(&mut rest.to_move, 1),
                    rewards: cut(&mut rest.rewards, 2),
                    terminated: cut(&mut rest.terminated, 1),
                    truncated: cut(&mut rest.truncated, 1),
                },
            ));
        }
        all
    }
}

/// Takes the first N numbers.
fn cut<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, behind) = std::mem::take(rest).split_at_mut(count);
    *rest = behind;
    front
}

impl<G: Encode> Lane<G> {
    /// Shows the present position. The mask must be empty.
    fn show(&mut self, ruled: &Ruled<G>, rows: &mut Rows<'_>) {
        list_legal(&self.game, &mut self.actions, &mut self.legal);
        for &(index, _) in &self.legal {
            rows.mask[index as usize] = true;
        }
        rows.to_move[0] = self.game.to_move() as i8;
        if !rows.planes.is_empty() {
            encode(&self.game, &ruled.encoding, rows.planes);
        }
    }

    fn reset(&mut self, ruled: &Ruled<G>, rows: &mut Rows<'_>) {
        self.game = G::start(&ruled.rules, &mut self.rng);
        rows.mask.fill(false);
        rows.rewards.fill(0.0);
        rows.terminated[0] = false;
        rows.truncated[0] = false;
        self.show(ruled, rows);
    }

    /// Plays what was chosen.
    fn step(&mut self, ruled: &Ruled<G>, rows: &mut Rows<'_>) {
        let Some(chosen) = self.chosen.take() else { return };
        for &(index, _) in &self.legal {
            rows.mask[index as usize] = false;
        }
        self.game.apply(self.legal[chosen].1);
        let outcome = self.game.outcome();
        for player in Player::BOTH {
            let value = outcome.and_then(|outcome| outcome.value_for(player));
            rows.rewards[player as usize] = value.map_or(0.0, |value| value.0);
        }
        rows.truncated[0] = outcome == Some(Outcome::Truncated);
        rows.terminated[0] = outcome.is_some() && !rows.truncated[0];
        if outcome.is_some() {
            self.game = G::start(&ruled.rules, &mut self.rng);
        }
        self.show(ruled, rows);
    }
}

impl<G: Encode> AnyVector for Vector<G> {
    fn reset(&mut self, rows: Rows<'_>, seed: Option<u64>, threads: usize) {
        if let Some(seed) = seed {
            for (game, lane) in self.lanes.iter_mut().enumerate() {
                lane.rng = rng(seed, game);
            }
        }
        let ruled = Arc::clone(&self.ruled);
        each(self.with_rows(rows), threads, |(lane, mut rows)| {
            lane.reset(&ruled, &mut rows)
        });
    }

    fn step(&mut self, actions: &[i64], rows: Rows<'_>, threads: usize) -> Result<(), String> {
        if actions.len() != self.lanes.len() {
            return Err(format!(
                "{} actions, expected {}: one for each game",
                actions.len(),
                self.lanes.len()
            ));
        }
        let choices: Vec<_> = self.lanes.iter_mut().zip(actions).collect();
        each(choices, threads, |(lane, &action)| {
            let found = u32::try_from(action).ok();
            lane.chosen = found.and_then(|index| lane.legal.binary_search_by_key(&index, |&(index, _)| index).ok());
        });
        if let Some(game) = self.lanes.iter().position(|lane| lane.chosen.is_none()) {
            return Err(format!(
                "actions[{game}] is {}, which is not legal there; expected one that action_mask[{game}] marks. No action \
                 was played",
                actions[game]
            ));
        }
        let ruled = Arc::clone(&self.ruled);
        each(self.with_rows(rows), threads, |(lane, mut rows)| {
            lane.step(&ruled, &mut rows)
        });
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (lane, action) in self.lanes.iter_mut().zip(actions) {
            *action = i64::from(lane.legal[lane.rng.random_range(0..lane.legal.len())].0);
        }
    }

    fn position(&self, game: usize) -> Option<String> {
        self.lanes.get(game).map(|lane| lane.game.position_text())
    }
}
