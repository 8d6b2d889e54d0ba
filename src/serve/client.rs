//! The client that sent a request.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

/// An open page: its address, and the name by which it is distinguished from others there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    address: IpAddr,
    name: String,
}

/// Longer names are cut, since they are kept in memory.
const LONGEST_NAME: usize = 40;

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let address = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let name = parts.headers.get("x-chase-client").and_then(|name| name.to_str().ok());
        Ok(Self {
            address: address.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |address| address.0.ip()),
            name: name.unwrap_or_default().chars().take(LONGEST_NAME).collect(),
        })
    }
}
