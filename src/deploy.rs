//! Templates in `configs/deploy/`: what they start is what this program understands.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use saphyr::{LoadableYamlNode, Yaml};

use crate::Cli;

/// Values that the environment gives to the names in templates.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("CHASE_SERVER", "tls://host:4222"),
    ("CHASE_SERVER:?", "tls://host:4222"),
    ("CREDENTIALS_DIRECTORY", "/run/credentials"),
    ("HOME", "/folder"),
    ("SLURM_CPUS_PER_TASK", "16"),
];

fn templates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/deploy")
}

fn read(name: &str) -> String {
    fs::read_to_string(templates().join(name)).unwrap()
}

/// The command lines of this program in a script, or in a unit of systemd.
fn commands(script: &str) -> Vec<Vec<String>> {
    let script = script.replace("\\\n", " ");
    let lines = script.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let parts = lines.flat_map(|line| line.split([';', '\'']));
    parts.filter_map(command).collect()
}

/// The words from `chase` on, if it is what a part of a script starts.
fn command(part: &str) -> Option<Vec<String>> {
    let mut text = part.to_owned();
    for (name, value) in ENVIRONMENT {
        text = text
            .replace(&format!("${{{name}}}"), value)
            .replace(&format!("${name}"), value);
    }
    let words = shlex::split(&text)?;
    let place = words.iter().position(|word| {
        let word = word.strip_prefix("ExecStart=").unwrap_or(word);
        word.rsplit('/').next() == Some("chase")
    })?;
    let (before, words) = words.split_at(place);
    let starts = before
        .iter()
        .all(|word| ["exec", "then", "else"].contains(&word.as_str()));
    // A single word is the name of an image or of a user.
    (starts && words.len() > 1).then(|| words.to_vec())
}

/// The command lines in the lists and texts of a document.
fn commands_in(document: &Yaml<'_>, found: &mut Vec<Vec<String>>) {
    if let Some(text) = document.as_str() {
        found.extend(commands(text));
    } else if let Some(list) = document.as_sequence() {
        let words: Vec<&str> = list.iter().filter_map(|word| word.as_str()).collect();
        if words.first() == Some(&"chase") {
            assert_eq!(words.len(), list.len(), "{words:?} has something that is no text");
            found.push(words.into_iter().map(str::to_owned).collect());
        } else {
            list.iter().for_each(|value| commands_in(value, found));
        }
    } else if let Some(table) = document.as_mapping() {
        table.values().for_each(|value| commands_in(value, found));
    }
}

fn assert_understood(name: &str, commands: &[Vec<String>], subcommands: &[&str]) {
    let found: Vec<&str> = commands.iter().map(|words| words[1].as_str()).collect();
    assert_eq!(found, subcommands, "{name}");
    for words in commands {
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("{name}: {words:?}: {error}");
        }
    }
}

#[test]
fn every_command_line_of_a_template_is_understood() {
    for (name, subcommands) in [
        ("systemd/chase-nats.service", &[][..]),
        ("systemd/chase-learner@.service", &["train", "train"]),
        ("systemd/chase-worker.service", &["worker"]),
        ("workers.sbatch", &["worker"]),
    ] {
        assert_understood(name, &commands(&read(name)), subcommands);
    }
    for name in ["compose.yaml", "kubernetes.yaml"] {
        let text = read(name);
        let mut found = Vec::new();
        let documents = Yaml::load_from_str(&text).unwrap();
        documents.iter().for_each(|document| commands_in(document, &mut found));
        assert_understood(name, &found, &["train", "train", "worker"]);
        // The configuration is one that the image has.
        for words in found {
            for file in words.iter().filter_map(|word| word.strip_prefix("/configs/")) {
                assert!(templates().join("..").join(file).is_file(), "{name}: {file}");
            }
        }
    }
}

#[test]
fn what_is_none_of_its_options_would_be_noticed() {
    let [words] = &commands("exec chase worker nats://host --patience 60")[..] else {
        panic!()
    };
    assert!(Cli::try_parse_from(words).is_err());
}

/// The texts at a place in a document, where `*` stands for all elements of a list.
fn texts<'a>(document: &'a Yaml<'_>, place: &str) -> BTreeSet<&'a str> {
    let mut nodes = vec![document];
    for part in place.split('.') {
        nodes = match part {
            "*" => nodes
                .into_iter()
                .filter_map(|node| node.as_sequence())
                .flatten()
                .collect(),
            part => nodes.into_iter().filter_map(|node| node.as_mapping_get(part)).collect(),
        };
    }
    nodes.into_iter().filter_map(|node| node.as_str()).collect()
}

#[test]
fn what_manifests_of_kubernetes_refer_to_is_in_them() {
    let text = read("kubernetes.yaml");
    let documents = Yaml::load_from_str(&text).unwrap();
    let [mut labels, mut selected, mut claims, mut claimed] = [(); 4].map(|()| BTreeSet::new());
    for document in &documents {
        let kind = document["kind"].as_str().unwrap();
        let version = document["apiVersion"].as_str().unwrap();
        let expected = match kind {
            "ConfigMap" | "Service" | "PersistentVolumeClaim" => "v1",
            "StatefulSet" | "Deployment" => "apps/v1",
            "Job" => "batch/v1",
            other => panic!("{other}"),
        };
        assert_eq!(version, expected, "{kind}");
        assert!(document["metadata"]["name"].as_str().unwrap().starts_with("chase-"));
        labels.extend(texts(document, "spec.template.metadata.labels.app"));
        selected.extend(texts(document, "spec.selector.app"));
        selected.extend(texts(document, "spec.selector.matchLabels.app"));
        if kind == "PersistentVolumeClaim" {
            claims.extend(texts(document, "metadata.name"));
        }
        claimed.extend(texts(
            document,
            "spec.template.spec.volumes.*.persistentVolumeClaim.claimName",
        ));
        let mut volumes = texts(document, "spec.template.spec.volumes.*.name");
        volumes.extend(texts(document, "spec.volumeClaimTemplates.*.metadata.name"));
        let mounted = texts(document, "spec.template.spec.containers.*.volumeMounts.*.name");
        assert_eq!(mounted, volumes, "{kind}");
    }
    assert!(
        selected.len() == 2 && selected.is_subset(&labels),
        "{selected:?} {labels:?}"
    );
    assert_eq!((claimed.len(), &claimed), (1, &claims));
}

/// Needs systemd. The programs need not be installed.
#[test]
fn systemd_finds_nothing_wrong_with_its_units() {
    let folder = tempfile::tempdir().unwrap();
    let mut verify = Command::new("systemd-analyze");
    verify.arg("verify");
    for name in ["chase-nats.service", "chase-learner@.service", "chase-worker.service"] {
        let text = read(&format!("systemd/{name}"));
        let here = text
            .replace("/usr/local/bin/chase", "/bin/true")
            .replace("/usr/local/bin/nats-server", "/bin/true");
        let unit = folder.path().join(name);
        fs::write(&unit, here).unwrap();
        verify.arg(unit);
    }
    // Without it, or where it cannot work as in some containers, the other tests must do.
    let Ok(output) = verify.output() else { return };
    let said = String::from_utf8_lossy(&output.stderr);
    let about_units: Vec<&str> = said.lines().filter(|line| line.contains("chase-")).collect();
    assert!(about_units.is_empty(), "{said}");
}

#[test]
fn scripts_are_understood_by_their_shell() {
    let script = templates().join("workers.sbatch");
    let checked = Command::new("bash").arg("-n").arg(script).status();
    assert!(checked.is_ok_and(|status| status.success()));
}
