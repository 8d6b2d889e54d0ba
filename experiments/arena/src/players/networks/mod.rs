//! The kinds of networks, as players have them. A kind is a file here and a line in the list below.

use std::path::{Path, PathBuf};

use chase_engine::{GameName, Playable};
use chase_models::Precision;
use chase_models::device::Device;
use chase_training::kinds::NetworkKind;

use super::contestant::{Place, Usage};
use super::evaluators::MakeEvaluator;
use super::searches::MakeAgent;
use super::spec::{Kind, SearchSpec};

/// A network of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSpec {
    /// Its kind.
    pub kind: NetworkKind,
    /// A checkpoint, a run (its newest checkpoint is used), or the name of a built-in one.
    pub path: PathBuf,
    /// Its arithmetic; `None` for the faster one on the machine, and for a kind that has only one.
    pub precision: Option<Precision>,
}

/// What players need to know of a kind of network.
pub(crate) struct NetworkForm {
    /// The word before its path, and what it means.
    pub player: Kind,
    /// Its own options.
    pub options: &'static [&'static str],
    /// The names of the built-in ones, the default first.
    pub built_in: fn() -> Vec<&'static str>,
    /// The checkpoint that a path stands for.
    pub checkpoint: fn(&Path) -> anyhow::Result<PathBuf>,
    /// What is known of the network at a path without loading it.
    pub facts: fn(&Path) -> anyhow::Result<NetworkFacts>,
    /// The files of a checkpoint that its network needs to play, by their names in a folder.
    pub files: fn(&Path) -> Vec<(&'static str, PathBuf)>,
    /// How the network of a player computes, from this checkpoint.
    pub arithmetic: fn(&SearchSpec, &Path, Device, Usage) -> Arithmetic,
    /// True if it gains much by evaluating leaves of many games together.
    pub batches: bool,
}

/// How a network computes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arithmetic {
    /// `None` for a kind that has only one.
    pub precision: Option<Precision>,
    /// The leaves of a tree at a time that are fastest.
    pub leaves: u32,
}

/// What is known of a network.
#[derive(Debug)]
pub(crate) struct NetworkFacts {
    /// Its game, if this program knows it.
    pub game: Option<GameName>,
    /// SHA-256 of its weights, in hexadecimal digits, if it is known.
    pub weights: Option<String>,
    /// SHA-256 of the file that has the hashes of all others, or of the only one.
    pub sha256: String,
    /// Steps of the optimizer, and self-play games finished by then, if they are known.
    pub progress: Option<(u64, u64)>,
}

/// Writes what is asked of a kind from one list: each is a module with a `FORM`, and the functions `leaves` and `lines`.
macro_rules! networks {
    ($($module:ident = $kind:ident),* $(,)?) => {
        $(pub(crate) mod $module;)*

        /// All kinds.
        pub(crate) const ALL: &[NetworkKind] = &[$(NetworkKind::$kind),*];

        /// What players need to know of a kind.
        pub(crate) const fn form(kind: NetworkKind) -> &'static NetworkForm {
            match kind {
                $(NetworkKind::$kind => &$module::FORM,)*
            }
        }

        /// The evaluators of the leaves of a player with this network.
        pub(crate) fn leaves<G: Playable>(
            network: &NetworkSpec,
            spec: &SearchSpec,
            place: &Place<'_, G>,
        ) -> anyhow::Result<MakeEvaluator<G>> {
            match network.kind {
                $(NetworkKind::$kind => $module::leaves(network, spec, place),)*
            }
        }

        /// The agents of a player that searches lines of play, by alpha-beta, with this network.
        pub(crate) fn lines<G: Playable>(
            network: &NetworkSpec,
            spec: &SearchSpec,
            place: &Place<'_, G>,
        ) -> anyhow::Result<MakeAgent<G>> {
            match network.kind {
                $(NetworkKind::$kind => $module::lines(network, spec, place),)*
            }
        }
    };
}

networks! {
    residual = Residual,
    nnue = Nnue,
}

/// The names of all built-in networks.
pub(crate) fn built_in() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|&kind| (form(kind).built_in)())
}

impl NetworkSpec {
    /// The network of a kind at a path.
    pub fn new(kind: NetworkKind, path: impl Into<PathBuf>) -> Self {
        Self {
            kind,
            path: path.into(),
            precision: None,
        }
    }

    /// The network at a path, whose kind its files tell.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let built_in = ALL.iter().find(|&&kind| Self::new(kind, &path).is_built_in());
        Self::new(built_in.copied().unwrap_or_else(|| NetworkKind::of(&path)), path)
    }

    /// What players need to know of its kind.
    pub(crate) const fn form(&self) -> &'static NetworkForm {
        form(self.kind)
    }

    /// True if it is at hand everywhere.
    pub(crate) fn is_built_in(&self) -> bool {
        let names = (self.form().built_in)();
        names.iter().any(|name| self.path.as_os_str() == *name)
    }

    /// Its checkpoint: of a run, the newest one.
    ///
    /// # Errors
    /// If its path is a run that is damaged.
    pub fn checkpoint(&self) -> anyhow::Result<PathBuf> {
        (self.form().checkpoint)(&self.path)
    }

    /// The files that it needs to play, by their names in a folder, if its path is a checkpoint.
    pub(crate) fn files(&self) -> Vec<(&'static str, PathBuf)> {
        (self.form().files)(&self.path)
    }

    /// What is known of it.
    ///
    /// # Errors
    /// If there is no such network.
    pub(crate) fn facts(&self) -> anyhow::Result<NetworkFacts> {
        (self.form().facts)(&self.path)
    }
}
