//! From games to estimates: comparisons of series, and the answer to one test.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use super::measure::Measure;
use crate::claim_test::{ClaimTest, Each, Estimate};
use crate::evidence::games::{Answered, Design, GameFacts, Series, SeriesId, SeriesKind, answered_openings};
use crate::{ClaimId, Finding, FirstMove, OpeningClass, Role, first_moves};
use chase_engine::chase::Action;
use chase_statistics::clusters::{self, BlockSums};
use chase_statistics::{AnytimeMean, Contrast, MeanEstimate, MeanMethod, Verdict, block_numbers};

/// The comparison of a test of games: the mean of a measure over some games, minus that over others if there are any.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesContrast {
    measure: Measure,
    plus: Population,
    minus: Option<Population>,
}

impl GamesContrast {
    /// True if it has two sides.
    pub const fn is_difference(&self) -> bool {
        self.minus.is_some()
    }
}

/// Games of a player.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Population {
    /// From the initial position.
    Free,
    /// From the initial position, under other conventions.
    Convention,
    /// From the initial position, and after every first move.
    All,
    /// After first moves of these classes.
    Classes(Vec<OpeningClass>),
    /// After first moves of other classes, except the reckless ones.
    Rest(Vec<OpeningClass>),
    /// After first moves of other classes that the article calls safe.
    SafeBesides(Vec<OpeningClass>),
    /// After these first moves, in exact form.
    Moves(Vec<String>),
    /// After the safe first move with the greatest measure, other than those on the other side, with its mirror image.
    /// Other agents' games choose it.
    GreatestOtherSafe,
    /// After the last of the best first moves, as many as count as several; mirror images count as one. Other agents'
    /// games choose it.
    LastOfSeveral,
    /// After this first move and the reply that the article names; the best of several by other agents' games.
    NamedReply(String),
    /// After this first move and the best other reply: by other agents' games where all replies were forced, else the
    /// player's own choice. Empty if the article names that.
    BestOtherReply(String),
}

impl Population {
    /// True if games choose the first moves.
    const fn is_chosen(&self) -> bool {
        matches!(self, Self::GreatestOtherSafe | Self::LastOfSeveral)
    }

    /// True for games after forced replies.
    const fn is_after_replies(&self) -> bool {
        matches!(self, Self::NamedReply(_) | Self::BestOtherReply(_))
    }

    /// The series of a player; `besides` are those on the other side. Empty if there are no other agents to choose them.
    fn series(
        &self,
        analysis: &GamesAnalysis<'_>,
        player: usize,
        measure: Measure,
        besides: &[SeriesId],
    ) -> Vec<SeriesId> {
        let firsts = |accept: &dyn Fn(OpeningClass) -> bool| firsts(player, accept);
        let of_kind = |kind| analysis.of_kind(player, kind).map(|series| series.id);
        match self {
            Self::Free => vec![SeriesId::free(player)],
            Self::Convention => of_kind(SeriesKind::Convention).collect(),
            Self::All => of_kind(SeriesKind::First).chain(of_kind(SeriesKind::Free)).collect(),
            Self::Classes(classes) => firsts(&|class| classes.contains(&class)),
            Self::Rest(classes) => firsts(&|class| !class.is_called_reckless() && !classes.contains(&class)),
            Self::SafeBesides(classes) => firsts(&|class| class.is_called_safe() && !classes.contains(&class)),
            Self::Moves(moves) => {
                let actions = moves.iter().map(|text| action(text));
                actions.map(|action| SeriesId::first(player, action)).collect()
            }
            Self::GreatestOtherSafe => {
                let moves = first_moves();
                let safe = |pair: &[Action; 2]| {
                    let first = moves.iter().find(|first| first.action() == pair[0]);
                    first.is_some_and(|first| first.class.is_called_safe())
                        && !besides.contains(&SeriesId::first(player, pair[0]))
                };
                let others = FirstMove::pairs().into_iter().filter(safe).collect();
                let ranked = analysis.by_others(measure, player, others, of_pair);
                ranked.first().map_or_else(Vec::new, |pair| of_pair(pair, player))
            }
            Self::LastOfSeveral => {
                let ranked = analysis.by_others(measure, player, FirstMove::pairs(), of_pair);
                let last = ranked.get(analysis.design.config.several as usize - 1);
                last.map_or_else(Vec::new, |pair| of_pair(pair, player))
            }
            Self::NamedReply(first) => {
                let answered = answered(first);
                analysis.best_reply(&answered, &answered.named, player)
            }
            Self::BestOtherReply(first) => {
                let answered = answered(first);
                if analysis.design.config.all_replies {
                    return analysis.best_reply(&answered, &answered.others, player);
                }
                let own = analysis.design.players[player].reply(answered.first.action());
                let other = own.filter(|own| !answered.named.contains(own));
                let series = other.map(|own| SeriesId::reply(player, answered.first.action(), own));
                series.into_iter().collect()
            }
        }
    }
}

