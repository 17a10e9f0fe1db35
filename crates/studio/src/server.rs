//! The server behind the page: for this machine only, and only for who has the address.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
#[expect(clippy::disallowed_types, reason = "an answer sharpens for as long as a person cares to wait")]
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use grognard_lab::progress::Stop;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::{Ask, Fault, Studio};

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/studio.css");
const SCRIPT: &str = include_str!("page/studio.js");

/// Pages that are answered at the same time; each answer uses all threads of the study.
const WORKERS: usize = 4;

/// The largest question, in bytes.
const ASK_MAX: usize = 64 << 10;

/// How long an answer gets sharper.
const SHARPENS: Duration = Duration::from_secs(2);

/// How often the server looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// What the page may load: its own script and style from this server, and a battle in a frame.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the page of a battle may do: run what it carries, in an origin of its own, and reach nothing.
const BATTLE_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
    img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken, or may not be used.
    #[error("cannot listen on 127.0.0.1: {0}")]
    Listen(io::Error),
    /// It could not be started, or broke off.
    #[error("the server stopped: {0}")]
    Served(io::Error),
}

/// Where the page can be had: a port of this machine, and a token without which nothing is answered.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
}

impl Door {
    /// Opens a port, any free one if it is 0.
    ///
    /// # Errors
    /// It cannot be had.
    pub fn open(port: u16, token: u128) -> Result<Self, ServeError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(ServeError::Listen)?;
        listener.set_nonblocking(true).map_err(ServeError::Listen)?;
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        Ok(Self { listener, address, token: format!("{token:032x}") })
    }

    /// The page's address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }
}

/// A question on its way to a worker.
enum Job {
    Ask { ask: Ask, reply: mpsc::Sender<Result<String, Fault>> },
    Battle { ask: Ask, cell: usize, battle: u64, reply: mpsc::Sender<Result<String, Fault>> },
}

/// What the handlers share.
#[derive(Clone)]
struct Shared {
    jobs: Sender<Job>,
    sheet: Arc<str>,
    /// `127.0.0.1:PORT`.
    host: Arc<str>,
}

/// Serves the page until `stop` is raised.
///
/// # Errors
/// The server cannot be started, or breaks off.
pub fn serve(studio: &Studio<'_>, door: Door, stop: &Stop) -> Result<(), ServeError> {
    let (jobs, queue) = channel();
    let queue = Mutex::new(queue);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| work(studio, &queue, stop));
        }
        let shared = Shared { jobs, sheet: studio.sheet().json().into(), host: door.address.to_string().into() };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(ServeError::Served)?;
        let served = runtime.block_on(listen(door, shared, stop));
        // Whoever still waits for an answer is let go: the workers see it, and end.
        runtime.shutdown_background();
        served.map_err(ServeError::Served)
    })
}

