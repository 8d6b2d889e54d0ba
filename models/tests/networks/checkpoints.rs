//! A checkpoint is whole, verified, and equal to what was saved; or there is an error that names the fault.

use std::fs;
use std::path::{Path, PathBuf};

use chase_engine::chase::ChaseEncoding;
use chase_engine::{Chase, ConnectFour, Encode};
use chase_models::checkpoint::{self, Checkpoint, NamedTensors, OPTIMIZER_FILE, WEIGHTS_FILE};
use chase_models::manifest::{CheckpointError, FileFacts, MANIFEST_FILE, Manifest, NetworkOrigin, TrainingProgress};
use chase_models::{InferenceNetwork, Network, Precision};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use tch::{Device, Tensor};
use tempfile::TempDir;

use crate::{SHAPE, architecture, everything, network, numbers, planes};

fn manifest() -> Manifest {
    let progress = TrainingProgress {
        steps: 12,
        samples: 3456,
        games: 78,
    };
    let origin = NetworkOrigin {
        parent: Some("step-000000006".into()),
        ..NetworkOrigin::default()
    };
    Manifest::new::<Chase>(&ChaseEncoding::default(), &architecture(), progress, origin).unwrap()
}

/// A checkpoint in a folder that is removed at the end.
fn saved() -> (TempDir, PathBuf, Network, Manifest) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("checkpoints/step-000000012");
    let network = network(&architecture(), SHAPE, 31);
    let optimizer = NamedTensors::from([(
        "stem.weight.momentum".to_owned(),
        Tensor::from_slice(&[0.1f32, -0.0, 1e-40]),
    )]);
    let manifest = checkpoint::save(&folder, manifest(), &network, &optimizer).unwrap();
    (home, folder, network, manifest)
}

/// Bit patterns, so that −0 and 0 differ.
fn bits(tensor: &Tensor) -> Vec<u32> {
    numbers(tensor).into_iter().map(f32::to_bits).collect()
}

fn load(folder: &Path) -> Result<Checkpoint<Chase>, CheckpointError> {
    Checkpoint::load(folder, Device::Cpu)
}

/// Loading must fail, with a message that has all of these texts in it.
fn check_error(folder: &Path, texts: &[&str]) {
    let message = load(folder).unwrap_err().to_string();
    for text in texts.iter().chain(&[folder.to_str().unwrap()]) {
        assert!(message.contains(text), "`{text}` is not in `{message}`");
    }
}

/// Changes the manifest as text.
fn edit_manifest(folder: &Path, from: &str, to: &str) {
    let file = folder.join(MANIFEST_FILE);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "`{from}` is not in {text}");
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

/// Writes other weights, with a manifest that fits them: only the tensors are wrong.
fn replace_weights(folder: &Path, change: impl FnOnce(&mut Vec<(String, Vec<usize>, Vec<u8>)>)) {
    let file = folder.join(WEIGHTS_FILE);
    let bytes = fs::read(&file).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let mut tensors = tensors
        .iter()
        .map(|(name, view)| (name.to_owned(), view.shape().to_vec(), view.data().to_vec()))
        .collect();
    change(&mut tensors);
    let views = tensors.iter().map(|(name, shape, data)| {
        let dtype = if data.len() == 4 * shape.iter().product::<usize>() {
            Dtype::F32
        } else {
            Dtype::BF16
        };
        (name, TensorView::new(dtype, shape.clone(), data).unwrap())
    });
    let bytes = safetensors::serialize(views, None).unwrap();
    fs::write(file, &bytes).unwrap();
    let mut manifest = Manifest::read(folder).unwrap();
    manifest.files.insert(WEIGHTS_FILE.to_owned(), FileFacts::of(&bytes));
    fs::write(folder.join(MANIFEST_FILE), serde_json::to_string(&manifest).unwrap()).unwrap();
}

