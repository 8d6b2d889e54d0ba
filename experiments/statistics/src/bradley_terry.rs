//! Joint ratings of several players from all their games.

use serde::{Deserialize, Serialize};

use crate::interval::Z;
use crate::matrix::Cholesky;
use crate::{CrossTable, Interval};

/// Elo in a natural unit of rating: a player one natural unit stronger wins e times as often as it loses.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviation of the prior on the first move's advantage, in Elo.
// Wide: the 52.4 % of White in Chase (study 0062) are 17 Elo.
const FIRST_MOVE_PRIOR: f64 = 200.0;
/// Standard deviation of the prior on the logarithm of the draw parameter; its mean is 0, at which a third of the games
/// between equal players are drawn.
const DRAW_PRIOR: f64 = 2.0;
/// Precision of the prior on ratings, in natural units. It keeps the arithmetic finite, and its effect on ratings is
/// too small to show in their intervals.
const RIDGE: f64 = 1e-6;
/// The longest step of Newton's method in a parameter, in natural units (868 Elo).
// A choice: flat directions give steps of thousands. Not measured.
const LONGEST_STEP: f64 = 5.0;
/// Steps after which Newton's method gives up: tables of a hundred thousand games between few players took 301.
const MOST_STEPS: u32 = 1000;

/// Joint ratings by maximum likelihood (Bradley & Terry 1952; draws after Davidson 1970; order of play after Davidson &
/// Beaver 1977).
///
/// With Δ the rating of White minus that of Black plus the advantage of the first move, in Elo, and q = 10^(Δ/800),
/// White wins, draws and loses with probabilities in the ratio q : ν : 1/q. So a difference of 400 Elo means ten wins
/// per loss, whatever the share of draws.
///
/// The prior on ratings is negligible, so a player for whom the games give only a bound has a [`Standing`] that says
/// so. (Like all estimates of this kind, ratings are slightly too far apart in small tables: by about 2.5 % in
/// simulated round robins of 40 games each.) The two parameters shared by all players have wide priors (200 Elo; a
/// factor of e² in ν), which keep them finite where the games do not determine them. Intervals come from the curvature
/// of the likelihood at its maximum, and assume independent games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BradleyTerry {
    /// The player whose rating is 0.
    pub anchor: String,
    /// The players, in the order of the table.
    pub players: Vec<PlayerRating>,
    /// Advantage of the player who moves first, in Elo.
    pub first_move: RatingEstimate,
    /// The draw parameter ν: the number of draws per win between equal players, apart from the advantage of the first
    /// move.
    pub draw: f64,
}

/// The rating of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRating {
    /// Name of the player.
    pub name: String,
    /// Games with a result.
    pub games: u32,
    /// The result of these games.
    #[serde(flatten)]
    pub standing: Standing,
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingEstimate {
    /// The most likely value.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The information of the games on a player's rating above the anchor's, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "kebab-case")]
pub enum Standing {
    /// A rating: the games bound it on both sides.
    Rated(RatingEstimate),
    /// Neither the anchor, nor any player comparable with it, took a point from this player's group: there is no most
    /// likely rating. It is at least this, at 97.5 %.
    AtLeast {
        /// The lower bound, in Elo.
        elo: f64,
    },
    /// This player's group took no point from that of the anchor: the rating is at most this, at 97.5 %.
    AtMost {
        /// The upper bound, in Elo.
        elo: f64,
    },
    /// The games neither connect the player with the anchor nor order them.
    Unknown,
}

impl Standing {
    /// The most likely rating, if there is one.
    pub const fn elo(&self) -> Option<f64> {
        match self {
            Self::Rated(estimate) => Some(estimate.elo),
            Self::AtLeast { .. } | Self::AtMost { .. } | Self::Unknown => None,
        }
    }

    /// The interval; unbounded on the sides that the games do not determine.
    pub const fn interval(&self) -> Interval {
        let (low, high) = match *self {
            Self::Rated(RatingEstimate { low, high, .. }) => (Some(low), Some(high)),
            Self::AtLeast { elo } => (Some(elo), None),
            Self::AtMost { elo } => (None, Some(elo)),
            Self::Unknown => (None, None),
        };
        Interval { low, high }
    }
}

/// Error returned when ratings cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// The anchor has no game with a result.
    #[error("the anchor `{anchor}` has no game with a result; players with such games: {players}")]
    NoAnchor {
        /// The name of the anchor.
        anchor: String,
        /// The names of the players with such games.
        players: String,
    },
    /// A player plays itself.
    #[error("`{player}` plays against itself: expected different names")]
    SamePlayer {
        /// The name that stands on both sides.
        player: String,
    },
    /// No maximum of the likelihood was found, since numbers are too large.
    #[error("the ratings do not converge")]
    Diverges,
}

