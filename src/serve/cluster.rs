//! The server that workers and runs share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use chase_cluster::{Address, Status};

use super::Server;
use super::refusal::{Refusal, aside};

/// Time for which an answer is given again: no number of pages asks the server more often.
const AGAIN: Duration = Duration::from_secs(2);

/// A cluster that pages look at.
#[derive(Debug)]
pub struct Watched {
    address: Address,
    last: Mutex<Option<(Instant, Status)>>,
}

impl Watched {
    pub fn new(address: Address) -> Self {
        Self {
            address,
            last: Mutex::default(),
        }
    }

    fn status(&self) -> Result<Status, Refusal> {
        // Others wait meanwhile for the same answer.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, status)) = &*last
            && asked.elapsed() < AGAIN
        {
            return Ok(status.clone());
        }
        let status = Status::of(&self.address).map_err(Refusal::fault)?;
        *last = Some((Instant::now(), status.clone()));
        Ok(status)
    }
}

/// `GET /api/cluster`
pub async fn status(State(server): State<Server>) -> Result<Json<Status>, Refusal> {
    status_of(&server).await.map(Json)
}

/// The present status of the cluster that this server was told of.
pub async fn status_of(server: &Server) -> Result<Status, Refusal> {
    let Some(cluster) = server.cluster.clone() else {
        return Err(Refusal::missing("no cluster was named when this server was started"));
    };
    let cluster: Arc<Watched> = cluster;
    aside(move || cluster.status()).await
}
