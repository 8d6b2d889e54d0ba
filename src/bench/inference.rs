//! Benchmarks of the network alone, compared with the best that the machine can do.

use anyhow::{bail, ensure};
use chase_engine::Playable;
use chase_models::device::{Device, has_bf16_units};
use chase_models::fused;
use chase_models::speed::{BareTower, MatrixProduct};
use chase_models::{InferenceNetwork, Network, Precision};
use ndarray::Array4;

use super::console::Console;
use super::contest::{Clock, Work, in_turn, repeated};
use super::figure::{Figure, FigureUnit, quotients};
use super::games::Question;
use super::{Options, games};

/// Required share of the rate of a bare tower for a batch of [`LARGE`] on a CPU, whatever the CPU.
const EFFICIENCY: f64 = 0.95;

/// Half of the smallest value seen for [`LARGE`] batches of any network, with the machine's cores busy with other work.
const fn floor(precision: Precision) -> Option<f64> {
    match precision {
        Precision::F32 => Some(0.4),
        Precision::Bf16 => Some(0.12),
        // Without optimisation they are slow. Units for matrices (AMX) make the product faster.
        Precision::Fused | Precision::FusedF32 if cfg!(debug_assertions) => None,
        Precision::Fused => Some(0.12),
        Precision::FusedF32 => Some(0.4),
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
        (Precision::F32 | Precision::FusedF32, Device::Cpu) => 1e-4,
        (Precision::F32 | Precision::FusedF32, _) => 1e-2,
        (Precision::Bf16 | Precision::Fused, _) => 5e-2,
    }
}

/// The precisions of this program's kernel that evaluate the network.
pub fn fused(options: &Options, network: &Network) -> impl Iterator<Item = Precision> {
    let can = |&precision: &Precision| fused::can_fuse(precision, network.architecture(), options.device).is_ok();
    [Precision::FusedF32, Precision::Fused].into_iter().filter(can)
}

pub fn figures<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    console.begin("inference, in turn with matrix products")?;
    // The precisions of libtorch worth measuring on a device.
    let bf16 = has_bf16_units(options.device).then_some(Precision::Bf16);
    let precisions: Vec<Precision> = [Precision::F32].into_iter().chain(bf16).collect();
    let mut contestants: Vec<Work<'_>> = Vec::new();
    for &precision in &precisions {
        contestants.push(matrix_product(options, precision)?);
    }
    let mut entries = Vec::new();
    for &size in &options.networks {
        let network = games::network::<G>(options, size)?;
        for precision in precisions.iter().copied().chain(fused(options, &network)) {
            let like = precision.of_libtorch();
            let Some(product) = precisions.iter().position(|&precision| precision == like) else {
                bail!("no matrix product in {like}");
            };
            for &batch in &options.batches {
                let tower = match batch {
                    LARGE => {
                        contestants.push(bare_tower(options, &network, like)?);
                        Some(contestants.len() - 1)
                    }
                    _ => None,
                };
                entries.push(Entry {
                    network: network.architecture().name(),
                    precision,
                    batch,
                    operations: network.architecture().operations(&network.shape()) as f64,
                    evaluations: contestants.len(),
                    product,
                    tower,
                });
                contestants.push(forward::<G>(options, &network, precision, batch)?);
            }
        }
    }
    let rates = in_turn(console, options.clock(), contestants)?;
    for (precision, rates) in precisions.iter().zip(&rates) {
        let (name, what) = (
            format!("machine/matrix_product_{precision}"),
            format!("matrix product in {precision}"),
        );
        console.add([Figure::new(name, what, FigureUnit::Operations, rates)])?;
    }
    let mut heading = String::new();
    for entry in entries {
        let its_heading = format!("inference of {} in {}", entry.network, entry.precision);
        if its_heading != heading {
            console.begin(&its_heading)?;
            heading = its_heading;
        }
        console.add(entry.figures(&rates, options.clock()))?;
    }
    Ok(())
}

/// A network in a precision, at a batch size. The last fields are indices of contestants.
struct Entry {
    network: String,
    precision: Precision,
    batch: usize,
    /// Multiplications and additions of one evaluation.
    operations: f64,
    evaluations: usize,
    product: usize,
    tower: Option<usize>,
}

impl Entry {
    fn figures(&self, rates: &[Vec<f64>], clock: Clock) -> Vec<Figure> {
        let (network, precision, batch) = (&self.network, self.precision, self.batch);
        let name = format!("inference/{network}_{precision}_batch_{batch}");
        let evaluations = &rates[self.evaluations];
        let operations: Vec<f64> = evaluations.iter().map(|rate| rate * self.operations).collect();
        let figure = |id: &str, what: &str, unit, values: &[f64]| {
            Figure::new(format!("{name}{id}"), format!("batch {batch}{what}"), unit, values)
        };
        let of = |limit: usize| quotients(&operations, &rates[limit]);
        let product = of(self.product);
        let of_product = figure(
            "/of_matrix_product",
            ": of a matrix product",
            FigureUnit::Ratio,
            &product,
        );
        let mut figures = vec![figure("", "", FigureUnit::Evaluations, evaluations)];
        match self.tower {
            None => figures.push(of_product),
            Some(tower) => figures.extend([
                of_product.with_floor(floor(precision)),
                figure("/bare_tower", ": bare tower", FigureUnit::Operations, &rates[tower]),
                figure("/of_bare_tower", ": of a bare tower", FigureUnit::Ratio, &of(tower))
                    .with_target((clock == Clock::Cpu).then_some(EFFICIENCY)),
            ]),
        }
        figures
    }
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

/// Work counted in multiplications and additions, of a batch of [`LARGE`].
fn bare_tower<'a>(options: &Options, network: &Network, precision: Precision) -> anyhow::Result<Work<'a>> {
    let tower = BareTower::new(
        network.architecture(),
        network.shape(),
        LARGE,
        options.device,
        precision,
    )?;
    Ok(repeated(move || {
        ensure!(tower.run()?, "the bare tower in {precision} is wrong");
        Ok(tower.operations() as f64)
    }))
}

/// Evaluations of one batch. Before the measurement they are compared with evaluations in f32 of one position at a time
/// on the CPU, since the comparison is not part of the network's work.
pub fn forward<'a, G: Playable>(
    options: &Options,
    network: &Network,
    precision: Precision,
    batch: usize,
) -> anyhow::Result<Work<'a>> {
    let games = games::middle::<G>(options, batch);
    let encoding = options.config.game_encoding::<G>();
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
pub fn encoding<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    /// Number of bytes to copy: more than fits into the cache of one core.
    const COPIED: usize = 64 << 20;
    console.begin("positions as planes, in turn with copies of memory")?;
    let games = games::middle::<G>(options, 64);
    let encoding = options.config.game_encoding::<G>();
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
    let rates = in_turn(console, Clock::Cpu, vec![encode, copy])?;
    let bytes: Vec<f64> = rates[0].iter().map(|rate| rate * (size * 4) as f64).collect();
    let name = format!("encoding/{}", options.config.game);
    console.add([
        Figure::new("machine/copy", "memory copied, 64 MiB", FigureUnit::Bytes, &rates[1]),
        Figure::new(&name, "", FigureUnit::Positions, &rates[0]),
        Figure::new(
            format!("{name}/of_copy"),
            "bytes of memory copied",
            FigureUnit::Ratio,
            &quotients(&bytes, &rates[1]),
        ),
    ])
}
