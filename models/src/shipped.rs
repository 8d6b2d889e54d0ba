//! The built-in agent.
//!
//! Its checkpoint is part of the binary, so that it is available wherever the binary runs. [`NAME`] stands for it
//! wherever the folder of a checkpoint is expected; it is read and verified like any other.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Name of the agent. As a path it means the checkpoint in the binary; with `./` in front it means a folder.
pub const NAME: &str = "agent-41";

/// A file of `models/agents/`[`NAME`], by its name there.
macro_rules! file {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../agents/agent-41/", $name)))
    };
}

/// The files of the network.
const FILES: [(&str, &[u8]); 2] = [file!("manifest.json"), file!("model.safetensors")];

/// The configuration that the agent was trained under, as TOML.
pub const CONFIG: &str = include_str!("../agents/agent-41/config.toml");

/// True if a path means the built-in agent.
pub fn is_shipped(folder: &Path) -> bool {
    folder.as_os_str() == OsStr::new(NAME)
}

/// Reads a file of a checkpoint, of at most `most` bytes, from disk or from the binary. The checkpoint may come from an
/// untrusted source.
pub(crate) fn read(folder: &Path, name: &str, most: u64) -> io::Result<Cow<'static, [u8]>> {
    if !is_shipped(folder) {
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
    }
    let file = FILES.iter().find(|(known, _)| *known == name);
    file.map(|&(_, bytes)| Cow::Borrowed(bytes))
        .ok_or_else(|| io::Error::new(ErrorKind::NotFound, "the built-in agent has no such file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Manifest;

    #[test]
    fn the_shipped_agent_is_whole_and_its_name_is_no_folder() {
        let folder = Path::new(NAME);
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
        assert!(
            missing
                .to_string()
                .starts_with("agent-41/optimizer.safetensors: cannot read"),
            "{missing}"
        );
        assert!(!is_shipped(Path::new("./agent-41")) && !is_shipped(Path::new("models/agents/agent-41")));
    }
}
