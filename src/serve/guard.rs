//! Access to the server, and its limits.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_stream::StreamExt;

use super::MAX_BODY;
use super::refusal::Refusal;

/// Most requests that are answered at the same time; more are refused.
const IN_FLIGHT: usize = 256;
/// Most bytes of an oversized body that are received and discarded.
const MOST_FORGOTTEN: u64 = 16 << 20;
/// Time limit for the body of a request to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// The page loads nothing from elsewhere, cannot be framed by other sites, and runs only its own script files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      frame-ancestors 'none'; form-action 'none'; base-uri 'none'";

/// Refuses requests that other sites' pages make browsers send.
///
/// Any page on the internet can make a browser send requests to this machine. Its own address is in `Origin`, or, if
/// its name resolves to this machine, in `Host`: both must be ours.
#[derive(Debug)]
pub struct Guard {
    /// `host:port`, as browsers write it.
    authorities: Vec<String>,
    in_flight: Semaphore,
}

impl Guard {
    pub fn new(address: SocketAddr, names: &[String]) -> Self {
        let port = address.port();
        let mut authorities = vec![address.to_string()];
        let loopback = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        for name in loopback.iter().chain(names) {
            let name = name.to_ascii_lowercase();
            // Browsers leave out port 80.
            if port == 80 {
                authorities.push(name.clone());
            }
            authorities.push(format!("{name}:{port}"));
        }
        Self {
            authorities,
            in_flight: Semaphore::new(IN_FLIGHT),
        }
    }

    fn is_ours(&self, authority: &str) -> bool {
        self.authorities.iter().any(|ours| ours.eq_ignore_ascii_case(authority))
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        // With two of them it would be unclear which one counts.
        let only = |name| {
            let mut values = headers.get_all(name).iter();
            match (values.next(), values.next()) {
                (value, None) => Ok(value.map(HeaderValue::to_str)),
                _ => Err("the request has its Host or its Origin twice"),
            }
        };
        if !matches!(only(HOST)?, Some(Ok(host)) if self.is_ours(host)) {
            return Err("the Host of the request is not a name of this server; --allow-host adds one");
        }
        match only(ORIGIN)? {
            None => Ok(()),
            Some(Ok(origin))
                if origin
                    .strip_prefix("http://")
                    .is_some_and(|origin| self.is_ours(origin)) =>
            {
                Ok(())
            }
            Some(_) => Err("the request comes from another site's page"),
        }
    }
}

/// The outermost layer: checks a request, receives its body, and passes it on.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&guard, request).await {
        // The permit is held until the answer begins; streams have separate limits.
        Ok((request, _permit)) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // The next program on this port may have different files.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn admit(guard: &Guard, request: Request) -> Result<(Request, SemaphorePermit<'_>), Refusal> {
    guard
        .check(request.headers())
        .map_err(|reason| Refusal::new(StatusCode::FORBIDDEN, reason))?;
    let (parts, body) = request.into_parts();
    let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time");
    let bytes = tokio::time::timeout(ARRIVAL, receive(body)).await.map_err(late)??;
    // After the body has arrived: a slow sender must not block others.
    let busy = |_| Refusal::busy("too many requests at the same time");
    let permit = guard.in_flight.try_acquire().map_err(busy)?;
    Ok((Request::from_parts(parts, Body::from(bytes)), permit))
}

/// Receives the whole body. One that is too long is received nevertheless, within bounds, and discarded: a sender that
/// is cut off may not read the error.
async fn receive(body: Body) -> Result<Vec<u8>, Refusal> {
    let too_large = || {
        let reason = format!("expected a body of at most {MAX_BODY} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    };
    if body.size_hint().lower() > MOST_FORGOTTEN {
        return Err(too_large());
    }
    let mut pieces = body.into_data_stream();
    let (mut bytes, mut received) = (Vec::new(), 0);
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))?;
        received += piece.len() as u64;
        if received <= MAX_BODY as u64 {
            bytes.extend_from_slice(&piece);
        } else if received > MOST_FORGOTTEN {
            break;
        }
    }
    if received > MAX_BODY as u64 {
        return Err(too_large());
    }
    Ok(bytes)
}
