//! Connections: their maximum number, and time limits for idle ones.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep};

/// Most connections at the same time; others wait until one ends.
const MOST: usize = 512;
/// Time limit for the head of a request, counted from the end of the previous one.
const HEAD: Duration = Duration::from_secs(10);
/// Most headers of a request; browsers send some 20.
const HEADERS: usize = 64;
/// Most bytes of the head of a request.
const HEAD_BYTES: usize = 32 * 1024;
/// Time limit for a reader of an answer to continue.
const UNREAD: Duration = Duration::from_secs(30);
/// Pause between attempts to accept a connection when the system has no descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers the requests of all connections. Never ends.
pub async fn serve(listener: TcpListener, app: Router) {
    let places = Arc::new(Semaphore::new(most()));
    let app = TowerToHyperService::new(app);
    loop {
        // Before the connection is accepted: a connection that waits in the system takes no descriptor.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, address)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let app = app.clone();
        let answer = move |request: hyper::Request<Incoming>| {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            Service::<Request>::call(&app, request)
        };
        tokio::spawn(async move {
            let stream = TokioIo::new(Patient::new(stream, UNREAD));
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD);
            http.max_headers(HEADERS).max_buf_size(HEAD_BYTES);
            // A broken connection is the client's problem.
            let _ = http.serve_connection(stream, service_fn(answer)).await;
            drop(place);
        });
    }
}

/// At most half of the descriptors: the rest is for files.
fn most() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current;
    descriptors.map_or(MOST, |descriptors| MOST.min(descriptors as usize / 2).max(1))
}

/// A connection that ends if its output is not read.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Runs while the output is blocked.
    unread: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    const fn new(stream: TcpStream, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            unread: None,
        }
    }

    fn within_time<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let written = write(Pin::new(&mut self.stream), context);
        if written.is_ready() {
            self.unread = None;
            return written;
        }
        let unread = self.unread.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        let timed_out = unread.as_mut().poll(context);
        timed_out.map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        self.within_time(context, |stream, context| stream.poll_write(context, buffer))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.within_time(context, |stream, context| stream.poll_write_vectored(context, buffers))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.within_time(context, |stream, context| stream.poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.within_time(context, |stream, context| stream.poll_shutdown(context))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::future::poll_fn;

    use super::*;

    #[test]
    fn what_is_not_read_ends_a_connection() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let reader = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let mut writer = Patient::new(stream, Duration::from_millis(50));
            let write = async {
                loop {
                    let piece = poll_fn(|context| Pin::new(&mut writer).poll_write(context, &[0; 1 << 16]));
                    if let Err(error) = piece.await {
                        break error.kind();
                    }
                }
            };
            let ended = tokio::time::timeout(Duration::from_secs(600), write).await;
            assert_eq!(ended.unwrap(), ErrorKind::TimedOut);
            drop(reader);
        });
    }
}