impl BradleyTerry {
    /// Rates all players of a table who have games with a result.
    ///
    /// # Errors
    /// If the anchor is not among them, or a player plays itself.
    pub fn fit(table: &CrossTable, anchor: &str) -> Result<Self, RatingError> {
        let model = Model::new(table, anchor)?;
        let best = model.maximum(&Parameters::zero(&model), None)?;
        // Fitted separately, only if a player needs bounds.
        let mut bounds = None;
        let mut bound = |index, away| {
            let bounds = match &mut bounds {
                Some(bounds) => bounds,
                none => none.insert(Bounds::new(table, anchor)?),
            };
            Ok::<_, RatingError>(ELO * bounds.of(index, away)?)
        };
        let above = model.reached_by_points();
        let curvature = Cholesky::new(&model.curvature(&best, None)).ok_or(RatingError::Diverges)?;
        let estimate = |index: usize| {
            let (value, error) = (best.0[index], Z * curvature.inverse_diagonal(model.free(index)).sqrt());
            RatingEstimate {
                elo: ELO * value,
                low: ELO * (value - error),
                high: ELO * (value + error),
            }
        };
        let zero = RatingEstimate {
            elo: 0.0,
            low: 0.0,
            high: 0.0,
        };
        let mut players = Vec::with_capacity(model.names.len());
        for (index, name) in model.names.iter().enumerate() {
            let standing = match (above[index][model.anchor], above[model.anchor][index]) {
                _ if index == model.anchor => Standing::Rated(zero),
                (true, true) => Standing::Rated(estimate(index)),
                (true, false) => Standing::AtLeast {
                    elo: bound(index, -1.0)?,
                },
                (false, true) => Standing::AtMost {
                    elo: bound(index, 1.0)?,
                },
                (false, false) => Standing::Unknown,
            };
            players.push(PlayerRating {
                name: name.clone(),
                games: model.games_of(index),
                standing,
            });
        }
        Ok(Self {
            anchor: anchor.to_owned(),
            players,
            first_move: estimate(model.first_move()),
            draw: best.0[model.draw()].exp(),
        })
    }

    /// Only the most likely ratings above the anchor's, in Elo, by the players' names, and the advantage of the first
    /// move. A rating is infinite if the games give only a bound, and NaN if they give no information.
    ///
    /// # Errors
    /// As [`BradleyTerry::fit`].
    pub(crate) fn most_likely(table: &CrossTable, anchor: &str) -> Result<(Vec<(String, f64)>, f64), RatingError> {
        let model = Model::new(table, anchor)?;
        let best = model.maximum(&Parameters::zero(&model), None)?;
        let above = model.reached_by_points();
        let rating = |index: usize| match (above[index][model.anchor], above[model.anchor][index]) {
            _ if index == model.anchor => 0.0,
            (true, true) => ELO * best.0[index],
            (true, false) => f64::INFINITY,
            (false, true) => f64::NEG_INFINITY,
            (false, false) => f64::NAN,
        };
        let ratings = (0..model.names.len()).map(rating).collect::<Vec<_>>();
        let first_move = ELO * best.0[model.first_move()];
        Ok((model.names.into_iter().zip(ratings).collect(), first_move))
    }

    /// The largest group of players who have ratings relative to each other: with one of them as the anchor all of them
    /// have, and no other anchor rates more. Empty if the present anchor has no game with a result.
    pub fn largest_group(table: &CrossTable, anchor: &str) -> Vec<String> {
        let Ok(model) = Model::new(table, anchor) else {
            return Vec::new();
        };
        let reached = model.reached_by_points();
        let players = 0..model.names.len();
        let group = |one: usize| -> Vec<usize> {
            let together = |&other: &usize| one == other || reached[one][other] && reached[other][one];
            players.clone().filter(together).collect()
        };
        // Of several the first.
        let largest = players
            .clone()
            .rev()
            .map(group)
            .max_by_key(Vec::len)
            .unwrap_or_default();
        largest.into_iter().map(|player| model.names[player].clone()).collect()
    }

