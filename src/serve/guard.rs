//! Access to the server: requests that other sites make browsers send are refused.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// The page loads nothing from elsewhere, cannot be framed by other sites, and runs only its own script files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      frame-ancestors 'none'; form-action 'none'; base-uri 'none'";

/// Refuses requests that other sites' pages make browsers send.
///
/// Any page on the internet can make a browser send requests to this machine. Its own address is in `Origin`, or, if
/// its name resolves to this machine, in `Host`: both must be ours.
#[derive(Debug)]
pub struct Guard {
    /// `host:port` of this machine, as browsers write it.
    own: Vec<String>,
    /// Further names. A proxy in front of this server has a port of its own, and may serve them by https.
    allowed: Vec<String>,
}

impl Guard {
    pub fn new(address: SocketAddr, allowed: &[String]) -> Self {
        let port = address.port();
        let mut own = vec![address.to_string()];
        own.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        if port == 80 {
            // Browsers leave it out.
            let without: Vec<String> = own.iter().map(|own| name(own).to_owned()).collect();
            own.extend(without);
        }
        let allowed = allowed.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { own, allowed }
    }

    fn is_allowed(&self, authority: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed == name(authority))
    }

    fn is_ours(&self, authority: &str) -> bool {
        self.own.iter().any(|own| own == authority) || self.is_allowed(authority)
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        if !only(headers, HOST)?.is_some_and(|host| self.is_ours(&host)) {
            return Err("the Host of the request is not a name of this server; --allow-host adds one");
        }
        let Some(origin) = only(headers, ORIGIN)? else {
            return Ok(());
        };
        let is_ours = match origin.split_once("://") {
            Some(("http", authority)) => self.is_ours(authority),
            Some(("https", authority)) => self.is_allowed(authority),
            _ => false,
        };
        is_ours
            .then_some(())
            .ok_or("the request comes from another site's page")
    }
}

/// The host without its port.
fn name(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

/// The value of a header in lower case. With two values it would be unclear which one counts.
fn only(headers: &HeaderMap, header: HeaderName) -> Result<Option<String>, &'static str> {
    let mut values = headers.get_all(header).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => Ok(Some(String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase())),
        _ => Err("the request has its Host or its Origin twice"),
    }
}

/// A body of more bytes is refused by its announced length: a client that sends none of it would keep a reader waiting.
/// A smaller one is read up to the limit, since a client that is still sending would not see the answer.
const REFUSED_UNREAD: u64 = 64 << 20;

/// What browsers may do with any answer. Nothing is kept, since the next program on this port may have different files.
const HEADERS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// The outermost layer: checks a request, and says what browsers may do with the answer. Not a layer of `tower-http`:
/// its limit answers in plain text, which would have to be made a [`Refusal`], and it has no check of hosts.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let response = match guard.check(request.headers()) {
        Ok(()) if request.body().size_hint().lower() > REFUSED_UNREAD => Refusal::too_large().into_response(),
        Ok(()) => next.run(request).await,
        Err(reason) => Refusal::new(StatusCode::FORBIDDEN, reason).into_response(),
    };
    let mut response = (HEADERS, response).into_response();
    // Reports have a policy of their own.
    let policy = response.headers_mut().entry(CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static(POLICY));
    response
}
