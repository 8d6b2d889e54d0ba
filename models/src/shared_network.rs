//! One network for many threads: requests that arrive while it computes form its next batch.
//!
//! On a GPU a forward pass launches more than a hundred kernels, whether it is for ten positions or for hundreds, and
//! the kernels of one pass wait for those of another. So threads there do not have a network each, as on a CPU: one
//! thread owns the network and answers all of them, as in KataGo and Leela. Threads encode their positions into memory
//! that the device can read; only then do they wait. While the device computes for some, the others search, and all that
//! wait when it is done are answered together. Two such owners were no faster than one (study 0038).
//!
//! The positions that share a batch are a matter of chance, and the size of a batch may change the last digits of an
//! evaluation: to get the same games on any number of threads, give each thread its own network.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use ndarray::{ArrayView4, Axis};
use tch::{Device, Tensor};

use crate::device::single_threaded;
use crate::error::InferenceError;
use crate::inference::{Forward, Intake, Logits};
use crate::{InferenceNetwork, Network, Precision};
use chase_engine::Shape;

/// A handle to a network that another thread owns; see [`share`].
#[derive(Clone, Debug)]
pub struct SharedNetwork<'a> {
    intake: Intake,
    questions: Sender<Question>,
    /// The last answer: policy logits, then value logits.
    answer: Vec<f32>,
    scope: PhantomData<&'a ()>,
}

/// A request of one thread.
#[derive(Debug)]
struct Question {
    /// `[B, C, H, W]`, from [`Intake::take`].
    planes: Tensor,
    /// Indices of policy logits, as in [`InferenceNetwork::forward`].
    wanted: Vec<i64>,
    /// The channel for the answer. The asker keeps no copy of it, so that a lost question is noticed.
    answer: SyncSender<Answer>,
}

/// Policy logits, then value logits.
type Answer = Result<Vec<f32>, Arc<InferenceError>>;

/// Runs `ask`, where it and the threads that it starts share a network, which a thread of its own owns meanwhile.
///
/// `observe` receives the number of positions of each batch, on that thread and before the batch is evaluated.
pub fn share<R>(
    network: &mut InferenceNetwork,
    observe: impl FnMut(usize) + Send,
    ask: impl for<'a> FnOnce(SharedNetwork<'a>) -> R,
) -> R {
    let (questions, asked) = channel();
    let shared = SharedNetwork {
        intake: network.intake(),
        questions,
        answer: Vec::new(),
        scope: PhantomData,
    };
    std::thread::scope(|scope| {
        // It ends when no handle is left: `ask` cannot keep its own.
        scope.spawn(|| answer(network, observe, asked));
        ask(shared)
    })
}