    /// Expected score of one player against another in equally many games with either colour, from 0 to 1; `None`
    /// unless both have a rating.
    pub fn expected_score(&self, player: &str, opponent: &str) -> Option<f64> {
        Some(self.score_at(self.standing(player)?.elo()? - self.standing(opponent)?.elo()?))
    }

    /// Expected score of a player who is rated `difference` Elo higher, in equally many games with either colour.
    fn score_at(&self, difference: f64) -> f64 {
        let score = |difference: f64| {
            let half = (difference / (2.0 * ELO)).exp();
            (half + self.draw / 2.0) / (half + self.draw + 1.0 / half)
        };
        let first_move = self.first_move.elo;
        f64::midpoint(score(difference + first_move), score(difference - first_move))
    }

    /// The difference in ratings at which the stronger player is expected to score this, from above one half to below
    /// 1, in equally many games with either colour. Without draws and without an advantage of the first move, 75 % is
    /// 191 Elo; draws make it more. `None` for a score beyond that range.
    pub fn difference_for(&self, score: f64) -> Option<f64> {
        if !(score > 0.5 && score < 1.0) {
            return None;
        }
        let (mut low, mut high) = (0.0, ELO);
        while self.score_at(high) < score {
            (low, high) = (high, 2.0 * high);
        }
        // More halvings than a float has bits.
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            match self.score_at(middle) < score {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(high)
    }

    /// The standing of a player; `None` for one without games.
    pub fn standing(&self, name: &str) -> Option<&Standing> {
        let mut players = self.players.iter();
        players
            .find(|player| player.name == name)
            .map(|player| &player.standing)
    }
}

/// The results of White against Black: players by index, games as wins, draws and losses of White.
#[derive(Clone, Copy)]
struct Results {
    white: usize,
    black: usize,
    counts: [f64; 3],
}

struct Model {
    names: Vec<String>,
    anchor: usize,
    results: Vec<Results>,
    /// Precision of the prior on the logarithm of the draw parameter.
    draw_prior: f64,
}

/// Natural units: the rating of each player, the advantage of the first move, the logarithm of the draw parameter. The
/// anchor's rating is fixed at 0.
#[derive(Clone)]
struct Parameters(Vec<f64>);

impl Parameters {
    fn zero(model: &Model) -> Self {
        Self(vec![0.0; model.names.len() + 2])
    }
}

impl Model {
    fn new(table: &CrossTable, anchor: &str) -> Result<Self, RatingError> {
        let mut names: Vec<String> = Vec::new();
        let mut results = Vec::new();
        for pairing in table.pairings.iter().filter(|pairing| pairing.games.decided() > 0) {
            if pairing.white == pairing.black {
                return Err(RatingError::SamePlayer {
                    player: pairing.white.clone(),
                });
            }
            let mut index = |name: &String| {
                names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name.clone());
                    names.len() - 1
                })
            };
            let games = pairing.games;
            results.push(Results {
                white: index(&pairing.white),
                black: index(&pairing.black),
                counts: [games.wins, games.draws, games.losses].map(f64::from),
            });
        }
        match names.iter().position(|name| name == anchor) {
            Some(anchor) => Ok(Self {
                names,
                anchor,
                results,
                draw_prior: DRAW_PRIOR.powi(-2),
            }),
            None => Err(RatingError::NoAnchor {
                anchor: anchor.to_owned(),
                players: if names.is_empty() {
                    "none".to_owned()
                } else {
                    names.join(", ")
                },
            }),
        }
    }

    fn first_move(&self) -> usize {
        self.names.len()
    }

    fn draw(&self) -> usize {
        self.names.len() + 1
    }

    /// The index of a parameter among those without the anchor's.
    fn free(&self, index: usize) -> usize {
        index - usize::from(index > self.anchor)
    }

    fn games_of(&self, player: usize) -> u32 {
        let own = self
            .results
            .iter()
            .filter(|result| result.white == player || result.black == player);
        own.map(|result| result.counts.iter().sum::<f64>() as u32).sum()
    }

    /// For each two players, true if there is a chain from the first to the second in which each took at least half a
    /// point from the next. Ratings are finite among players who reach each other in this way, and only there (Zermelo
    /// 1929, Ford 1957).
    fn reached_by_points(&self) -> Vec<Vec<bool>> {
        let n = self.names.len();
        let mut reached = vec![vec![false; n]; n];
        for &Results { white, black, counts } in &self.results {
            let [wins, draws, losses] = counts;
            reached[white][black] |= wins + draws > 0.0;
            reached[black][white] |= losses + draws > 0.0;
        }
        for middle in 0..n {
            let beyond = reached[middle].clone();
            for row in reached.iter_mut().filter(|row| row[middle]) {
                row.iter_mut().zip(&beyond).for_each(|(to, beyond)| *to |= beyond);
            }
        }
        reached
    }

    /// Probabilities of a win, a draw and a loss of White.
    fn probabilities(&self, parameters: &Parameters, result: &Results) -> [f64; 3] {
        let [half, draw] = self.exponents(parameters, result);
        let top = half.abs().max(draw);
        let weights = [half, draw, -half].map(|exponent| (exponent - top).exp());
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Half the difference in favour of White, and the logarithm of the draw parameter.
    fn exponents(&self, Parameters(values): &Parameters, result: &Results) -> [f64; 2] {
        let difference = values[result.white] - values[result.black] + values[self.first_move()];
        [difference / 2.0, values[self.draw()]]
    }

    /// Precisions of the priors, whose means are all 0.
    fn prior(&self, index: usize) -> f64 {
        if index == self.first_move() {
            (ELO / FIRST_MOVE_PRIOR).powi(2)
        } else if index == self.draw() {
            self.draw_prior
        } else {
            RIDGE
        }
    }

    /// The logarithm of the likelihood and the priors, up to a constant.
    fn log_likelihood(&self, parameters: &Parameters) -> f64 {
        let games = self.results.iter().map(|result| {
            let [half, draw] = self.exponents(parameters, result);
            let top = half.abs().max(draw);
            let sum: f64 = [half, draw, -half].iter().map(|exponent| (exponent - top).exp()).sum();
            let [wins, draws, losses] = result.counts;
            (wins - losses) * half + draws * draw - (wins + draws + losses) * (top + sum.ln())
        });
        let priors = parameters.0.iter().enumerate();
        let priors = priors.map(|(index, value)| self.prior(index) * value * value / 2.0);
        games.sum::<f64>() - priors.sum::<f64>()
    }

    /// Indices of the free parameters: without the anchor's and that of the player `held`.
    fn open(&self, held: Option<usize>) -> Vec<usize> {
        let all = 0..self.names.len() + 2;
        all.filter(|&index| index != self.anchor && Some(index) != held)
            .collect()
    }

    /// Derivatives of a result's exponents: the index of each parameter, and its effect on both exponents.
    fn slopes(&self, result: &Results) -> [(usize, [f64; 2]); 4] {
        [
            (result.white, [0.5, 0.0]),
            (result.black, [-0.5, 0.0]),
            (self.first_move(), [0.5, 0.0]),
            (self.draw(), [0.0, 1.0]),
        ]
    }

    /// The gradient of the log-likelihood in the free parameters.
    fn gradient(&self, parameters: &Parameters, held: Option<usize>) -> Vec<f64> {
        let mut gradient: Vec<_> = parameters
            .0
            .iter()
            .enumerate()
            .map(|(i, value)| -self.prior(i) * value)
            .collect();
        for result in &self.results {
            let [win, draw, loss] = self.probabilities(parameters, result);
            let [wins, draws, losses] = result.counts;
            let games = wins + draws + losses;
            let surplus = [wins - losses - games * (win - loss), draws - games * draw];
            for (index, slope) in self.slopes(result) {
                gradient[index] += slope[0] * surplus[0] + slope[1] * surplus[1];
            }
        }
        self.open(held).into_iter().map(|index| gradient[index]).collect()
    }

    /// The negative matrix of second derivatives in the free parameters. It is positive definite, since the
    /// log-likelihood is concave.
    fn curvature(&self, parameters: &Parameters, held: Option<usize>) -> Vec<Vec<f64>> {
        let size = parameters.0.len();
        let mut matrix = vec![vec![0.0; size]; size];
        for (index, row) in matrix.iter_mut().enumerate() {
            row[index] = self.prior(index);
        }
        for result in &self.results {
            let [win, draw, loss] = self.probabilities(parameters, result);
            let games: f64 = result.counts.iter().sum();
            let covariance = [
                [win + loss - (win - loss).powi(2), -(win - loss) * draw],
                [-(win - loss) * draw, draw * (1.0 - draw)],
            ];
            let slopes = self.slopes(result);
            for (i, left) in slopes {
                for (j, right) in slopes {
                    for (a, row) in covariance.iter().enumerate() {
                        for (b, covariance) in row.iter().enumerate() {
                            matrix[i][j] += games * left[a] * right[b] * covariance;
                        }
                    }
                }
            }
        }
        let open = self.open(held);
        let rows = open.iter().map(|&i| open.iter().map(|&j| matrix[i][j]).collect());
        rows.collect()
    }

    /// The most likely parameters, with the rating of `held` fixed, by Newton's method.
    fn maximum(&self, start: &Parameters, held: Option<usize>) -> Result<Parameters, RatingError> {
        let open = self.open(held);
        let mut parameters = start.clone();
        let mut value = self.log_likelihood(&parameters);
        for _ in 0..MOST_STEPS {
            let gradient = self.gradient(&parameters, held);
            let curvature = Cholesky::new(&self.curvature(&parameters, held)).ok_or(RatingError::Diverges)?;
            let step = curvature.solve(&gradient);
            // Twice the gain of the step if the log-likelihood were quadratic.
            let gain: f64 = step.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            // Close to the last digit of the log-likelihood.
            if gain < 1e-14 * (1.0 + value.abs()) {
                return Ok(parameters);
            }
            // A step in a nearly flat direction may be huge. It is shortened as a whole: cut number by number, it may lead
            // downhill.
            let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
            let mut length = (LONGEST_STEP / longest).min(1.0);
            let (next, next_value) = loop {
                let mut next = parameters.clone();
                for (&index, step) in open.iter().zip(&step) {
                    next.0[index] += length * step;
                }
                let next_value = self.log_likelihood(&next);
                if next_value > value {
                    break (next, next_value);
                }
                length /= 2.0;
                if length < 1e-12 {
                    // No step gives a gain visible in floating point. Then this is the maximum, if nothing is left to gain.
                    return if gain < 1e-6 {
                        Ok(parameters)
                    } else {
                        Err(RatingError::Diverges)
                    };
                }
            };
            (parameters, value) = (next, next_value);
        }
        Err(RatingError::Diverges)
    }
}

