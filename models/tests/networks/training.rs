//! The training form learns: gradients reach every parameter, and the running statistics follow the data.

use chase_engine::Shape;
use chase_models::{Architecture, InferenceNetwork, Network, Precision};
use tch::{Device, Kind, Tensor};

use crate::{SHAPE, architecture, everything, network, numbers, planes, rng, tensor};

#[test]
fn gradients_reach_every_parameter() {
    let network = network(&architecture(), SHAPE, 21);
    let outputs = network.forward(&tensor(&planes(8, SHAPE, 22)), true).unwrap();
    let heads = [
        Some(outputs.policy.view([8, 37 * 81])),
        Some(outputs.value.view([8, 3])),
        outputs.occupancy.map(|logits| logits.view([8, 3 * 81])),
        outputs.plies_left.map(|plies| plies.view([8])),
        outputs.material.map(|material| material.view([8])),
    ];
    let loss = heads.into_iter().map(|head| head.unwrap().square().sum(Kind::Float));
    loss.reduce(|sum, loss| sum + loss).unwrap().backward();
    for (name, tensor) in network.trainable() {
        let gradient = tensor.grad();
        assert!(gradient.defined(), "{name} has no gradient");
        assert!(
            gradient.abs().max().double_value(&[]) > 0.0,
            "the gradient of {name} is zero"
        );
        if name.ends_with("first.weight") {
            for corner in [0, 2] {
                let corner = gradient.select(3, corner).select(2, corner);
                assert_eq!(
                    corner.abs().max().double_value(&[]),
                    0.0,
                    "{name} is no hexagonal kernel"
                );
            }
        }
    }
}

#[test]
fn training_records_running_statistics_and_evaluation_does_not() {
    let network = network(&architecture(), SHAPE, 23);
    let statistics = || -> Vec<f32> {
        let running = network
            .tensors()
            .filter(|(name, _)| name.ends_with("mean") || name.ends_with("variance"));
        running.flat_map(|(_, tensor)| numbers(tensor)).collect()
    };
    let before = statistics();
    let planes = tensor(&planes(4, SHAPE, 24));
    network.forward(&planes, false).unwrap();
    assert_eq!(before, statistics());
    network.forward(&planes, true).unwrap();
    assert_ne!(before, statistics());
}

#[test]
fn gradient_descent_learns_a_handful_of_positions_by_heart() {
    let shape = Shape {
        planes: 2,
        height: 6,
        width: 7,
        policy_planes: 1,
    };
    let architecture = Architecture {
        blocks: 2,
        channels: 16,
        hex: false,
        wrap: false,
        ..Architecture::default()
    };
    chase_models::device::single_threaded();
    let network = Network::new(&architecture, shape, Device::Cpu, &mut rng(25)).unwrap();
    let positions = planes(16, shape, 26);
    let input = tensor(&positions);
    let actions: Vec<i64> = (0..16).map(|row| row * 37 % 42).collect();
    let results: Vec<i64> = (0..16).map(|row| row % 3).collect();
    let (actions, results) = (Tensor::from_slice(&actions), Tensor::from_slice(&results));
    for _ in 0..100 {
        let outputs = network.forward(&input, true).unwrap();
        let loss = outputs.policy.cross_entropy_for_logits(&actions) + outputs.value.cross_entropy_for_logits(&results);
        loss.backward();
        for (_, tensor) in network.trainable() {
            let (mut tensor, mut gradient) = (tensor.shallow_clone(), tensor.grad());
            let _ = tch::no_grad(|| tensor.f_sub_(&(&gradient * 0.1))).unwrap();
            let _ = gradient.zero_();
        }
    }
    // As it will be used: with the running statistics, folded.
    let mut inference = InferenceNetwork::new(&network, Device::Cpu, Precision::F32).unwrap();
    let logits = inference.forward(positions.view(), &everything(16, shape)).unwrap();
    let best = |logits: &[f32], size| -> Vec<i64> {
        let rows = Tensor::from_slice(logits).view([-1, size]);
        Vec::try_from(rows.argmax(1, false)).unwrap()
    };
    assert_eq!(best(logits.policy, 42), Vec::<i64>::try_from(actions).unwrap());
    assert_eq!(
        best(logits.value.as_slice().unwrap(), 3),
        Vec::<i64>::try_from(results).unwrap()
    );
}
