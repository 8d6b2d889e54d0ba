//! Benchmarks of the network alone, compared with the best that the machine can do.

use anyhow::ensure;
use chase_engine::GameName;
use chase_models::device::{Device, has_bf16_units};
use chase_models::speed::MatrixProduct;
use chase_models::{InferenceNetwork, Network, Precision};
use chase_training::trainable::Trainable;
use ndarray::Array4;

use super::console::Console;
use super::contest::{Work, in_turn, repeated};
use super::figure::{Figure, FigureUnit, quotients};
use super::games::Question;
use super::{Options, Size, games};

/// Required share of the rate of matrix products for a batch of [`LARGE`], in f32 and in bf16: 95 % of the share that a
/// bare tower with the same columns around the cylinder reached with the best variant of libtorch on one core of a Zen
/// 4. Such shares can exceed 1, since work beyond the edges of the board is counted but not done.
const fn targets(size: Size) -> Option<[f64; 2]> {
    match size {
        Size::SMALL => Some([0.94, 0.77]),
        Size::LARGE => Some([0.98, 0.96]),
        _ => None,
    }
}

/// Half of the smallest value seen for [`LARGE`] batches of any network, with the machine's cores busy with other work.
const fn floor(precision: Precision) -> f64 {
    match precision {
        Precision::F32 => 0.4,
        Precision::Bf16 => 0.12,
    }
}

pub const BATCHES: [usize; 4] = [1, 8, 32, LARGE];
const LARGE: usize = 128;
/// Most positions of a batch whose logits are compared with those of single evaluations.
const CHECKED: usize = 128;

/// Size of the matrices of the reference, and the number of products per wait. Larger matrices are needed to keep more
/// cores than one CPU's busy, and a GPU that reports each product is idle between them.
const fn matrix(device: Device) -> (u32, u32) {
    match device {
        Device::Cpu => (1024, 1),
        _ => (8192, 16),
    }
}

/// Tolerated deviation from a single evaluation in f32 on the CPU, as a share of the largest logit: a dozen layers have
/// random rounding errors of about 1e-7 each in f32, and of 4e-3 each in bf16. GPUs multiply 32-bit numbers for
/// convolutions in TF32, with three bits more than bf16.
const fn tolerance(precision: Precision, device: Device) -> f32 {
    match (precision, device) {
        (Precision::F32, Device::Cpu) => 1e-4,
        (Precision::F32, _) => 1e-2,
        (Precision::Bf16, _) => 5e-2,
    }
}

/// The precisions worth measuring on a device.
pub fn precisions(options: &Options) -> Vec<Precision> {
    let bf16 = has_bf16_units(options.device).then_some(Precision::Bf16);
    [Precision::F32].into_iter().chain(bf16).collect()
}

pub fn figures<G: Trainable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    console.begin("inference, in turn with matrix products")?;
    let precisions = precisions(options);
    let mut contestants: Vec<Work<'_>> = Vec::new();
    for &precision in &precisions {
        contestants.push(matrix_product(options, precision)?);
    }
    let mut measured = Vec::new();
    for &size in &options.networks {
        let network = games::network::<G>(options, size)?;
        for (limit, &precision) in precisions.iter().enumerate() {
            for &batch in &options.batches {
                contestants.push(forward::<G>(options, &network, precision, batch)?);
                let operations = network.architecture().operations(&network.shape()) as f64;
                let target = targets(size)
                    .filter(|_| batch == LARGE && !options.configured && options.config.game == GameName::Chase)
                    .map(|targets| targets[limit]);
                measured.push((
                    network.architecture().name(),
                    precision,
                    batch,
                    limit,
                    operations,
                    target,
                ));
            }
        }
    }
    let rates = in_turn(console, options.clock(), options.seconds, contestants)?;
    let (limits, rates) = rates.split_at(precisions.len());
    for (precision, limit) in precisions.iter().zip(limits) {
        console.add([Figure::new(
            format!("machine/matrix_product_{precision}"),
            format!("matrix product in {precision}"),
            FigureUnit::Operations,
            limit,
        )])?;
    }
    let mut heading = String::new();
    for ((network, precision, batch, limit, operations, target), rates) in measured.into_iter().zip(rates) {
        let name = format!("inference/{network}_{precision}_batch_{batch}");
        let what = format!("{network} in {precision}, batch {batch}");
        let its_heading = format!("inference of {network} in {precision}");
        if its_heading != heading {
            console.begin(&its_heading)?;
            heading = its_heading;
        }
        let rate = Figure::new(name.as_str(), what.as_str(), FigureUnit::Evaluations, rates);
        let rate = rate.labelled(format!("batch {batch} (evaluations/s)"));
        let operations: Vec<f64> = rates.iter().map(|rate| rate * operations).collect();
        let share = Figure::new(
            format!("{name}/of_matrix_product"),
            format!("{what}: FLOP/s of a matrix product's"),
            FigureUnit::Ratio,
            &quotients(&operations, &limits[limit]),
        )
        .labelled(format!("batch {batch}: of a matrix product"));
        let share = match target {
            Some(target) if options.clock().is_cpu() => share.with_target(target),
            _ => share,
        };
        let share = match batch {
            LARGE => share.with_floor(floor(precision)),
            _ => share,
        };
        console.add([rate, share])?;
    }
    Ok(())
}

