//! The files of the page, which are part of the program.

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// Name, type and content of each file of the folder `assets`, as `build.rs` lists them.
static ASSETS: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// `GET /`
pub async fn page() -> Result<Response, Refusal> {
    asset(Path("index.html".to_owned())).await
}

/// `GET /assets/{name}`
pub async fn asset(Path(name): Path<String>) -> Result<Response, Refusal> {
    let file = ASSETS.iter().find(|(known, ..)| *known == name);
    let &(_, kind, content) = file.ok_or_else(|| Refusal::missing("there is no such file"))?;
    Ok(([(CONTENT_TYPE, kind)], content).into_response())
}

/// Everything else.
pub async fn nothing() -> Refusal {
    Refusal::missing("there is nothing here")
}
