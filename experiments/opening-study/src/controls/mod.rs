//! Controls of a study: its own tests in worlds whose truth is known. A false claim must not be supported more often
//! than the test promises; how often a true one is supported is the power of this very design.
//!
//! The worlds of [`AdvantageControl`] are made of the study's own games, so that design, agents, blocks, draws and numbers
//! of games are those of the study. [`SolvedControl`] has games of Connect Four, whose truth a solver knows. Everything
//! follows from the games and the study's seed, on any number of threads.

mod advantage;
mod colours;
mod config;
mod connect_four;
mod error_share;
mod played_games;
mod solved;
mod verdict_counts;

use serde::{Deserialize, Serialize};

pub use advantage::{AdvantageControl, AdvantageWorld};
#[cfg(test)]
pub(crate) use colours::{exchange_colours, favour_white};
pub use config::ControlsConfig;
#[cfg(test)]
pub(crate) use connect_four::{CENTRE, COLUMNS, ConnectFourStudy, lost, won};
pub use error_share::ErrorShare;
pub(crate) use played_games::PlayedGames;
pub use solved::{BestMoveControl, SolvedControl, SolvedPosition};
pub use verdict_counts::VerdictCounts;

use crate::claims::method::games::GamesAnalysis;
use crate::claims::{advantage_decides, advantage_verdict};

/// Results of the controls of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// Blocks of games that the study played.
    pub blocks: u32,
    /// The score above which the first player has an advantage (A1).
    pub threshold: f64,
    /// True if the test of A1 decides in this study. Otherwise its plan says that it cannot come out either way, A1 gets no
    /// verdict by games, and the verdicts in the worlds are those that the test would give.
    pub decides: bool,
    /// A1 in worlds made of the study's games, from the smallest true score on.
    pub advantage: Vec<AdvantageControl>,
    /// A1 and the best first move in Connect Four.
    pub connect_four: Vec<SolvedControl>,
}

impl Controls {
    /// The controls of a study; `None` if none are wanted, or if a player has no games.
    pub(crate) fn of(config: ControlsConfig, analysis: &GamesAnalysis<'_>) -> Option<Self> {
        let games = PlayedGames::of(analysis);
        let (design, blocks) = (analysis.design, games.blocks());
        (config.worlds > 0 && blocks > 0).then(|| Self {
            blocks,
            threshold: design.advantage_threshold(),
            decides: advantage_decides(analysis),
            advantage: AdvantageControl::all(&games, design, config.worlds, &advantage_verdict),
            connect_four: SolvedControl::all(design, blocks, config.worlds),
        })
    }