/// Bounds of ratings that have no most likely value.
struct Bounds {
    model: Model,
    best: Parameters,
}

impl Bounds {
    fn new(table: &CrossTable, anchor: &str) -> Result<Self, RatingError> {
        let mut model = Model::new(table, anchor)?;
        // Among players who never drew, a prior on draws would count as evidence of strength that does not exist.
        model.draw_prior = RIDGE;
        let best = model.maximum(&Parameters::zero(&model), None)?;
        Ok(Self { model, best })
    }

    /// The rating, in the direction `away` from the most likely one, at which the profile likelihood of a player's
    /// rating has fallen to a fortieth.
    ///
    /// A true rating is beyond it in at most one case of forty, since the likelihood of anything else is forty times
    /// that of the truth at most this often; if all games were won, this is the exact bound of Clopper and Pearson
    /// (1934). The fall at the end of an interval, by z²/2, is for likelihoods with a maximum.
    fn of(&self, player: usize, away: f64) -> Result<f64, RatingError> {
        // One in forty is the error of 2.5 % of one end of a 95 % interval.
        let fall = 40_f64.ln();
        let top = self.model.log_likelihood(&self.best);
        let falls = |rating: f64| {
            let mut start = self.best.clone();
            start.0[player] = rating;
            let there = self.model.maximum(&start, Some(player))?;
            Ok(top - self.model.log_likelihood(&there) > fall)
        };
        let (mut near, mut step) = (self.best.0[player], 1.0);
        let mut far = near + away * step;
        while !falls(far)? {
            near = far;
            step *= 2.0;
            far += away * step;
            // Far beyond every rating: the likelihood does not fall.
            if step > 1e6 {
                return Err(RatingError::Diverges);
            }
        }
        // A millionth of a natural unit is 0.0002 Elo.
        while (far - near).abs() > 1e-6 {
            let middle = f64::midpoint(near, far);
            if falls(middle)? {
                far = middle;
            } else {
                near = middle;
            }
        }
        Ok(f64::midpoint(near, far))
    }
}
