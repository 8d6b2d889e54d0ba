//! The options that name the server of a cluster.

use std::path::PathBuf;

use chase_cluster::{Address, Cluster, cluster};

use crate::cli;

/// Where the server is, and how to log in there.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct LoginArgs {
    /// File with the login for the server: USER:PASSWORD, a token, the seed of an NKey, or a credentials file
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// File with the certificate of the authority that signed the server's certificate [default: those of the system]
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,
}

impl LoginArgs {
    /// The cluster that is named, if one is.
    ///
    /// # Errors
    /// If none is, and something of its login is given.
    pub fn of_cluster(&self, url: Option<&str>) -> anyhow::Result<Option<Address>> {
        if url.is_none() && (self.credentials.is_some() || self.authority.is_some()) {
            anyhow::bail!(
                "--credentials and --authority are for the server of a cluster; name it with --cluster SERVER"
            );
        }
        Ok(url.map(|url| self.address(url)))
    }

    /// The options as they are typed, for the next command.
    pub fn words(&self) -> String {
        let files = [("--credentials", &self.credentials), ("--authority", &self.authority)];
        let word = |(option, file): (_, &Option<PathBuf>)| {
            let file = file.as_ref()?;
            Some(format!(" {option} {}", cli::shell_word(file.display())))
        };
        files.into_iter().filter_map(word).collect()
    }

    /// The server with this URL.
    pub fn address(&self, url: &str) -> Address {
        Address {
            url: url.to_owned(),
            credentials: self.credentials.clone(),
            authority: self.authority.clone(),
        }
    }
}

/// The options of commands whose games other machines can play.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct ClusterArgs {
    /// Let the workers (`chase worker`) on this NATS server with JetStream, such as nats://HOST:4222, do the work. The
    /// result is the same, byte for byte, only sooner
    #[arg(long, value_name = "SERVER")]
    cluster: Option<String>,
    #[command(flatten)]
    login: LoginArgs,
    /// Also accept workers whose processor, precision or version differs: their games are as good, but cannot be
    /// repeated exactly. cluster.json in the directory records that
    #[arg(long, requires = "cluster")]
    mixed: bool,
    /// Most GiB that a run may store on the server: the networks that play, and the games that are not final yet
    #[arg(long, value_name = "GIB", requires = "cluster", default_value_t = default_space(), value_parser = cli::whole::<u32>(1..=u32::MAX))]
    cluster_space: u32,
}

/// The usual space, in GiB.
fn default_space() -> u32 {
    u32::try_from(cluster::Options::default().most_bytes >> 30).unwrap_or(1)
}

impl ClusterArgs {
    /// Connects to the server, if one is named.
    pub fn connect(&self) -> anyhow::Result<Option<Cluster>> {
        let Some(address) = self.login.of_cluster(self.cluster.as_deref())? else {
            return Ok(None);
        };
        let options = cluster::Options {
            mixed: self.mixed,
            most_bytes: i64::from(self.cluster_space) << 30,
            ..cluster::Options::default()
        };
        Ok(Some(Cluster::connect(&address, options)?))
    }

    /// The options as they are typed, for the command that continues.
    pub fn words(&self) -> String {
        let Some(server) = &self.cluster else {
            return String::new();
        };
        let mut words = format!(" --cluster {}{}", cli::shell_word(server), self.login.words());
        if self.mixed {
            words += " --mixed";
        }
        if self.cluster_space != default_space() {
            words += &format!(" --cluster-space {}", self.cluster_space);
        }
        words
    }
}
