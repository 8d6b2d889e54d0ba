//! Runs whose networks the kernel of this program evaluates.

use std::fs;
use std::path::Path;

use chase_engine::ConnectFour;
use chase_models::fused;
use chase_models::{Architecture, Precision};
use chase_training::config::Config;
use chase_training::events::{Ended, Event};
use chase_training::kinds::residual::Residual;
use chase_training::settings::Setting;
use chase_training::training_loop::Training;
use tch::Device;

use crate::{Notes, assert_same, config, create, create_and_stop, resume};

/// Settings of a network that fills the kernel's registers.
const WIDE: [&str; 3] = [
    "network.channels=32",
    "network.policy_channels=32",
    "network.value_channels=32",
];

fn written(run: &Path) -> Config {
    let text = fs::read_to_string(run.join("config.toml")).unwrap();
    Config::load(Some(("run", &text)), &[]).unwrap()
}

#[test]
fn a_network_that_the_kernel_cannot_evaluate_is_refused_before_anything_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let [run, other] = ["run", "other"].map(|name| directory.path().join(name));
    let refused = |error: Option<String>, at: &Path| {
        let error = error.expect("an error");
        assert!(error.contains("precision fused needs "), "{error}");
        assert!(!at.exists(), "{} was made", at.display());
    };
    refused(
        create(&other, &["precision=fused"])
            .0
            .err()
            .map(|error| error.to_string()),
        &other,
    );
    create(&run, &[]).0.unwrap();
    let fused = || config(&["precision=fused"]);
    for begin in [
        Training::<Residual<ConnectFour>>::branch,
        Training::<Residual<ConnectFour>>::refit,
    ] {
        let begun = begin(&run, &other, fused(), &mut Notes::default());
        refused(begun.err().map(|error| error.to_string()), &other);
    }
    let before = fs::read(run.join("config.toml")).unwrap();
    let (ended, _) = resume(&run, &["precision=fused"]);
    refused(ended.err().map(|error| error.to_string()), &other);
    assert_eq!(fs::read(run.join("config.toml")).unwrap(), before);
}

#[test]
fn the_choice_of_the_machine_is_written_down_as_what_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let torch = Precision::fastest(Device::Cpu).to_string();
    let short = ["precision=auto", "learner.precision=auto", "limits.generations=1"];
    let [narrow, wide, branch] = ["narrow", "wide", "branch"].map(|name| directory.path().join(name));
    create(&narrow, &short).0.unwrap();
    assert_eq!(written(&narrow).precision.to_string(), torch);
    create(&wide, &[&short[..], &WIDE].concat()).0.unwrap();
    let kernel = fused::fastest(&Architecture::default(), Device::Cpu);
    let expected = kernel.map_or_else(|| torch.clone(), |precision| precision.to_string());
    assert_eq!(written(&wide).precision.to_string(), expected);
    // The kernel does not learn.
    assert_eq!(written(&wide).learner.precision.to_string(), torch);
    let again = config(&[&["precision=auto", "limits.generations=2"][..], &WIDE].concat());
    drop(Training::<Residual<ConnectFour>>::branch(&wide, &branch, again, &mut Notes::default()).unwrap());
    assert_eq!(written(&branch).precision.to_string(), expected);
    resume(&wide, &["precision=auto", "limits.generations=2"]).0.unwrap();
    assert_eq!(written(&wide).precision.to_string(), expected);
}

#[test]
fn a_run_by_the_kernel_is_resumed_exactly() {
    let directory = tempfile::tempdir().unwrap();
    let [run, cut] = ["run", "cut"].map(|name| directory.path().join(name));
    // Where there is none, by libtorch.
    let has_kernel = fused::can_fuse(Precision::FusedF32, &Architecture::default(), Device::Cpu).is_ok();
    let precision = if has_kernel {
        "precision=fused-f32"
    } else {
        "precision=auto"
    };
    let settings = [&[precision][..], &WIDE].concat();
    create(&run, &settings).0.unwrap();
    create_and_stop(&cut, &settings, |event| {
        matches!(event, Event::Learning { generation: 2, .. })
    });
    assert_eq!(resume(&cut, &[]).0.unwrap(), Ended::Generations);
    assert_same(&cut, &run);
}

#[test]
fn the_learner_cannot_use_the_kernel() {
    for choice in ["fused", "fused-f32"] {
        let settings = Setting::list(&[&format!("learner.precision={choice}")]);
        let error = Config::load(None, &settings).unwrap_err().to_string();
        assert!(
            error.contains("learner.precision") && error.contains(choice) && error.contains("auto, f32 or bf16"),
            "{error}"
        );
    }
}