/// Gives networks to threads: on a CPU one each, on a GPU one that they [`share`].
///
/// `observe` receives the sizes of the batches of a shared network.
///
/// # Errors
/// As [`InferenceNetwork::new`].
pub fn for_threads<R>(
    network: &Network,
    device: Device,
    precision: Precision,
    threads: usize,
    observe: impl FnMut(usize) + Send,
    ask: impl for<'a> FnOnce(Vec<Box<dyn Forward + Send + 'a>>) -> R,
) -> Result<R, InferenceError> {
    let inference = || InferenceNetwork::new(network, device, precision);
    // Without threads nothing is shared.
    if device == Device::Cpu || threads == 0 {
        let boxed = |network| -> Box<dyn Forward + Send> { Box::new(network) };
        let networks: Result<_, _> = (0..threads).map(|_| inference().map(boxed)).collect();
        return Ok(ask(networks?));
    }
    Ok(share(&mut inference()?, observe, |shared| {
        ask((0..threads)
            .map(|_| -> Box<dyn Forward + Send + '_> { Box::new(shared.clone()) })
            .collect())
    }))
}

/// Answers questions, all pending ones together, until no handle is left.
#[allow(
    clippy::needless_pass_by_value,
    reason = "questions that no one will answer must go when the thread ends"
)]
fn answer(network: &mut InferenceNetwork, mut observe: impl FnMut(usize), asked: Receiver<Question>) {
    single_threaded();
    while let Ok(first) = asked.recv() {
        let questions: Vec<Question> = std::iter::once(first).chain(asked.try_iter()).collect();
        observe(questions.iter().map(Question::positions).sum());
        // A thread that asked and has since ended needs no answer.
        match together(network, &questions) {
            Ok(answers) => {
                for (question, answer) in questions.iter().zip(answers) {
                    let _ = question.answer.send(Ok(answer));
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                for question in &questions {
                    let _ = question.answer.send(Err(Arc::clone(&error)));
                }
            }
        }
    }
}

/// Answers several questions in one batch.
fn together(network: &mut InferenceNetwork, questions: &[Question]) -> Result<Vec<Vec<f32>>, InferenceError> {
    let policy_size = network.shape().policy_size();
    let planes: Vec<&Tensor> = questions.iter().map(|question| &question.planes).collect();
    let mut wanted = Vec::with_capacity(questions.iter().map(|question| question.wanted.len()).sum());
    let mut positions = 0;
    for question in questions {
        let first_logit = (positions * policy_size) as i64;
        wanted.extend(question.wanted.iter().map(|index| first_logit + index));
        positions += question.positions();
    }
    let Logits { mut policy, mut value } = network.compute(&planes, &wanted)?;
    let mut answers = Vec::with_capacity(questions.len());
    for question in questions {
        let (own_policy, rest) = policy.split_at(question.wanted.len());
        policy = rest;
        let (own_value, rest) = value.split_at(Axis(0), question.positions());
        value = rest;
        answers.push(own_policy.iter().chain(own_value).copied().collect());
    }
    Ok(answers)
}

impl Question {
    fn positions(&self) -> usize {
        self.planes.size()[0] as usize
    }
}

impl SharedNetwork<'_> {
    /// Sends a question; returns the channel of the answer.
    fn ask(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Receiver<Answer>, InferenceError> {
        let (sender, receiver) = sync_channel(1);
        let question = Question {
            planes: self.intake.take(planes, wanted)?,
            wanted: wanted.to_vec(),
            answer: sender,
        };
        self.questions.send(question).map_err(|_| InferenceError::Ended)?;
        Ok(receiver)
    }
}

impl Forward for SharedNetwork<'_> {
    fn shape(&self) -> Shape {
        self.intake.shape
    }

    fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Logits<'_>, InferenceError> {
        let answer = self.ask(planes, wanted)?.recv().map_err(|_| InferenceError::Ended)?;
        self.answer = answer.map_err(InferenceError::Shared)?;
        Ok(Logits::split(&self.answer, wanted.len()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use ndarray::{Array4, concatenate, s};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::testing::{SHAPE, network, random};

    /// Random positions, and some of their logits in random order.
    fn question(positions: usize, seed: u64) -> (Array4<f32>, Vec<i64>) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let planes = random(positions, &mut rng);
        let logits = (positions * SHAPE.policy_size()) as i64;
        (planes, (0..20).map(|_| rng.random_range(0..logits)).collect())
    }

    fn ask(
        network: &mut impl Forward,
        (planes, wanted): &(Array4<f32>, Vec<i64>),
    ) -> Result<[Vec<f32>; 2], InferenceError> {
        let logits = network.forward(planes.view(), wanted)?;
        Ok([logits.policy.to_vec(), logits.value.iter().copied().collect()])
    }

    /// The batches that a network evaluated, and its answers, if all other questions arrive while it is busy with the
    /// first.
    fn batches(network: &mut InferenceNetwork, questions: &[(Array4<f32>, Vec<i64>)]) -> (Vec<usize>, Vec<Answer>) {
        let mut batches = Vec::new();
        let seen = &mut batches;
        let (begun, began) = sync_channel(questions.len());
        let (go, told) = sync_channel(1);
        let observe = move |positions| {
            seen.push(positions);
            begun.send(()).unwrap();
            if seen.len() == 1 {
                told.recv().unwrap();
            }
        };
        let answers = share(network, observe, |mut shared| {
            let mut ask = |(planes, wanted): &(Array4<f32>, Vec<i64>)| shared.ask(planes.view(), wanted).unwrap();
            let first = ask(&questions[0]);
            began.recv().unwrap();
            let others: Vec<_> = questions[1..].iter().map(ask).collect();
            go.send(()).unwrap();
            std::iter::once(first)
                .chain(others)
                .map(|answer| answer.recv().unwrap())
                .collect()
        });
        (batches, answers)
    }

    #[test]
    fn who_waits_together_is_answered_together_and_each_gets_its_own() {
        let network = network(SHAPE);
        for precision in [Precision::F32, Precision::Bf16] {
            let mut alone = InferenceNetwork::new(&network, Device::Cpu, precision).unwrap();
            let mut shared = InferenceNetwork::new(&network, Device::Cpu, precision).unwrap();
            let questions: Vec<_> = [5, 3, 1, 7, 6]
                .into_iter()
                .zip(1..)
                .map(|(size, seed)| question(size, seed))
                .collect();
            let (batches, answers) = batches(&mut shared, &questions);
            assert_eq!(batches, [5, 17]);
            assert_eq!(
                answers[0].as_ref().unwrap(),
                &ask(&mut alone, &questions[0]).unwrap().concat()
            );
            // In batches of the same size, the result for a position is the same to the last bit, whatever else is in
            // the batch.
            let others = question(16, 9).0;
            for (question, answer) in questions.iter().zip(&answers).skip(1) {
                let own = question.0.len_of(Axis(0));
                let rest = others.slice(s![own - 1.., .., .., ..]);
                let planes = concatenate![Axis(0), question.0, rest];
                let [policy, value] = ask(&mut alone, &(planes, question.1.clone())).unwrap();
                assert_eq!(
                    answer.as_ref().unwrap(),
                    &[&policy, &value[..3 * own]].concat(),
                    "{precision}"
                );
            }
        }
    }

    #[test]
    fn a_failure_is_told_to_those_whose_batch_it_was_and_to_nobody_else() {
        let mut network = InferenceNetwork::new(&network(SHAPE), Device::Cpu, Precision::F32).unwrap();
        let mut questions: Vec<_> = (1..=4).map(|seed| question(2, seed)).collect();
        questions[2].0.fill(f32::INFINITY);
        let (batches, answers) = batches(&mut network, &questions);
        assert_eq!(batches, [2, 6]);
        assert!(answers[0].is_ok());
        for answer in &answers[1..] {
            let error = InferenceError::Shared(Arc::clone(answer.as_ref().unwrap_err()));
            assert_eq!(error.to_string(), InferenceError::NotFinite.to_string());
        }
        let again = share(
            &mut network,
            |_| {},
            |mut shared| {
                // Refused before it reaches the others.
                let error = shared.forward(questions[0].0.view(), &[-1]).unwrap_err();
                assert!(matches!(error, InferenceError::Index { .. }), "{error:?}");
                ask(&mut shared, &questions[0])
            },
        );
        assert_eq!(again.unwrap().concat(), *answers[0].as_ref().unwrap());
    }

    #[test]
    fn when_the_thread_of_the_network_ends_nobody_waits_for_ever() {
        let mut network = InferenceNetwork::new(&network(SHAPE), Device::Cpu, Precision::F32).unwrap();
        let question = question(1, 1);
        let all = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let panics = |_| panic!("as a bug would");
            share(&mut network, panics, |mut shared| {
                for _ in 0..2 {
                    let error = ask(&mut shared, &question).unwrap_err();
                    assert!(matches!(error, InferenceError::Ended), "{error:?}");
                }
            });
        }));
        assert!(all.is_err(), "the panic is not lost");
    }

    #[test]
    fn on_a_cpu_each_thread_has_its_own() {
        let network = network(SHAPE);
        let question = question(2, 1);
        let expected = ask(
            &mut InferenceNetwork::new(&network, Device::Cpu, Precision::F32).unwrap(),
            &question,
        );
        let observe = |_| unreachable!("nothing is shared");
        let answers = for_threads(&network, Device::Cpu, Precision::F32, 3, observe, |networks| {
            let ask = |mut network| ask(&mut network, &question).unwrap();
            networks.into_iter().map(ask).collect::<Vec<_>>()
        });
        assert_eq!(answers.unwrap(), vec![expected.unwrap(); 3]);
    }
}