fn action(text: &str) -> Action {
    text.parse().expect("claims.toml has actions in exact form")
}

/// A first move that the article answers.
fn answered(first: &str) -> Answered {
    let first = action(first);
    let mut all = answered_openings().into_iter();
    all.find(|answered| answered.first.action() == first)
        .expect("claims.toml names first moves that the article answers")
}

/// The series of a player after a first move and its mirror image.
fn of_pair(pair: &[Action; 2], player: usize) -> Vec<SeriesId> {
    pair.map(|action| SeriesId::first(player, action)).into()
}

/// The series of a player after all first moves that satisfy a condition.
fn firsts(player: usize, accept: impl Fn(OpeningClass) -> bool) -> Vec<SeriesId> {
    let moves = first_moves().into_iter().filter(|first| accept(first.class));
    moves.map(|first| SeriesId::first(player, first.action())).collect()
}

/// Players whose games are pooled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pool {
    /// Indices of the players.
    pub players: Vec<usize>,
    /// Number of pools with the same tests that share the error: all players together for the verdict, or each alone
    /// for the variation between them.
    shared_by: usize,
}

impl Pool {
    /// All players of the whole study, who decide; or others, with tests of their own that no other pool has.
    pub const fn all(players: Vec<usize>) -> Self {
        Self { players, shared_by: 1 }
    }

    /// One of several players alone.
    pub fn alone(player: usize, shared_by: usize) -> Self {
        let players = vec![player];
        Self { players, shared_by }
    }

    /// True for all players, who decide.
    pub const fn decides(&self) -> bool {
        self.shared_by == 1
    }

    /// Number of comparisons that share an error, if each pool makes `comparisons`.
    pub const fn sharing(&self, comparisons: usize) -> usize {
        comparisons * self.shared_by
    }
}

/// Series of one player: the mean over the first minus the mean over the second, if there are any.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub plus: Vec<SeriesId>,
    pub minus: Vec<SeriesId>,
}

impl Sides {
    fn series(&self) -> impl Iterator<Item = SeriesId> {
        self.plus.iter().chain(&self.minus).copied()
    }
}

/// A finding, and the series whose games it rests on.
pub(crate) struct Answer {
    pub finding: Finding,
    pub series: HashSet<SeriesId>,
}

impl From<Finding> for Answer {
    /// An answer that needs no more games.
    fn from(finding: Finding) -> Self {
        let series = HashSet::new();
        Self { finding, series }
    }
}

impl Answer {
    /// The series that need more games: those of a verdict, as long as it is open.
    pub fn open(self) -> HashSet<SeriesId> {
        match (self.finding.role, self.finding.verdict) {
            (Role::Deciding, Verdict::Inconclusive) => self.series,
            _ => HashSet::new(),
        }
    }
}

/// All games, ready for tests.
pub(crate) struct GamesAnalysis<'a> {
    pub design: &'a Design,
    pub series: &'a [Series],
    facts: &'a HashMap<SeriesId, Vec<GameFacts>>,
    /// The part of each error that a verdict may use at this look: [`Design::looks`].
    pub look: f64,
}

impl<'a> GamesAnalysis<'a> {
    pub fn new(design: &'a Design, series: &'a [Series], facts: &'a HashMap<SeriesId, Vec<GameFacts>>) -> Self {
        Self {
            design,
            series,
            facts,
            look: 1.0,
        }
    }

    /// The same games at a look that may use this part of each error.
    pub const fn at_look(self, look: f64) -> Self {
        Self { look, ..self }
    }

    /// Candidates in the order of a measure, the greatest first, by the games of all agents of the whole study but one.
    /// A choice by the games that then measure it would be too good. Empty without another agent.
    fn by_others<T>(
        &self,
        measure: Measure,
        player: usize,
        candidates: Vec<T>,
        series: impl Fn(&T, usize) -> Vec<SeriesId>,
    ) -> Vec<T> {
        let others: Vec<usize> = self.design.main_players().filter(|&other| other != player).collect();
        if others.is_empty() {
            return Vec::new();
        }
        let mean = |candidate: &T| {
            let sides = others.iter().map(|&other| Sides {
                plus: series(candidate, other),
                minus: Vec::new(),
            });
            let blocks = self.blocks(measure, &sides.collect::<Vec<_>>());
            blocks.iter().sum::<f64>() / blocks.len() as f64
        };
        let measured = candidates.into_iter().map(|candidate| (mean(&candidate), candidate));
        let mut known: Vec<(f64, T)> = measured.filter(|(mean, _)| mean.is_finite()).collect();
        known.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        known.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// The games of a player after a first move and the best of some replies by other agents' games: White's score is the
    /// least after it.
    fn best_reply(&self, answered: &Answered, replies: &[Action], player: usize) -> Vec<SeriesId> {
        let first = answered.first.action();
        let series = |&reply: &Action, player: usize| vec![SeriesId::reply(player, first, reply)];
        let best = match replies {
            [only] => Some(*only),
            _ => self.by_others(Measure::Score, player, replies.to_vec(), series).pop(),
        };
        best.map_or_else(Vec::new, |best| series(&best, player))
    }

    /// The games of a series, by number.
    pub fn games(&self, series: SeriesId) -> &'a [GameFacts] {
        self.facts.get(&series).map_or(&[], Vec::as_slice)
    }