    /// The controls that failed, each as a sentence; empty if all came out as they should.
    pub fn failures(&self) -> Vec<String> {
        let told = |of: &ErrorShare, what: String| {
            let ErrorShare {
                wrong, worlds, nominal, ..
            } = of;
            of.failed.then(|| {
                format!(
                    "control failed: {what} in {wrong} of {worlds} worlds, more than an error of {} % explains",
                    100.0 * nominal
                )
            })
        };
        let advantage = self.advantage.iter().filter_map(|control| {
            let score = format!("A1 with a true score of {:.1} %", 100.0 * control.true_score);
            told(&control.wrong, format!("a wrong verdict on {score}"))
        });
        let connect_four = self.connect_four.iter().flat_map(|control| {
            let position = control.position.name();
            let best = control.best.as_ref();
            let best = best.and_then(|best| {
                told(
                    &best.wrong,
                    format!("the best move excluded in Connect Four, {position},"),
                )
            });
            let verdict = format!("a wrong verdict on the first move in Connect Four, {position},");
            [told(&control.wrong, verdict), best]
        });
        advantage.chain(connect_four.flatten()).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::Value;

    use super::*;
    use crate::claims::games_findings;
    use crate::claims::method::world::{self, Truth};
    use crate::evidence::games::{Design, GamesConfig, Series};
    use crate::{ClaimId, ClaimResult, Finding};

    /// The page that describes the fields.
    const JSON_PAGE: &str = include_str!("../../../../docs/src/reference/json.md");

    /// The keys of all objects, apart from the ends of intervals.
    fn keys(value: &Value) -> Vec<String> {
        match value {
            Value::Object(fields) => {
                let fields = fields
                    .iter()
                    .filter(|(key, _)| !["low", "high"].contains(&key.as_str()));
                fields
                    .flat_map(|(key, value)| [vec![key.clone()], keys(value)].concat())
                    .collect()
            }
            Value::Array(values) => values.iter().flat_map(keys).collect(),
            _ => Vec::new(),
        }
    }

    /// A study of two agents.
    fn design() -> Design {
        let mut design = world::design();
        design.config = GamesConfig {
            players: vec![design.config.players[0].clone(); 2],
            ..design.config
        };
        let mut second = design.players[0].clone();
        second.name = "second".into();
        design.players.push(second);
        design
    }

    /// The worlds are judged as the study is, with several agents too: a verdict is withheld in the third of these.
    #[test]
    fn worlds_are_judged_as_the_study_is() {
        let design = design();
        let series = design.series();
        for scores in [[0.5, 0.5], [0.9, 0.9], [0.95, 0.2], [0.1, 0.1]] {
            let truth = |series: &Series| Truth {
                score: scores[series.player()],
                ..Truth::default()
            };
            let games = world::games(3, &series, truth);
            let analysis = GamesAnalysis::new(&design, &series, &games, "");
            let findings = games_findings(&analysis).into_iter();
            let first: Vec<Finding> = findings.filter(|finding| finding.claim == ClaimId::A1).collect();
            let of_study = ClaimResult::new(ClaimId::A1, first).findings[0].verdict;
            assert_eq!(advantage_verdict(&analysis), of_study, "{scores:?}");
        }
    }

    #[test]
    fn controls_are_the_same_on_any_number_of_threads_and_none_if_none_are_wanted() {
        let design = world::design();
        let series = design.series();
        let games = world::games(1, &series, |_| Truth::default());
        let analysis = GamesAnalysis::new(&design, &series, &games, "");
        assert_eq!(Controls::of(ControlsConfig { worlds: 0 }, &analysis), None);
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Controls::of(ControlsConfig { worlds: 4 }, &analysis))
                .unwrap()
        };
        let (one, three) = (of(1), of(3));
        assert_eq!(one, three);
        assert_eq!(one.failures(), [""; 0]);
        let [won, lost, exchanged] = &one.connect_four[..] else {
            panic!("{one:?}")
        };
        assert_eq!((won.verdicts.supported, lost.verdicts.refuted), (4, 4), "{one:?}");
        assert_eq!(exchanged.verdicts.supported, 0, "{one:?}");
        let read: Controls = serde_json::from_str(&serde_json::to_string(&one).unwrap()).unwrap();
        assert_eq!(read, one);
        for key in keys(&serde_json::to_value(&one).unwrap()) {
            let (_, page) = JSON_PAGE.split_once("\n## `study`\n").unwrap();
            let described = ["`", "`best."].map(|before| page.contains(&format!("{before}{key}")));
            assert!(described.contains(&true), "json.md does not name {key}");
        }
        // A failure is told in words.
        let mut broken = one;
        broken.advantage[0].wrong = ErrorShare::of(50, 100, 0.05);
        broken.connect_four[0].wrong = ErrorShare::of(9, 10, 0.05);
        assert_eq!(
            broken.failures(),
            [
                "control failed: a wrong verdict on A1 with a true score of 50.0 % in 50 of 100 worlds, more than an error of 5 % \
                 explains",
                "control failed: a wrong verdict on the first move in Connect Four, won by the stone in the centre alone, in 9 of \
                 10 worlds, more than an error of 5 % explains"
            ]
        );
    }

    /// No games, no controls.
    #[test]
    fn a_study_without_games_has_no_controls() {
        let design = world::design();
        let (series, games) = (design.series(), std::collections::HashMap::new());
        let analysis = GamesAnalysis::new(&design, &series, &games, "");
        assert_eq!(Controls::of(ControlsConfig::default(), &analysis), None);
    }
}
