//! The inference form computes what the training form does, whatever the batch.

use chase_engine::Shape;
use chase_models::fused;
use chase_models::inference::{InferenceError, softmax};
use chase_models::shared_network::share;
use chase_models::{Architecture, Forward, InferenceNetwork, Network, Precision, device};
use ndarray::{Array4, ArrayView4, Axis, s};
use tch::{Device, Tensor};

use crate::{SHAPE, architecture, everything, largest_difference, network, numbers, planes, rng, size, tensor};

/// Relative to the size of the logits. Folding changes the order of sums of about 300 terms in each of eight layers;
/// each term is rounded to 6e-8, so that errors add up to about 1e-6 at random and 1e-4 at the very worst.
const F32_TOLERANCE: f32 = 1e-5;
/// Mean error relative to the size of the logits. bfloat16 rounds to 2⁻⁹ = 0.2 % on average, in weights and in
/// activations of eight layers, independently: about 1 %. 3 % would be a fault.
const BF16_TOLERANCE: f32 = 0.03;

fn inference(network: &Network, precision: Precision) -> InferenceNetwork {
    InferenceNetwork::new(network, Device::Cpu, precision).unwrap()
}

fn evaluate(network: &mut impl Forward, planes: ArrayView4<'_, f32>) -> (Vec<f32>, Vec<f32>) {
    let wanted = everything(planes.len_of(Axis(0)), network.shape());
    let logits = network.forward(planes, &wanted).unwrap();
    (logits.policy.to_vec(), logits.value.iter().copied().collect())
}

#[test]
fn folded_network_equals_the_trained_one() {
    let boards = [
        (SHAPE, architecture()),
        (
            // Connect Four, without hexagons, cylinder and pooling.
            Shape {
                planes: 2,
                height: 6,
                width: 7,
                policy_planes: 1,
            },
            Architecture {
                hex: false,
                wrap: false,
                pooling: 0,
                ..architecture()
            },
        ),
    ];
    for (shape, architecture) in boards {
        let network = network(&architecture, shape, 1);
        let planes = planes(16, shape, 2);
        let trained = tch::no_grad(|| network.forward(&tensor(&planes), false)).unwrap();
        let (policy, value) = evaluate(&mut inference(&network, Precision::F32), planes.view());
        for (trained, folded) in [(numbers(&trained.policy), policy), (numbers(&trained.value), value)] {
            let scale = size(trained.iter().copied());
            assert!(
                scale > 0.1,
                "the network must have opinions for this to be a test, but their size is {scale}"
            );
            let error = largest_difference(&trained, &folded) / scale;
            assert!(error < F32_TOLERANCE, "relative error {error}");
        }
    }
}

#[test]
fn bf16_differs_by_rounding_only() {
    let network = network(&architecture(), SHAPE, 3);
    let planes = planes(32, SHAPE, 4);
    let (policy, mut value) = evaluate(&mut inference(&network, Precision::F32), planes.view());
    let (policy_bf16, mut value_bf16) = evaluate(&mut inference(&network, Precision::Bf16), planes.view());
    let error = size(policy.iter().zip(&policy_bf16).map(|(exact, rounded)| exact - rounded));
    let error = error / size(policy.iter().copied());
    assert!(error > 0.0, "bf16 was not used");
    assert!(error < BF16_TOLERANCE, "relative error of the policy logits {error}");
    for (exact, rounded) in value.chunks_mut(3).zip(value_bf16.chunks_mut(3)) {
        softmax(exact);
        softmax(rounded);
        assert!(
            largest_difference(exact, rounded) < BF16_TOLERANCE,
            "{exact:?} became {rounded:?}"
        );
    }
}

/// Networks that the fused kernel evaluates: with pooling in every second block or in none, on boards of several
/// widths with and without their ends joined, of one and of two lines of channels, with an odd number of planes.
#[test]
#[expect(clippy::print_stderr, reason = "a person should know what was not tested")]
fn the_fused_kernel_differs_by_rounding_only() {
    let of_lines = |channels| Architecture {
        channels,
        policy_channels: 64,
        value_channels: 64,
        value_hidden: 24,
        ..architecture()
    };
    let shape = |planes, height, width| Shape {
        planes,
        height,
        width,
        policy_planes: 3,
    };
    let square = Architecture {
        hex: false,
        wrap: false,
        pooling: 0,
        ..of_lines(32)
    };
    let torus = Architecture {
        wrap_rows: true,
        ..of_lines(32)
    };
    for (shape, architecture) in [
        (SHAPE, of_lines(32)),
        (shape(7, 9, 9), of_lines(64)),
        (shape(2, 6, 7), square.clone()),
        (shape(5, 11, 13), square),
        (shape(3, 8, 8), torus),
        (shape(3, 2, 1), of_lines(32)),
    ] {
        for (precision, tolerance) in [(Precision::Fused, BF16_TOLERANCE), (Precision::FusedF32, F32_TOLERANCE)] {
            match fused::can_fuse(precision, &architecture, Device::Cpu) {
                Ok(()) => check_fused(shape, &architecture, precision, tolerance),
                Err(error) => eprintln!("left out: {error}"),
            }
        }
    }
}

