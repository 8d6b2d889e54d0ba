//! Answers that say no.

use std::fmt;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An error answer for the person at the page: `{"error": …}` with a status that fits.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    reason: String,
}

#[derive(Serialize)]
struct Body {
    error: String,
}

impl Refusal {
    /// The request is no sense, or not legal.
    pub fn bad(reason: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, reason)
    }

    /// There is no such thing.
    pub fn missing(reason: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, reason)
    }

    /// The server, or a file it reads, is at fault.
    pub fn fault(reason: impl ToString) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }

    /// Too much is going on.
    pub fn busy(reason: impl ToString) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    pub fn new(status: StatusCode, reason: impl ToString) -> Self {
        Self {
            status,
            reason: reason.to_string(),
        }
    }
}

/// Does what reads files on a thread of its own: those that answer requests must not wait for a disk.
///
/// # Errors
/// As `work`.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(Refusal::fault)?
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(Body { error: self.reason })).into_response()
    }
}