#[test]
fn what_was_saved_is_loaded_bit_by_bit() {
    let (home, folder, network, manifest) = saved();
    let loaded = load(&folder).unwrap();
    assert_eq!(loaded.manifest, manifest);
    assert_eq!(loaded.encoding, ChaseEncoding::default());
    let tensors: Vec<_> = network.tensors().collect();
    assert_eq!(tensors.len(), loaded.network.tensors().count());
    for ((name, tensor), (loaded_name, loaded)) in tensors.into_iter().zip(loaded.network.tensors()) {
        assert_eq!(
            (name, tensor.size(), bits(tensor)),
            (loaded_name, loaded.size(), bits(loaded))
        );
        assert_eq!(tensor.requires_grad(), loaded.requires_grad(), "{name}");
    }
    let optimizer = checkpoint::load_optimizer(&folder, &manifest).unwrap();
    let expected = [0.1f32, -0.0, 1e-40].map(f32::to_bits);
    assert_eq!(optimizer.keys().collect::<Vec<_>>(), ["stem.weight.momentum"]);
    assert_eq!(bits(&optimizer["stem.weight.momentum"]), expected);

    let planes = planes(3, SHAPE, 32);
    let outputs = [&network, &loaded.network].map(|network| {
        let mut inference = InferenceNetwork::new(network, Device::Cpu, Precision::F32).unwrap();
        inference
            .forward(planes.view(), &everything(3, SHAPE))
            .unwrap()
            .policy
            .to_vec()
    });
    assert_eq!(outputs[0], outputs[1]);
    // Nothing else is left behind.
    let names: Vec<_> = fs::read_dir(home.path().join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["step-000000012"]);
}

#[test]
fn saving_neither_overwrites_nor_trips_over_what_an_interrupted_one_left() {
    let (_home, folder, network, _) = saved();
    let error = checkpoint::save(&folder, manifest(), &network, &NamedTensors::new()).unwrap_err();
    assert!(error.to_string().contains("step-000000012: cannot create"), "{error}");

    let next = folder.with_file_name("step-000000013");
    let left = folder.with_file_name(".step-000000013.tmp");
    fs::create_dir(&left).unwrap();
    fs::write(left.join(WEIGHTS_FILE), "half").unwrap();
    assert!(load(&next).is_err());
    checkpoint::save(&next, manifest(), &network, &NamedTensors::new()).unwrap();
    assert!(!left.exists());
    load(&next).unwrap();
}

#[test]
fn what_cannot_be_used_is_not_saved() {
    let (_home, folder, network, _) = saved();
    let next = folder.with_file_name("next");
    let mut other = manifest();
    other.architecture.blocks += 1;
    let error = checkpoint::save(&next, other, &network, &NamedTensors::new()).unwrap_err();
    assert!(error.to_string().contains("architecture"), "{error}");
    let integers = NamedTensors::from([("step".to_owned(), Tensor::from_slice(&[1i64]))]);
    let error = checkpoint::save(&next, manifest(), &network, &integers).unwrap_err();
    assert!(error.to_string().contains("`step`: is Int64"), "{error}");
    let (name, tensor) = network.tensors().last().unwrap();
    tch::no_grad(|| tensor.shallow_clone().copy_(&Tensor::full_like(tensor, f64::INFINITY)));
    let error = checkpoint::save(&next, manifest(), &network, &NamedTensors::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains(&format!("`{name}`: contains numbers that are not finite")),
        "{error}"
    );
    assert!(!next.exists());
}

#[test]
fn damaged_files_are_refused() {
    let (_home, folder, ..) = saved();
    let file = folder.join(WEIGHTS_FILE);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    check_error(&folder, &[WEIGHTS_FILE, "the size in bytes is", "expected"]);
    // One bit in the middle of the numbers, which a reader could not notice otherwise.
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    fs::write(&file, &flipped).unwrap();
    check_error(&folder, &[WEIGHTS_FILE, "the SHA-256 is", "expected"]);
    fs::remove_file(&file).unwrap();
    check_error(&folder, &[WEIGHTS_FILE, "cannot read"]);
    fs::write(&file, &bytes).unwrap();
    let manifest = load(&folder).unwrap().manifest;

    let file = folder.join(OPTIMIZER_FILE);
    fs::write(&file, "").unwrap();
    let error = checkpoint::load_optimizer(&folder, &manifest).unwrap_err();
    assert!(error.to_string().contains(OPTIMIZER_FILE), "{error}");

    let file = folder.join(MANIFEST_FILE);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    check_error(&folder, &[MANIFEST_FILE, "not JSON, or incomplete"]);
    fs::remove_file(&file).unwrap();
    check_error(&folder, &["there is no manifest.json in it"]);
}