/// Work counted in multiplications and additions.
fn matrix_product<'a>(options: &Options, precision: Precision) -> anyhow::Result<Work<'a>> {
    let (size, products) = matrix(options.device);
    let product = MatrixProduct::new(size, options.device, precision)?;
    Ok(repeated(move || {
        ensure!(product.run(products)?, "the matrix product in {precision} is wrong");
        Ok(f64::from(products) * product.operations() as f64)
    }))
}

/// Evaluations of one batch. Before the measurement they are compared with evaluations in f32 of one position at a time
/// on the CPU, since the comparison is not part of the network's work.
pub fn forward<'a, G: Trainable>(
    options: &Options,
    network: &Network,
    precision: Precision,
    batch: usize,
) -> anyhow::Result<Work<'a>> {
    let games = games::middle::<G>(&options.rules::<G>(), batch);
    let encoding = G::encoding(&options.config);
    let mut single = InferenceNetwork::new(network, Device::Cpu, Precision::F32)?;
    let mut plain = Vec::new();
    for game in games.chunks(1).take(CHECKED) {
        let Question { planes, legal, .. } = Question::new(game, &encoding);
        plain.extend_from_slice(single.forward(planes.view(), &legal)?.policy);
    }
    let Question { planes, legal, .. } = Question::new(&games, &encoding);
    let largest = plain.iter().fold(0.0f32, |largest, logit| largest.max(logit.abs()));
    let mut inference = InferenceNetwork::new(network, options.device, precision)?;
    let name = network.architecture().name();
    let tolerance = tolerance(precision, options.device);
    let logits = inference.forward(planes.view(), &legal)?.policy;
    let wrong = logits.iter().zip(&plain);
    let error = wrong.fold(0.0f32, |error, (logit, plain)| error.max((logit - plain).abs()));
    ensure!(
        logits.len() == legal.len() && error <= tolerance * largest,
        "{name} in {precision}, batch {batch}: policy logits are off by {error}, the largest being {largest}"
    );
    Ok(repeated(move || {
        let logits = inference.forward(planes.view(), &legal)?;
        Ok(logits.value.nrows() as f64)
    }))
}

/// Encoding of positions as planes, per second.
pub fn encoding<G: Trainable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    /// Number of bytes to copy: more than fits into the cache of one core.
    const COPIED: usize = 64 << 20;
    console.begin("positions as planes, in turn with copies of memory")?;
    let games = games::middle::<G>(&options.rules::<G>(), 64);
    let encoding = G::encoding(&options.config);
    let expected = Question::new(&games, &encoding).planes;
    let size = expected.len() / games.len();
    let mut planes = Array4::zeros(expected.raw_dim());
    let encode: Work<'_> = repeated(|| {
        for (game, planes) in games.iter().zip(planes.outer_iter_mut()) {
            game.encode(&encoding, planes);
        }
        ensure!(planes == expected, "positions have other planes than before");
        Ok(games.len() as f64)
    });
    let source: Vec<u64> = (0..COPIED as u64 / 8).collect();
    let mut target = vec![0; source.len()];
    let copy: Work<'_> = repeated(|| {
        target.copy_from_slice(&source);
        ensure!(
            std::hint::black_box(&target).last() == source.last(),
            "memory was not copied"
        );
        Ok(COPIED as f64)
    });
    let rates = in_turn(console, super::contest::Clock::Cpu, options.seconds, vec![encode, copy])?;
    let bytes: Vec<f64> = rates[0].iter().map(|rate| rate * (size * 4) as f64).collect();
    Ok(console.add([
        Figure::new("machine/copy", "memory copied, 64 MiB", FigureUnit::Bytes, &rates[1]),
        Figure::new(
            format!("encoding/{}", options.config.game),
            "positions as planes",
            FigureUnit::Positions,
            &rates[0],
        )
        .labelled("positions/s"),
        Figure::new(
            format!("encoding/{}/of_copy", options.config.game),
            "positions as planes: bytes of memory copied",
            FigureUnit::Ratio,
            &quotients(&bytes, &rates[1]),
        )
        .labelled("bytes of memory copied"),
    ])?)
}
