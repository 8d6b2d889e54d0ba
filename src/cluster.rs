//! The options that name the server of a cluster.

use std::path::PathBuf;

use chase_cluster::Address;

/// Where the server is, and how to log in there.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct LoginArgs {
    /// File with what the server asks for: USER:PASSWORD, a token, the seed of an NKey, or a credentials file
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

    /// The server with this URL.
    pub fn address(&self, url: &str) -> Address {
        Address {
            url: url.to_owned(),
            credentials: self.credentials.clone(),
            authority: self.authority.clone(),
        }
    }
}
