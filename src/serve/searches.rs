//! Scheduling of searches, by page and purpose.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;

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

/// Most searches in the queue; more are refused.
const QUEUE: usize = 64;

/// The purpose of a page's search. Its opponent continues to think while it analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchPurpose {
    /// A move to play.
    Play,
    /// An evaluation.
    Analysis,
}

/// Shares the cores among the pages: a limited number of searches run, the others wait in a queue, and each page has
/// one for each purpose, where a newer search ends the older one.
#[derive(Debug)]
pub struct Searches {
    turns: Arc<Semaphore>,
    queue: Semaphore,
    /// The flags that end the searches of pages.
    clients: Mutex<HashMap<(Client, SearchPurpose), Arc<AtomicBool>>>,
}

/// Permission to search, until dropped.
#[derive(Debug)]
pub struct SearchTurn {
    searches: Arc<Searches>,
    client: (Client, SearchPurpose),
    cancelled: Arc<AtomicBool>,
    permit: Option<OwnedSemaphorePermit>,
}

impl SearchTurn {
    /// Set once the page has started another search.
    pub fn cancelled(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// True if the page has started another search since.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// # Errors
    /// If the page has started another search since.
    pub fn refuse_if_replaced(&self) -> Result<(), Refusal> {
        match self.is_cancelled() {
            true => {
                let reason = "a newer search of this page has taken its place";
                Err(Refusal::new(StatusCode::CONFLICT, reason))
            }
            false => Ok(()),
        }
    }
}

impl Drop for SearchTurn {
    fn drop(&mut self) {
        let mut clients = self.searches.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients
            .get(&self.client)
            .is_some_and(|newest| Arc::ptr_eq(newest, &self.cancelled))
        {
            clients.remove(&self.client);
        }
    }
}

impl Searches {
    pub fn new(turns: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(turns)),
            queue: Semaphore::new(QUEUE),
            clients: Mutex::default(),
        }
    }

    /// Ends the page's current search for this purpose, and waits for its turn.
    ///
    /// # Errors
    /// If the queue is full, or the page has started yet another search meanwhile.
    pub async fn begin(self: &Arc<Self>, client: Client, purpose: SearchPurpose) -> Result<SearchTurn, Refusal> {
        let busy = || Refusal::busy("too many searches are waiting; try again later");
        let place = self.queue.try_acquire().map_err(|_| busy())?;
        let client = (client, purpose);
        let mut turn = SearchTurn {
            searches: Arc::clone(self),
            client: client.clone(),
            cancelled: Arc::default(),
            permit: None,
        };
        {
            let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(older) = clients.insert(client, Arc::clone(&turn.cancelled)) {
                older.store(true, Ordering::Relaxed);
            }
        }
        turn.permit = Some(Arc::clone(&self.turns).acquire_owned().await.map_err(|_| busy())?);
        drop(place);
        turn.refuse_if_replaced()?;
        Ok(turn)
    }
}