fn check_fused(shape: Shape, architecture: &Architecture, precision: Precision, tolerance: f32) {
    let network = network(architecture, shape, 3);
    let planes = planes(32, shape, 4);
    let (policy, mut value) = evaluate(&mut inference(&network, Precision::F32), planes.view());
    let mut fused = inference(&network, precision);
    let (policy_fused, mut value_fused) = evaluate(&mut fused, planes.view());
    let error = size(policy.iter().zip(&policy_fused).map(|(exact, rounded)| exact - rounded));
    let error = error / size(policy.iter().copied());
    assert!(error > 0.0, "the kernel was not used");
    assert!(
        error < tolerance,
        "{shape:?}, {precision}: relative error of the policy logits {error}"
    );
    for (exact, rounded) in value.chunks_mut(3).zip(value_fused.chunks_mut(3)) {
        softmax(exact);
        softmax(rounded);
        assert!(
            largest_difference(exact, rounded) < tolerance,
            "{shape:?}: {exact:?} became {rounded:?}"
        );
    }
    // A position alone has the same result to the last bit, whatever was evaluated before, in any order of requests.
    let policy_size = shape.policy_size();
    for position in [31, 0, 17] {
        let wanted: Vec<i64> = (0..policy_size as i64).rev().collect();
        let one = fused
            .forward(planes.slice(s![position..=position, .., .., ..]), &wanted)
            .unwrap();
        let expected = policy_fused[position * policy_size..][..policy_size].iter().rev();
        assert!(one.policy.iter().eq(expected), "{shape:?}");
    }
    let last = (31 * policy_size) as i64;
    let mixed = fused.forward(planes.view(), &[last, 0, last, 1]).unwrap();
    let expected = [last as usize, 0, last as usize, 1].map(|index| policy_fused[index]);
    assert_eq!(mixed.policy, expected, "{shape:?}");
    let shared = share(&mut fused, |_| {}, |mut shared| evaluate(&mut shared, planes.view()));
    assert_eq!(shared.0, policy_fused, "{shape:?}");
}

