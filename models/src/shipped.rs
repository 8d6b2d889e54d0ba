//! The built-in residual networks.
//!
//! Their checkpoints are part of the binary, so that they are available wherever the binary runs. The name of one stands
//! for it wherever the folder of a checkpoint is expected; it is read and verified like any other. The first one,
//! [`NAME`], is the default; an earlier default stays, so that commands and studies that name it mean the same network.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Name of the default agent. As a path it means the checkpoint in the binary; with `./` in front it means a folder.
pub const NAME: &str = AGENTS[0].name;

/// A built-in agent: its files of `models/agents/`.
struct Agent {
    name: &'static str,
    /// The network, by the names of its files.
    files: [(&'static str, &'static [u8]); 2],
    config: &'static str,
}

macro_rules! file {
    ($name:literal, $file:literal) => {
        ($file, include_bytes!(concat!("../agents/", $name, "/", $file)))
    };
}

macro_rules! agent {
    ($name:literal) => {
        Agent {
            name: $name,
            files: [file!($name, "manifest.json"), file!($name, "model.safetensors")],
            config: include_str!(concat!("../agents/", $name, "/config.toml")),
        }
    };
}

const AGENTS: [Agent; 2] = [agent!("agent-71"), agent!("agent-41")];

/// The names of the built-in agents, the default first.
pub fn names() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().map(|agent| agent.name)
}

/// True if a path means a built-in agent.
pub fn is_shipped(folder: &Path) -> bool {
    agent(folder).is_some()
}

/// The configuration that a built-in agent was trained under, as TOML; none for other paths.
pub fn config(folder: &Path) -> Option<&'static str> {
    agent(folder).map(|agent| agent.config)
}

fn agent(folder: &Path) -> Option<&'static Agent> {
    AGENTS.iter().find(|agent| folder.as_os_str() == OsStr::new(agent.name))
}

/// Reads a file of a checkpoint, of at most `most` bytes, from disk or from the binary. The checkpoint may come from an
/// untrusted source.
pub(crate) fn read(folder: &Path, name: &str, most: u64) -> io::Result<Cow<'static, [u8]>> {
    let Some(agent) = agent(folder) else {
        let path = folder.join(name);
        let facts = path.metadata()?;
        if !facts.is_file() {
            // A pipe would block its reader.
            return Err(io::Error::new(ErrorKind::InvalidInput, "expected a regular file"));
        }
        if facts.len() > most {
            let found = facts.len();
            return Err(io::Error::other(format!(
                "expected at most {most} bytes, found {found}"
            )));
        }
        let mut content = Vec::new();
        File::open(path)?.take(most).read_to_end(&mut content)?;
        return Ok(Cow::Owned(content));
    };
    let file = agent.files.iter().find(|(known, _)| *known == name);
    file.map(|&(_, bytes)| Cow::Borrowed(bytes))
        .ok_or_else(|| io::Error::new(ErrorKind::NotFound, "a built-in agent has no such file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Manifest;

    #[test]
    fn every_built_in_agent_is_whole_and_its_name_is_no_folder() {
        for name in names() {
            let folder = Path::new(name);
            let manifest = Manifest::read(folder).expect("a manifest");
            manifest
                .encoding_for::<chase_engine::Chase>(folder)
                .expect("a network of Chase");
            manifest
                .read_file(folder, "model.safetensors")
                .expect("weights with the hash that the manifest gives");
            let missing = manifest
                .read_file(folder, "optimizer.safetensors")
                .expect_err("left out");
            let expected = format!("{name}/optimizer.safetensors: cannot read");
            assert!(missing.to_string().starts_with(&expected), "{missing}");
            assert!(!is_shipped(&Path::new(".").join(name)) && !is_shipped(&Path::new("models/agents").join(name)));
        }
    }

    #[test]
    fn each_name_means_its_own_network() {
        let weights: Vec<_> = names()
            .map(|name| read(Path::new(name), "model.safetensors", u64::MAX).expect("weights"))
            .collect();
        assert_eq!(weights.len(), 2);
        assert_ne!(weights[0], weights[1]);
        assert_eq!(
            config(Path::new("agent-41")).map(|text| text.contains("seed = 41")),
            Some(true)
        );
        assert_eq!(config(Path::new("agent-99")), None);
    }
}
