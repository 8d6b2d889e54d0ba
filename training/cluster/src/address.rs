//! The server of a cluster, and who may use it.

use std::fs;
use std::path::{Path, PathBuf};

use async_nats::{ConnectOptions, ServerAddr};
use chase_training::store::files;

use crate::error::ClusterError;

/// A server of NATS with JetStream.
#[derive(Clone, Debug, Default)]
pub struct Address {
    /// Its URL: `nats://HOST:PORT`, or `tls://HOST:PORT` to refuse a connection that is not encrypted.
    pub url: String,
    /// A file with what the server asks for: `USER:PASSWORD`, a token, the seed of an NKey, or the credentials file
    /// that `nsc` writes. (In the URL it would be seen in lists of processes, and in the provenance of runs.)
    pub credentials: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's, if the system does not know it.
    pub authority: Option<PathBuf>,
}

impl Address {
    /// A server that lets everyone in.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            ..Self::default()
        }
    }

    /// The parsed URL.
    pub(crate) fn server(&self) -> Result<ServerAddr, ClusterError> {
        let fault = |address: &str, reason: String| ClusterError::Address {
            address: address.to_owned(),
            reason,
        };
        let server: ServerAddr = self
            .url
            .parse()
            .map_err(|error: std::io::Error| fault(&self.url, error.to_string()))?;
        if server.username().is_some() || server.password().is_some() {
            // Without repeating it.
            let reason = "it names a user; put USER:PASSWORD into a file, and name that with --credentials".into();
            return Err(fault("USER:PASSWORD@HOST", reason));
        }
        if !["nats", "tls"].contains(&server.scheme()) || server.host().is_empty() {
            return Err(fault(&self.url, "unknown scheme, or no host".into()));
        }
        Ok(server)
    }

    /// Options of a connection, with what the files say.
    pub(crate) fn options(&self) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new();
        if let Some(path) = &self.authority {
            // The client would only complain while it connects.
            read(path)?;
            options = options.add_root_certificates(path.clone());
        }
        let Some(path) = &self.credentials else {
            return Ok(options);
        };
        let text = read(path)?;
        let secret = files::without_mark(&text).trim();
        if secret.contains("BEGIN NATS USER JWT") {
            return options
                .credentials(secret)
                .map_err(|error| ClusterError::file(path, error));
        }
        Ok(match secret.split_once(':') {
            Some((user, password)) => options.user_and_password(user.to_owned(), password.to_owned()),
            None if secret.starts_with("SU") => options.nkey(secret.to_owned()),
            None if secret.is_empty() => return Err(ClusterError::file(path, "it is empty")),
            None => options.token(secret.to_owned()),
        })
    }
}

fn read(path: &Path) -> Result<String, ClusterError> {
    fs::read_to_string(path).map_err(|error| ClusterError::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_or_explained_without_their_secrets() {
        let of = |url: &str| Address::new(url);
        for url in [
            "nats://host",
            "nats://host:4222",
            "tls://10.0.0.1:4222",
            "nats://[::1]:4222",
        ] {
            assert!(of(url).server().is_ok(), "{url}");
        }
        for (url, reason) in [
            ("ws://host", "unknown scheme"),
            ("nats://user:secret@host", "put USER:PASSWORD into a file"),
            ("nats://host:port", "expected one such as nats://host:4222"),
        ] {
            let message = of(url)
                .server()
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(
                message.contains(reason) && !message.contains("secret"),
                "{url}: {message}"
            );
        }
    }
}