    /// The number of different games of a player from the initial position, and of all, if the player repeats the same
    /// ones: then they do not show how its games vary.
    pub fn repeats(&self, player: usize) -> Option<(usize, usize)> {
        let games = self.games(SeriesId::free(player));
        let distinct: BTreeSet<_> = games.iter().map(|game| (&game.line, game.plies)).collect();
        (games.len() > 1 && 2 * distinct.len() < games.len()).then_some((distinct.len(), games.len()))
    }

    fn of_kind(&self, player: usize, kind: SeriesKind) -> impl Iterator<Item = &'a Series> {
        let series = self.series.iter();
        series.filter(move |series| series.player() == player && series.kind() == kind)
    }

    /// Number of blocks that all of these series reach if one from a forced opening has `most`.
    fn planned(&self, sides: &[Sides], most: u32) -> u32 {
        let played = |id: &SeriesId| self.series.iter().any(|series| series.id == *id);
        let series = sides.iter().flat_map(Sides::series).filter(played);
        let planned = series.map(|id| self.design.games(id.kind(), most));
        planned.min().unwrap_or(most)
    }

    /// One number for each block: the mean over players.
    fn blocks(&self, measure: Measure, sides: &[Sides]) -> Vec<f64> {
        let numbers = |ids: &[SeriesId]| -> Vec<Vec<Option<f64>>> {
            let series = ids.iter().map(|&id| self.games(id));
            series
                .map(|games| games.iter().map(|game| measure.of(game)).collect())
                .collect()
        };
        let contrast = |sides: &Sides| Contrast {
            plus: numbers(&sides.plus),
            minus: numbers(&sides.minus),
        };
        block_numbers(&sides.iter().map(contrast).collect::<Vec<_>>())
    }

    /// The range of the numbers of blocks, and the method of estimating their mean.
    fn way(&self, measure: Measure, sides: &[Sides]) -> ((f64, f64), MeanMethod) {
        let (low, high) = measure.range();
        if sides.iter().all(|sides| sides.minus.is_empty()) {
            return ((low, high), measure.method());
        }
        // A mean over whole classes hardly varies within the range of one game.
        let of_classes = sides.iter().any(|sides| sides.series().count() > 2);
        let method = if of_classes {
            MeanMethod::Student
        } else {
            measure.method()
        };
        ((low - high, high - low), method)
    }

    /// For each player the mean over some series, minus the mean over others if there are any; then the mean over
    /// players.
    fn estimate(&self, measure: Measure, sides: &[Sides], comparisons: usize) -> Option<MeanEstimate> {
        if sides.is_empty() {
            return None;
        }
        let ((range, method), config) = (self.way(measure, sides), &self.design.config);
        let (blocks, most) = match measure {
            Measure::MixedScore => (self.mixed_blocks(sides), config.most),
            _ => (self.blocks(measure, sides), self.planned(sides, config.most)),
        };
        AnytimeMean::new(method, range, config.error, most.into())
            .shared_by(comparisons)
            .estimate(&blocks)
    }

    /// The share of lost 5s that made their owner promote two dice, over blocks.
    fn share_of_fives(&self, sides: &[Sides], comparisons: usize) -> Option<Estimate> {
        let series: Vec<SeriesId> = sides.iter().flat_map(Sides::series).collect();
        let most = series.iter().map(|&id| self.games(id).len()).max().unwrap_or(0);
        let mut blocks = vec![BlockSums::default(); most];
        for &id in &series {
            for (block, game) in blocks.iter_mut().zip(self.games(id)) {
                let promoted = game.fives.iter();
                promoted.for_each(|&promoted| block.add(f64::from(u8::from(promoted >= 2))));
            }
        }
        // With several agents, `judged` takes the part for this look from their common error: here it would be taken twice.
        let look = if self.design.main_players().len() > 1 {
            1.0
        } else {
            self.look
        };
        let level = 1.0 - look * self.design.config.error / comparisons as f64;
        clusters::share(&blocks, level).map(|share| Estimate::of_clusters(&share, level))
    }

    /// The answers to a test of games; none for other tests, and where replies were not forced.
    pub fn ask(&self, claim: ClaimId, test: &ClaimTest, pool: &Pool) -> Vec<Answer> {
        let asked = |contrast: &&GamesContrast| self.design.config.replies || !contrast.plus.is_after_replies();
        let Some(contrast) = test.games.as_ref().filter(asked) else {
            return Vec::new();
        };
        match test.each {
            None => vec![self.answer(claim, &test.of(&self.design.config.rules), contrast, pool)],
            Some(_) if !pool.decides() => Vec::new(),
            Some(Each::Player) => (0..self.design.players.len())
                .map(|player| self.of_player(claim, test, contrast, player))
                .collect(),
            Some(Each::Convention) => (self.of_kind(0, SeriesKind::Convention))
                .map(|series| {
                    let sides = vec![Sides {
                        plus: vec![series.id],
                        minus: Vec::new(),
                    }];
                    let finding = self.finding(
                        claim,
                        &test.of_one(series.rules),
                        contrast.measure,
                        &sides,
                        &Pool::all(vec![0]),
                    );
                    let agent = Some(self.design.players[0].name.clone());
                    Finding { agent, ..finding }.into()
                })
                .collect(),
        }
    }

    /// The answer from the games of one player, of the curve or not.
    fn of_player(&self, claim: ClaimId, test: &ClaimTest, contrast: &GamesContrast, player: usize) -> Answer {
        let name = &self.design.players[player].name;
        let test = test.of_one(name);
        let Some((distinct, games)) = self.repeats(player) else {
            let mut answer = self.answer(claim, &test, contrast, &Pool::all(vec![player]));
            answer.finding.agent = Some(name.clone());
            return answer;
        };
        let repeated = test.estimated(claim, None, None);
        repeated
            .saying(format!("Only {distinct} of its {games} games differ."))
            .into()
    }

    fn answer(&self, claim: ClaimId, test: &ClaimTest, contrast: &GamesContrast, pool: &Pool) -> Answer {
        let GamesContrast { measure, plus, minus } = contrast;
        let sides = pool.players.iter().map(|&player| {
            let plus = plus.series(self, player, *measure, &[]);
            let minus = minus.as_ref().map(|minus| minus.series(self, player, *measure, &plus));
            Sides {
                minus: minus.unwrap_or_default(),
                plus,
            }
        });
        // Without other agents there is nothing that they chose.
        let played = |sides: &Sides| !sides.plus.is_empty() && (minus.is_none() || !sides.minus.is_empty());
        let sides: Vec<Sides> = sides.filter(played).collect();
        let finding = self.finding(claim, test, *measure, &sides, pool);
        let mut series: HashSet<SeriesId> = sides.iter().flat_map(Sides::series).collect();
        // A choice, and a mixture of first moves, rest on the games after all of them.
        let chosen = plus.is_chosen() || minus.as_ref().is_some_and(Population::is_chosen);
        if chosen || *measure == Measure::MixedScore {
            let players = pool.players.iter();
            series.extend(players.flat_map(|&player| firsts(player, |_| true)));
        }
        Answer { finding, series }
    }

    /// Tests the mean of a measure over some series, minus that over others.
    fn finding(&self, claim: ClaimId, test: &ClaimTest, measure: Measure, sides: &[Sides], pool: &Pool) -> Finding {
        let comparisons = pool.sharing(test.comparisons);
        let statement = test.statement(&self.design.config);
        if measure == Measure::LostFives {
            return test.estimated(claim, self.share_of_fives(sides, comparisons), statement);
        }
        let estimate = self.estimate(measure, sides, comparisons);
        let difference = sides.iter().any(|sides| !sides.minus.is_empty());
        let test = test.clone().sampling("blocks").by(&format!(
            "mean over blocks of games{}{}; anytime-valid interval {}, the claim's error shared by {comparisons} comparisons",
            if difference { " of the difference" } else { "" },
            match sides.len() {
                1 => String::new(),
                agents => format!(", {agents} agents counting alike in each"),
            },
            estimate.map_or(measure.method(), |estimate| estimate.method).name(),
        ));
        let finding = test.estimated(claim, estimate.as_ref().map(Estimate::from), statement);
        match estimate {
            Some(estimate) if !estimate.is_consistent() => Finding {
                verdict: Verdict::Inconclusive,
                // The verdict of several agents is by the variation between them.
                ..match pool.players.len() {
                    1 => finding.saying(
                        "Later games contradict earlier ones (the mean left its own interval), so no verdict is given.",
                    ),
                    _ => finding.saying("Later games contradict earlier ones: the mean left its own interval."),
                }
            },
            _ => finding,
        }
    }
}