#[test]
fn the_fused_kernel_says_what_it_cannot_evaluate() {
    let narrow = Architecture {
        channels: 16,
        ..architecture()
    };
    let narrow = network(&narrow, SHAPE, 3);
    for precision in [Precision::Fused, Precision::FusedF32] {
        let error = InferenceNetwork::new(&narrow, Device::Cpu, precision).unwrap_err();
        let wide = fused::can_fuse(precision, &Architecture::default(), Device::Cpu);
        let expected = match wide {
            Ok(()) => format!(
                "precision {precision} needs multiples of 32 channels, and network.channels is 16: expected f32 or bf16 (in \
                 training also auto)"
            ),
            Err(lacking) => lacking.to_string(),
        };
        assert_eq!(error.to_string(), expected);
        let error = fused::can_fuse(precision, narrow.architecture(), Device::Cuda(0)).unwrap_err();
        let expected = format!("precision {precision} computes on the CPU, expected device cpu");
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(fused::fastest(narrow.architecture(), Device::Cpu), None);
    assert_eq!(fused::fastest(&Architecture::default(), Device::Cuda(0)), None);
}

/// TF32, in which GPUs multiply for convolutions of 32-bit numbers, keeps 10 bits: errors as of bfloat16, a quarter in
/// size.
#[test]
#[expect(clippy::print_stderr, reason = "a person should know that nothing was tested")]
fn a_gpu_evaluates_as_the_cpu_does() {
    if device::gpus() == 0 {
        eprintln!("left out: there is no GPU");
        return;
    }
    let network = network(&architecture(), SHAPE, 3);
    let planes = planes(64, SHAPE, 4);
    let (policy, value) = evaluate(&mut inference(&network, Precision::F32), planes.view());
    for (precision, tolerance) in [
        (Precision::F32, BF16_TOLERANCE / 4.0),
        (Precision::Bf16, BF16_TOLERANCE),
    ] {
        let mut gpu = InferenceNetwork::new(&network, Device::Cuda(0), precision).unwrap();
        let first = evaluate(&mut gpu, planes.view());
        assert_eq!(
            first,
            evaluate(&mut gpu, planes.view()),
            "the same input again, in {precision}"
        );
        // Whoever asks alone gets what the network itself says, and who asks together what it says of them together.
        let shared = share(&mut gpu, |_| {}, |mut shared| evaluate(&mut shared, planes.view()));
        assert_eq!(first, shared, "by a thread of its own, in {precision}");
        let halves = planes.view().split_at(Axis(0), 32);
        let shared = share(
            &mut gpu,
            |_| {},
            |shared| {
                std::thread::scope(|scope| {
                    let ask = |planes| {
                        let mut shared = shared.clone();
                        scope.spawn(move || evaluate(&mut shared, planes))
                    };
                    [ask(halves.0), ask(halves.1)].map(|half| half.join().unwrap())
                })
            },
        );
        let together = (
            [&shared[0].0[..], &shared[1].0].concat(),
            [&shared[0].1[..], &shared[1].1].concat(),
        );
        for found in [&first, &together] {
            for (exact, rounded) in [(&policy, &found.0), (&value, &found.1)] {
                let error = size(exact.iter().zip(rounded).map(|(exact, rounded)| exact - rounded));
                let error = error / size(exact.iter().copied());
                assert!(error < tolerance, "relative error in {precision}: {error}");
            }
        }
    }
}

#[test]
fn the_rest_of_a_batch_does_not_change_a_result() {
    let network = network(&architecture(), SHAPE, 5);
    for precision in [Precision::F32, Precision::Bf16] {
        let mut network = inference(&network, precision);
        let planes = planes(128, SHAPE, 6);
        let (policy, value) = evaluate(&mut network, planes.view());
        // Nine are filled up to ten: the same kernels on the same rows, so equal to the last bit.
        let ten = evaluate(&mut network, planes.slice(s![..10, .., .., ..]));
        let nine = evaluate(&mut network, planes.slice(s![..9, .., .., ..]));
        assert_eq!(nine.0, ten.0[..9 * SHAPE.policy_size()]);
        assert_eq!(nine.1, ten.1[..9 * 3]);
        // Other sizes may use other kernels.
        let tolerance = if precision == Precision::F32 {
            F32_TOLERANCE
        } else {
            BF16_TOLERANCE
        };
        for batch in [1, 5, 8, 33, 100] {
            let (few_policy, few_value) = evaluate(&mut network, planes.slice(s![..batch, .., .., ..]));
            assert_eq!(few_policy.len(), batch * SHAPE.policy_size());
            let difference = largest_difference(&few_policy, &policy[..few_policy.len()]);
            assert!(
                difference < tolerance,
                "{precision}, batch {batch}: policy differs by {difference}"
            );
            let difference = largest_difference(&few_value, &value[..few_value.len()]);
            assert!(
                difference < tolerance,
                "{precision}, batch {batch}: value differs by {difference}"
            );
        }
    }
}

/// Turns the columns of `[.., W]` by `steps` to the right.
fn turned(numbers: &[f32], steps: usize) -> Vec<f32> {
    let mut numbers = numbers.to_vec();
    numbers
        .chunks_exact_mut(SHAPE.width)
        .for_each(|row| row.rotate_right(steps));
    numbers
}

fn turned_planes(planes: &Array4<f32>, steps: usize) -> Array4<f32> {
    Array4::from_shape_vec(planes.raw_dim(), turned(planes.as_slice().unwrap(), steps)).unwrap()
}

#[test]
fn turning_the_cylinder_turns_the_policy_and_keeps_the_value() {
    let planes = planes(2, SHAPE, 7);
    let error = |wrap: bool| {
        let architecture = Architecture { wrap, ..architecture() };
        let mut network = inference(&network(&architecture, SHAPE, 8), Precision::F32);
        let (policy, value) = evaluate(&mut network, planes.view());
        let errors = [1, 4, 8].map(|steps| {
            let (turned_policy, turned_value) = evaluate(&mut network, turned_planes(&planes, steps).view());
            let policy_error = largest_difference(&turned(&policy, steps), &turned_policy);
            policy_error.max(largest_difference(&value, &turned_value))
        });
        errors.into_iter().fold(0.0, f32::max)
    };
    assert!(error(true) < F32_TOLERANCE, "{}", error(true));
    assert!(
        error(false) > 0.01,
        "without wraparound the edges must show, or this is no test"
    );
}

#[test]
fn same_seed_same_network_same_result() {
    let planes = planes(8, SHAPE, 9);
    let outputs = |seed| {
        let network = Network::new(&architecture(), SHAPE, Device::Cpu, &mut rng(seed)).unwrap();
        let mut network = inference(&network, Precision::fastest(Device::Cpu));
        let first = evaluate(&mut network, planes.view());
        assert_eq!(first, evaluate(&mut network, planes.view()), "the same input again");
        first
    };
    assert_eq!(outputs(1), outputs(1));
    assert_ne!(outputs(1), outputs(2));
    // On another thread.
    assert_eq!(
        std::thread::scope(|scope| scope.spawn(|| outputs(1)).join().unwrap()),
        outputs(1)
    );
}

#[test]
fn an_untrained_network_is_next_to_indifferent() {
    let network = Network::new(&Architecture::default(), SHAPE, Device::Cpu, &mut rng(11)).unwrap();
    let mut network = inference(&network, Precision::F32);
    let (_, mut value) = evaluate(&mut network, planes(64, SHAPE, 12).view());
    for value in value.chunks_mut(3) {
        softmax(value);
        assert!(
            value.iter().all(|&probability| (0.2..0.5).contains(&probability)),
            "{value:?}"
        );
    }
}

#[test]
fn inference_keeps_its_own_weights() {
    let network = network(&architecture(), SHAPE, 13);
    let planes = planes(2, SHAPE, 14);
    let mut inference = inference(&network, Precision::F32);
    let before = evaluate(&mut inference, planes.view());
    for (_, tensor) in network.tensors() {
        let _ = tch::no_grad(|| tensor.shallow_clone().fill_(0.25));
    }
    assert_eq!(before, evaluate(&mut inference, planes.view()));
}

#[test]
fn bad_input_and_diverged_weights_are_errors() {
    let network = network(&architecture(), SHAPE, 15);
    let mut good = inference(&network, Precision::F32);
    let one_less = Shape { planes: 25, ..SHAPE };
    for wrong in [SHAPE.batch(0), one_less.batch(1), [1, 9, 26, 9]] {
        let error = good.forward(Array4::zeros(wrong).view(), &[]).unwrap_err();
        assert!(
            matches!(&error, InferenceError::Input { found, .. } if *found == wrong),
            "{error}"
        );
    }
    // However the numbers lie in memory.
    let planes_last = planes(3, SHAPE, 16)
        .permuted_axes([0, 2, 3, 1])
        .as_standard_layout()
        .into_owned();
    assert_eq!(
        evaluate(&mut good, planes_last.view().permuted_axes([0, 3, 1, 2])),
        evaluate(&mut good, planes(3, SHAPE, 16).view())
    );
    // Three positions are filled up to none that could be asked about.
    let three = planes(3, SHAPE, 16);
    for index in [-1, 8991, i64::MAX] {
        let error = good.forward(three.view(), &[0, index]).unwrap_err();
        assert!(
            matches!(error, InferenceError::Index { index: found, size: 8991 } if found == index),
            "{error}"
        );
    }
    let (_, stem) = network.tensors().next().unwrap();
    // So large that sums of products overflow.
    let fill = |number: f64| tch::no_grad(|| stem.shallow_clone().copy_(&Tensor::full_like(stem, number)));
    fill(3e38);
    let all = [Precision::F32, Precision::Bf16, Precision::Fused, Precision::FusedF32];
    let can = |precision: &Precision| fused::can_fuse(*precision, network.architecture(), Device::Cpu).is_ok();
    // libtorch's rectifier for bfloat16 hides some of it.
    for precision in all
        .into_iter()
        .filter(|&precision| precision != Precision::Bf16)
        .filter(can)
    {
        let error = inference(&network, precision)
            .forward(planes(1, SHAPE, 16).view(), &[])
            .unwrap_err();
        assert!(matches!(error, InferenceError::NotFinite), "{precision}: {error}");
    }
    fill(f64::NAN);
    for precision in all.into_iter().filter(can) {
        let error = InferenceNetwork::new(&network, Device::Cpu, precision).unwrap_err();
        assert!(matches!(error, InferenceError::NotFinite), "{error}");
    }
}
