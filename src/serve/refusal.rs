//! Bodies of requests, and error answers.

use std::fmt;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::MAX_BODY;

/// An error answer for the page's user: `{"error": …}` with a suitable status.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    reason: String,
}

/// An object that answers a request.
pub type Answer = Result<Json<Value>, Refusal>;

/// The body of a request.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let Json(body) = Json::from_request(request, state).await?;
        Ok(Self(body))
    }
}

impl Refusal {
    /// A body over the limit.
    pub fn too_large() -> Self {
        let reason = format!("expected a body of at most {MAX_BODY} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    }

    /// The request is malformed or illegal.
    pub fn bad(reason: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, reason)
    }

    /// Something does not exist.
    pub fn missing(reason: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, reason)
    }

    /// The server, or a file it reads, is faulty.
    pub fn fault(reason: impl ToString) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }

    /// The server is overloaded.
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

/// Runs work that reads files on a separate thread: the threads that answer requests must not wait for a disk.
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
        let text = rejection.body_text();
        // After what the library says of the body.
        let fault = text.split_once(": ").map_or(&*text, |(_, fault)| fault);
        let reason = match &rejection {
            JsonRejection::JsonSyntaxError(_) => format!("the body is not valid JSON: {fault}"),
            JsonRejection::JsonDataError(_) => format!("the body is not such a request: {fault}"),
            JsonRejection::MissingJsonContentType(_) => "expected the header Content-Type: application/json".to_owned(),
            _ if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => return Self::too_large(),
            _ => text,
        };
        Self::new(rejection.status(), reason)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.reason }))).into_response()
    }
}
