//! The source of every random number of a run.

use chase_engine::seed;
pub use chase_engine::seed::named;
use rand::rngs::Xoshiro256PlusPlus;

/// The purpose of a generator. Generators of different streams are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The initial weights.
    Initialisation,
    /// One self-play game; the index is the game's.
    SelfPlay,
    /// The rest of a self-play game that an earlier generation began; the index is that of its table.
    Carried,
    /// One measurement game; the index is the game's.
    Measurement,
    /// The batches that the learner draws in a generation.
    Replay,
    /// Games of the evaluation after a generation.
    Evaluation,
}

impl Stream {
    const fn name(self) -> &'static str {
        match self {
            Self::Initialisation => "initialisation",
            Self::SelfPlay => "selfplay",
            Self::Carried => "carried",
            Self::Measurement => "measurement",
            Self::Replay => "replay",
            Self::Evaluation => "evaluation",
        }
    }
}

/// The generator with this `index` in a stream of a generation.
///
/// It depends on nothing else, so that a game is the same whichever thread plays it and however often the run was
/// interrupted.
pub fn generator(run_seed: u64, stream: Stream, generation: u64, index: u64) -> Xoshiro256PlusPlus {
    named(stream.name(), &[run_seed, generation, index])
}

/// A seed derived like [`generator`], for code that takes a plain number.
pub fn number(run_seed: u64, stream: Stream, generation: u64, index: u64) -> u64 {
    seed::number(stream.name(), &[run_seed, generation, index])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::RngExt;

    use super::*;

    #[test]
    fn generators_are_distinct_and_repeatable() {
        let mut seen = HashSet::new();
        for stream in [Stream::SelfPlay, Stream::Carried, Stream::Measurement, Stream::Replay] {
            for (seed, generation, index) in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1)] {
                let first: u64 = generator(seed, stream, generation, index).random();
                assert_eq!(first, generator(seed, stream, generation, index).random::<u64>());
                assert!(seen.insert(first), "{stream:?} {seed} {generation} {index}");
            }
        }
    }
}