#[test]
fn what_is_for_something_else_is_refused() {
    for (from, to, expected) in [
        ("\"format\": 1", "\"format\": 2", "`format` is 2, expected 1"),
        (
            "\"rules_version\": 1",
            "\"rules_version\": 9",
            "`rules_version` is 9, expected 1",
        ),
        (
            "\"encoding_version\": 1",
            "\"encoding_version\": 0",
            "`encoding_version` is 0, expected 1",
        ),
        (
            "\"attack_maps\": true",
            "\"attack_maps\": false",
            "`shape` is Shape { planes: 26",
        ),
        ("\"attack_maps\"", "\"attack_map\"", "attack_map"),
        ("\"blocks\": 3", "\"blocks\": 0", "`blocks` is 0, expected 1 to 256"),
        ("\"blocks\"", "\"blobs\"", "unknown field `blobs`"),
    ] {
        let (_home, folder, ..) = saved();
        edit_manifest(&folder, from, to);
        check_error(&folder, &[MANIFEST_FILE, expected]);
    }
    let (_home, folder, ..) = saved();
    let error = Checkpoint::<ConnectFour>::load(&folder, Device::Cpu)
        .unwrap_err()
        .to_string();
    assert!(error.contains("`game` is chase, expected connect-four"), "{error}");
}

#[test]
fn weights_of_another_architecture_are_refused() {
    for (from, to, expected) in [
        (
            "\"blocks\": 3",
            "\"blocks\": 4",
            "tensor `block3.first.norm.mean` is missing",
        ),
        (
            "\"blocks\": 3",
            "\"blocks\": 2",
            "tensor `block2.first.norm.mean` is unknown",
        ),
        ("\"channels\": 32", "\"channels\": 16", "expected [16, 26, 3, 3]"),
        (
            "\"plies_left\": true",
            "\"plies_left\": false",
            "tensor `auxiliary.plies_left.bias` is unknown",
        ),
    ] {
        let (_home, folder, ..) = saved();
        edit_manifest(&folder, from, to);
        check_error(&folder, &[WEIGHTS_FILE, expected]);
    }
}

#[test]
fn wrong_tensors_are_refused_even_if_the_hash_fits() {
    let (_home, folder, ..) = saved();
    let name = "value.output.bias";
    replace_weights(&folder, |tensors| tensors.retain(|tensor| tensor.0 != name));
    check_error(&folder, &["tensor `value.output.bias` is missing"]);

    let (_home, folder, ..) = saved();
    replace_weights(&folder, |tensors| {
        tensors.push(("more".to_owned(), vec![1], vec![0; 4]))
    });
    check_error(&folder, &["tensor `more` is unknown"]);

    // A single number, which libtorch would spread over all three.
    let (_home, folder, ..) = saved();
    replace_weights(&folder, |tensors| {
        let tensor = tensors.iter_mut().find(|tensor| tensor.0 == name).unwrap();
        (tensor.1, tensor.2) = (vec![1], vec![0; 4]);
    });
    check_error(
        &folder,
        &["the shape of tensor `value.output.bias` is [1], expected [3]"],
    );

    // Half as many bytes: bfloat16.
    let (_home, folder, ..) = saved();
    replace_weights(&folder, |tensors| {
        let tensor = tensors.iter_mut().find(|tensor| tensor.0 == name).unwrap();
        tensor.2.truncate(6);
    });
    check_error(
        &folder,
        &["the type of tensor `value.output.bias` is BF16, expected F32"],
    );
}

#[test]
fn the_manifest_names_what_the_encoding_is() {
    let manifest = manifest();
    assert_eq!(
        manifest.encoding_for::<Chase>(Path::new("x")).unwrap(),
        ChaseEncoding::default()
    );
    assert_eq!(
        manifest.encoding.to_string(),
        r#"{"attack_maps":true,"move_maps":false}"#
    );
    assert_eq!(manifest.shape, Chase::shape(&ChaseEncoding::default()));
}

#[test]
fn what_is_no_file_or_too_large_is_not_read() {
    let (_home, folder, ..) = saved();
    let file = folder.join(WEIGHTS_FILE);
    let size = fs::metadata(&file).unwrap().len();
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    check_error(
        &folder,
        &[
            WEIGHTS_FILE,
            &format!("expected at most {size} bytes, found 1099511627776"),
        ],
    );
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    check_error(&folder, &[WEIGHTS_FILE, "expected a regular file"]);
    let file = folder.join(MANIFEST_FILE);
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    check_error(&folder, &[MANIFEST_FILE, "expected at most 1048576 bytes"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_cannot_be_written_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let network = network(&architecture(), SHAPE, 31);
    // A link to nowhere in the place of the folder stands for every reason why the last step can fail.
    let folder = home.path().join("step-000000012");
    std::os::unix::fs::symlink(home.path().join("nowhere"), &folder).unwrap();
    let error = checkpoint::save(&folder, manifest(), &network, &NamedTensors::new()).unwrap_err();
    assert!(error.to_string().contains("step-000000012: cannot create"), "{error}");
    let names = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["step-000000012"]);
}