async fn listen(door: Door, shared: Shared, stop: &Stop) -> io::Result<()> {
    let pages = Router::new()
        .route("/studio.css", get(|| async { page("text/css; charset=utf-8", STYLE) }))
        .route("/studio.js", get(|| async { page("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/sheet", get(sheet))
        .route("/ask", post(ask))
        .route("/battle", get(battle))
        .with_state(shared.clone());
    let app = Router::new()
        .nest(&format!("/{}", door.token), pages)
        .route(&format!("/{}/", door.token), get(|| async { page("text/html; charset=utf-8", PAGE) }))
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(DefaultBodyLimit::max(ASK_MAX))
        .layer(from_fn_with_state(shared, guard));
    let listener = tokio::net::TcpListener::from_std(door.listener)?;
    let server = std::future::IntoFuture::into_future(axum::serve(listener, app));
    let stopped = async {
        while !stop.is_raised() {
            tokio::time::sleep(LOOK).await;
        }
    };
    // An answer that is still on its way does not keep the server from ending.
    let (mut server, mut stopped) = (std::pin::pin!(server), std::pin::pin!(stopped));
    std::future::poll_fn(|context| {
        if stopped.as_mut().poll(context).is_ready() {
            return std::task::Poll::Ready(Ok(()));
        }
        server.as_mut().poll(context)
    })
    .await
}

/// Answers what comes, one after the other.
fn work(studio: &Studio<'_>, queue: &Mutex<Receiver<Job>>, stop: &Stop) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Err(_) => return,
            Ok(Job::Ask { ask, reply }) => {
                let over = until(SHARPENS);
                // A page that moved on has closed its end.
                let wanted = || !reply.is_closed() && !stop.is_raised() && !over();
                let told = studio.answer(&ask, &wanted, &mut |line| _ = reply.blocking_send(Ok(line)));
                if let Err(fault) = told {
                    let _ = reply.blocking_send(Err(fault));
                }
            }
            Ok(Job::Battle { ask, cell, battle, reply }) => {
                let _ = reply.blocking_send(studio.battle(&ask, cell, battle));
            }
        }
    }
}

/// Whether so much time has passed by then.
#[expect(clippy::disallowed_types, reason = "see the import")]
fn until(time: Duration) -> impl Fn() -> bool {
    let started = Instant::now();
    move || started.elapsed() >= time
}

/// Lets in only requests to this machine's own name that come from the page itself: a page of another site cannot ask, not even under
/// a name that it has made to point here.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let own_host = text(header::HOST) == Some(&shared.host);
    let own_origin = match headers.get(header::ORIGIN) {
        None => request.method() != Method::POST,
        Some(_) => text(header::ORIGIN) == Some(&format!("http://{}", shared.host)),
    };
    if !own_host || !own_origin {
        return refusal(StatusCode::FORBIDDEN, "this page answers itself alone");
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(PAGE_POLICY));
    response
}

fn page(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// A refusal, in the form in which the page shows messages.
fn refusal(status: StatusCode, message: &str) -> Response {
    refused(status, &Fault::new(message))
}

fn refused(status: StatusCode, fault: &Fault) -> Response {
    let json = serde_json::to_string(fault).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
}

async fn sheet(State(shared): State<Shared>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], shared.sheet.to_string()).into_response()
}

fn read(json: &[u8]) -> Result<Ask, Fault> {
    serde_json::from_slice(json).map_err(|error| Fault::new(format!("this is no question: {error}")))
}

async fn ask(State(shared): State<Shared>, body: Bytes) -> Response {
    let ask = match read(&body) {
        Ok(ask) => ask,
        Err(fault) => return refused(StatusCode::BAD_REQUEST, &fault),
    };
    let (reply, mut lines) = mpsc::channel(1);
    if shared.jobs.send(Job::Ask { ask, reply }).is_err() {
        return ending();
    }
    match lines.recv().await {
        None => ending(),
        Some(Err(fault)) => refused(StatusCode::UNPROCESSABLE_ENTITY, &fault),
        Some(Ok(first)) => {
            // If the page closes the stream, its end of the channel goes with it.
            let rest = ReceiverStream::new(lines).map_while(Result::ok);
            let body = Body::from_stream(tokio_stream::once(first).chain(rest).map(Ok::<_, Infallible>));
            ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
        }
    }
}

/// Which battle is to be drawn: `ask` as JSON, so that a link holds the changes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    #[serde(default)]
    ask: String,
    cell: usize,
    battle: u64,
}

async fn battle(State(shared): State<Shared>, Query(wanted): Query<Wanted>) -> Response {
    let ask = match wanted.ask.as_str() {
        "" => Ask::default(),
        json => match read(json.as_bytes()) {
            Ok(ask) => ask,
            Err(fault) => return refused(StatusCode::BAD_REQUEST, &fault),
        },
    };
    let (reply, mut pages) = mpsc::channel(1);
    if shared.jobs.send(Job::Battle { ask, cell: wanted.cell, battle: wanted.battle, reply }).is_err() {
        return ending();
    }
    match pages.recv().await {
        None => ending(),
        Some(Err(fault)) => refused(StatusCode::UNPROCESSABLE_ENTITY, &fault),
        Some(Ok(page)) => {
            let headers =
                [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, BATTLE_POLICY)];
            (headers, page).into_response()
        }
    }
}

fn ending() -> Response {
    refusal(StatusCode::SERVICE_UNAVAILABLE, "the studio is closing")
}
