//! Who may talk to the server, and how much at a time.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use super::MAX_BODY;
use super::refusal::Refusal;

/// Requests that are answered at the same time; more are turned away.
const IN_FLIGHT: usize = 256;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// The page loads nothing from elsewhere, is in nobody's frame, and runs no script that is not a file of its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      frame-ancestors 'none'; form-action 'none'; base-uri 'none'";

/// Turns away browsers that were sent by other pages.
///
/// Any page on the internet can make a browser send requests to this machine. Its own address is in `Origin`, or, if it
/// let its name point to this machine, in `Host`: both must be ours.
#[derive(Debug)]
pub struct Guard {
    /// `host:port` as browsers write it.
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
            // Port 80 is left out by browsers.
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
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        if !host.is_some_and(|host| self.is_ours(host)) {
            return Err("the Host of the request is not a name of this server; --allow-host adds one");
        }
        match headers.get(ORIGIN).map(HeaderValue::to_str) {
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

/// The outermost layer: checks a request, receives all of it, and passes it on.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&guard, request).await {
        // The permit is held until the answer begins; what streams after that has limits of its own.
        Ok((request, _permit)) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // The next program on this port may have other files.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn admit(guard: &Guard, request: Request) -> Result<(Request, tokio::sync::SemaphorePermit<'_>), Refusal> {
    guard
        .check(request.headers())
        .map_err(|reason| Refusal::new(StatusCode::FORBIDDEN, reason))?;
    let busy = |_| Refusal::busy("too many requests at the same time");
    let permit = guard.in_flight.try_acquire().map_err(busy)?;
    let (parts, body) = request.into_parts();
    let too_large = || {
        let reason = format!("expected a body of at most {MAX_BODY} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    };
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_large());
    }
    let bytes = tokio::time::timeout(ARRIVAL, to_bytes(body, MAX_BODY)).await;
    let bytes = bytes
        .map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time"))?
        .map_err(|_| too_large())?;
    Ok((Request::from_parts(parts, Body::from(bytes)), permit))
}
