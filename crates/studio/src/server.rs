//! The server behind the page. It answers only this machine, and only those who have the address.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use grognard_lab::progress::{Stop, within};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::desk::{Desk, Unsaved};
use crate::publish::{Published, PublishedChart};
use crate::task::Task;
use crate::{Ask, Fault, Studio};

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/studio.css");
const SCRIPT: &str = include_str!("page/studio.js");
const CARRIER: &str = include_str!("page/carrier.js");
const PARTS: &str = include_str!("page/parts.js");
const JUDGED: &str = include_str!("page/judged.js");
const PUBLISH: &str = include_str!("page/publish.js");
const WRITE: &str = include_str!("page/write.js");

/// Maximum number of pages that are answered at the same time. Each answer uses all of the study's threads.
const WORKERS: usize = 4;

/// Maximum size of a question, in bytes.
const ASK_MAX: usize = 64 << 10;

/// Maximum size of a task, in bytes: a file, with its quotes and line endings escaped.
const TASK_MAX: usize = 4 << 20;

/// Number of reports that are kept.
const REPORTS: usize = 4;

/// How long an answer keeps getting more precise.
const SHARPENS: Duration = Duration::from_secs(2);

/// How long the page has to draw the first line of an answer before more battles are fought. On two cores, these would
/// delay the drawing.
const DRAWS: Duration = Duration::from_millis(40);

/// How often the server checks whether the page is still waiting for an answer.
const GLANCE: Duration = Duration::from_millis(2);

/// How long into an answer exact odds are computed.
const SOLVES: Duration = Duration::from_secs(6);

/// How long the solver looks for a battle's best play. After that, the battle's choices are judged by fighting.
const JUDGES: Duration = Duration::from_secs(5);

/// How often the server checks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The resources that the page may load: its own script and style from this server, and a battle in a frame.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The permissions of a battle's page and of a report: they may run the scripts that they contain, in a separate
/// origin, but load nothing.
const ENCLOSED_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
    img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Reasons why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken, or may not be used.
    #[error("cannot listen on 127.0.0.1: {0}")]
    Listen(io::Error),
    /// The server could not be started, or it failed.
    #[error("the server stopped: {0}")]
    Served(io::Error),
}

/// The address of the page: a port of this machine, and a token without which no request is answered.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    /// The number of times that the page was served.
    served: AtomicU32,
}

/// Reasons why the page is no longer served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The caller asked it to stop.
    Stopped,
    /// A page asks for the files as they are on disk now.
    Reopen,
}

impl Door {
    /// Opens a port; 0 means any free one.
    ///
    /// # Errors
    /// The port is not available.
    pub fn open(port: u16, token: u128) -> Result<Self, ServeError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(ServeError::Listen)?;
        listener.set_nonblocking(true).map_err(ServeError::Listen)?;
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        Ok(Self { listener, address, token: format!("{token:032x}"), served: AtomicU32::new(0) })
    }

    /// The page's address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }
}

/// A question for a worker.
enum Job {
    Ask { ask: Ask, reply: mpsc::Sender<Result<String, Fault>> },
    Battle { ask: Ask, cell: usize, battle: u64, reply: mpsc::Sender<Result<String, Fault>> },
    Odd { ask: Ask, cell: usize, reply: mpsc::Sender<Result<String, Fault>> },
    Judge { ask: Ask, cell: usize, battle: u64, reply: mpsc::Sender<Result<String, Fault>> },
    Publish { ask: Ask, battles: u64, reply: mpsc::Sender<Result<String, Fault>> },
}

/// The last reports, by number: a page opens one of them, or takes its charts.
#[derive(Default)]
struct Shelf {
    made: u32,
    reports: VecDeque<(u32, Arc<Published>)>,
}

impl Shelf {
    fn put(&mut self, report: Published) -> (u32, Arc<Published>) {
        self.made += 1;
        let kept = (self.made, Arc::new(report));
        self.reports.push_back(kept.clone());
        if self.reports.len() > REPORTS {
            self.reports.pop_front();
        }
        kept
    }

    fn get(&self, number: u32) -> Option<Arc<Published>> {
        self.reports.iter().find(|(own, _)| *own == number).map(|(_, report)| Arc::clone(report))
    }
}

/// A task for the thread that carries out tasks.
struct Errand {
    task: Task,
    reply: oneshot::Sender<Result<serde_json::Value, Unsaved>>,
}

/// The state shared by the handlers.
#[derive(Clone)]
struct Shared {
    jobs: Sender<Job>,
    errands: Sender<Errand>,
    sheet: Arc<str>,
    shelf: Arc<Mutex<Shelf>>,
    /// The number of times the files were opened.
    opened: u32,
    /// Whether they should be opened again.
    reopen: Arc<AtomicBool>,
    /// `127.0.0.1:PORT`.
    host: Arc<str>,
}

/// Serves the page until `stop` is raised, or a page asks for the files as they are on disk now. In the second case, it
/// should be served again with the same door.
///
/// # Errors
/// The server cannot be started, or fails.
pub fn serve(studio: &Studio<'_>, desk: &Desk, door: &Door, stop: &Stop) -> Result<End, ServeError> {
    let (jobs, queue) = channel();
    let queue = Mutex::new(queue);
    let (errands, tasks) = channel::<Errand>();
    let reopen = Arc::new(AtomicBool::new(false));
    let shelf = Arc::new(Mutex::new(Shelf::default()));
    let over = || stop.is_raised() || reopen.load(Ordering::Relaxed);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| work(studio, desk, &queue, &shelf, &over));
        }
        // Tasks run one after another, so that no file is saved twice at once. They have a separate thread, so that
        // none waits for a question to be answered.
        scope.spawn(move || {
            for Errand { task, reply } in tasks {
                let _ = reply.send(task.carry_out(studio, desk));
            }
        });
        let shared = Shared {
            jobs,
            errands,
            sheet: studio.sheet().json().into(),
            shelf: Arc::clone(&shelf),
            opened: door.served.fetch_add(1, Ordering::Relaxed),
            reopen: Arc::clone(&reopen),
            host: door.address.to_string().into(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(ServeError::Served)?;
        let served = runtime.block_on(listen(door, shared, &over));
        // Requests still waiting for an answer are dropped: the workers notice and stop.
        runtime.shutdown_background();
        served.map_err(ServeError::Served)?;
        Ok(if stop.is_raised() { End::Stopped } else { End::Reopen })
    })
}

async fn listen(door: &Door, shared: Shared, over: &(dyn Fn() -> bool + Sync)) -> io::Result<()> {
    let pages = Router::new()
        .route("/studio.css", get(|| async { page("text/css; charset=utf-8", STYLE) }))
        .route("/studio.js", get(|| async { page("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/carrier.js", get(|| async { page("text/javascript; charset=utf-8", CARRIER) }))
        .route("/parts.js", get(|| async { page("text/javascript; charset=utf-8", PARTS) }))
        .route("/judged.js", get(|| async { page("text/javascript; charset=utf-8", JUDGED) }))
        .route("/publish.js", get(|| async { page("text/javascript; charset=utf-8", PUBLISH) }))
        .route("/write.js", get(|| async { page("text/javascript; charset=utf-8", WRITE) }))
        .route("/sheet", get(sheet))
        .route("/opened", get(opened))
        .route("/task", post(task).layer(DefaultBodyLimit::max(TASK_MAX)))
        .route("/ask", post(ask))
        .route("/battle", get(battle))
        .route("/odd", get(odd))
        .route("/judge", get(judge))
        .route("/publish", post(publish))
        .route("/report", get(report))
        .route("/chart", get(chart))
        .with_state(shared.clone());
    let app = Router::new()
        .nest(&format!("/{}", door.token), pages)
        .route(&format!("/{}/", door.token), get(|| async { page("text/html; charset=utf-8", PAGE) }))
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(DefaultBodyLimit::max(ASK_MAX))
        .layer(from_fn_with_state(shared, guard));
    let listener = tokio::net::TcpListener::from_std(door.listener.try_clone()?)?;
    let server = std::future::IntoFuture::into_future(axum::serve(listener, app));
    let stopped = async {
        while !over() {
            tokio::time::sleep(LOOK).await;
        }
    };
    // An unfinished answer does not keep the server from ending.
    let (mut server, mut stopped) = (std::pin::pin!(server), std::pin::pin!(stopped));
    std::future::poll_fn(|context| {
        if stopped.as_mut().poll(context).is_ready() {
            return std::task::Poll::Ready(Ok(()));
        }
        server.as_mut().poll(context)
    })
    .await
}

/// Answers jobs, one after the other.
fn work(
    studio: &Studio<'_>,
    desk: &Desk,
    queue: &Mutex<Receiver<Job>>,
    shelf: &Mutex<Shelf>,
    over: &(dyn Fn() -> bool + Sync),
) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Err(_) => return,
            Ok(Job::Ask { ask, reply }) => {
                let (sharpens, solves, waits) = (within(SHARPENS), within(SOLVES), || waits(&reply, over));
                let (fights, solves) = (|| waits() && sharpens(), || waits() && solves());
                let mut is_first = true;
                let told = studio.answer(&ask, &fights, &solves, &mut |line| {
                    let _ = reply.blocking_send(Ok(line));
                    if std::mem::take(&mut is_first) {
                        let draws = within(DRAWS);
                        while waits() && draws() {
                            std::thread::sleep(GLANCE);
                        }
                    }
                });
                if let Err(fault) = told {
                    let _ = reply.blocking_send(Err(fault));
                }
            }
            Ok(Job::Battle { ask, cell, battle, reply }) => {
                let _ = reply.blocking_send(studio.battle(&ask, cell, battle));
            }
            Ok(Job::Odd { ask, cell, reply }) => {
                let _ = reply.blocking_send(studio.odd(&ask, cell));
            }
            Ok(Job::Judge { ask, cell, battle, reply }) => {
                let (solves, waits) = (within(JUDGES), || waits(&reply, over));
                let _ = reply.blocking_send(studio.judge(&ask, cell, battle, &|| waits() && solves(), &waits));
            }
            Ok(Job::Publish { ask, battles, reply }) => {
                let tell = |fought: u64| {
                    // If the client is slow to read, this report is skipped.
                    let _ = reply.try_send(Ok(json!({ "fought": fought }).to_string() + "\n"));
                    waits(&reply, over)
                };
                let made = studio.publish(desk, &ask, battles, &tell).map(|report| {
                    let (number, report) = shelf.lock().unwrap_or_else(PoisonError::into_inner).put(report);
                    let chart = |chart: &PublishedChart| json!({ "name": chart.name, "finding": chart.finding });
                    let charts: Vec<_> = report.charts.iter().map(chart).collect();
                    json!({ "ready": number, "battles": report.battles, "charts": charts }).to_string() + "\n"
                });
                let _ = reply.blocking_send(made);
            }
        }
    }
}

/// Whether a page is still waiting for an answer: a page that has moved on has closed its connection.
fn waits<T>(reply: &mpsc::Sender<T>, over: &(dyn Fn() -> bool + Sync)) -> bool {
    !reply.is_closed() && !over()
}

/// Lets in only requests to this machine's own name that come from the page itself. A page of another site cannot ask,
/// even if its own domain name resolves to this machine.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let own_host = text(header::HOST) == Some(&shared.host);
    let own_origin = match headers.get(header::ORIGIN) {
        None => request.method() != Method::POST,
        Some(_) => text(header::ORIGIN) == Some(&format!("http://{}", shared.host)),
    };
    if !own_host || !own_origin {
        return refusal(StatusCode::FORBIDDEN, "only this page may send requests here");
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

/// A refusal in the page's format for messages.
fn refusal(status: StatusCode, message: &str) -> Response {
    refused(status, &Fault::new(message))
}

fn refused(status: StatusCode, fault: &Fault) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], fault.json()).into_response()
}

async fn sheet(State(shared): State<Shared>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], shared.sheet.to_string()).into_response()
}

/// The number of times the files were opened, which shows a page that its request to reopen them was carried out.
async fn opened(State(shared): State<Shared>) -> Response {
    answer(&json!({ "opened": shared.opened }))
}

fn answer(json: &serde_json::Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json.to_string()).into_response()
}

async fn task(State(shared): State<Shared>, body: Bytes) -> Response {
    let task: Task = match serde_json::from_slice(&body) {
        Ok(task) => task,
        Err(error) => return refusal(StatusCode::BAD_REQUEST, &format!("this is not a valid task: {error}")),
    };
    let reopens = matches!(task, Task::Reopen {});
    let (reply, done) = oneshot::channel();
    if shared.errands.send(Errand { task, reply }).is_err() {
        return ending();
    }
    match done.await {
        Err(_) => ending(),
        Ok(Err(Unsaved::Refused(fault))) => refused(StatusCode::UNPROCESSABLE_ENTITY, &fault),
        Ok(Err(Unsaved::Changed(fault))) => refused(StatusCode::CONFLICT, &fault),
        Ok(Ok(done)) => {
            if reopens {
                // The files are opened again only after this answer has been sent.
                let reopen = Arc::clone(&shared.reopen);
                tokio::spawn(async move {
                    tokio::time::sleep(LOOK).await;
                    reopen.store(true, Ordering::Relaxed);
                });
            }
            answer(&done)
        }
    }
}

async fn ask(State(shared): State<Shared>, body: Bytes) -> Response {
    let ask = match Ask::read(&body) {
        Ok(ask) => ask,
        Err(fault) => return refused(StatusCode::BAD_REQUEST, &fault),
    };
    let (reply, lines) = mpsc::channel(1);
    if shared.jobs.send(Job::Ask { ask, reply }).is_err() {
        return ending();
    }
    streamed(lines).await
}

/// Streams lines as they come. If the first is a fault, it is the whole answer; a later fault is the last line.
async fn streamed(mut lines: mpsc::Receiver<Result<String, Fault>>) -> Response {
    match lines.recv().await {
        None => ending(),
        Some(Err(fault)) => refused(StatusCode::UNPROCESSABLE_ENTITY, &fault),
        Some(Ok(first)) => {
            // When the page closes the stream, the receiving end of the channel is dropped.
            let rest = ReceiverStream::new(lines).map(|line| line.unwrap_or_else(|fault| fault.json() + "\n"));
            let body = Body::from_stream(tokio_stream::once(first).chain(rest).map(Ok::<_, Infallible>));
            ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
        }
    }
}

/// The battle to be drawn or judged: `ask` is JSON, so that a link contains the changes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    #[serde(default)]
    ask: String,
    cell: usize,
    battle: u64,
}

/// The subject of a report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToPublish {
    ask: Ask,
    battles: u64,
}

async fn publish(State(shared): State<Shared>, body: Bytes) -> Response {
    let ToPublish { ask, battles } = match serde_json::from_slice(&body) {
        Ok(wanted) => wanted,
        Err(error) => return refusal(StatusCode::BAD_REQUEST, &format!("this is not a valid report: {error}")),
    };
    let (reply, lines) = mpsc::channel(1);
    if shared.jobs.send(Job::Publish { ask, battles, reply }).is_err() {
        return ending();
    }
    streamed(lines).await
}

/// A report, or a chart of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfReport {
    of: u32,
    #[serde(default)]
    nth: usize,
    #[serde(default)]
    png: bool,
}

async fn report(State(shared): State<Shared>, Query(wanted): Query<OfReport>) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, ENCLOSED_POLICY)];
    match shared.shelf.lock().unwrap_or_else(PoisonError::into_inner).get(wanted.of) {
        Some(report) => (headers, report.page.clone()).into_response(),
        None => refusal(StatusCode::NOT_FOUND, "this report is no longer kept"),
    }
}

async fn chart(State(shared): State<Shared>, Query(wanted): Query<OfReport>) -> Response {
    let report = shared.shelf.lock().unwrap_or_else(PoisonError::into_inner).get(wanted.of);
    let Some(chart) = report.as_ref().and_then(|report| report.charts.get(wanted.nth)) else {
        return refusal(StatusCode::NOT_FOUND, "this chart is no longer kept");
    };
    let policy = (header::CONTENT_SECURITY_POLICY, ENCLOSED_POLICY);
    if wanted.png {
        ([(header::CONTENT_TYPE, "image/png"), policy], chart.png.clone()).into_response()
    } else {
        ([(header::CONTENT_TYPE, "image/svg+xml"), policy], chart.svg.clone()).into_response()
    }
}

async fn battle(State(shared): State<Shared>, Query(wanted): Query<Wanted>) -> Response {
    let Wanted { ask, cell, battle } = wanted;
    match only_answer(&shared, &ask, |ask, reply| Job::Battle { ask, cell, battle, reply }).await {
        Err((status, fault)) => refused(status, &fault),
        Ok(page) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, ENCLOSED_POLICY),
            ];
            (headers, page).into_response()
        }
    }
}

/// The cell whose noteworthy battles are wanted, with the changes as JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCell {
    #[serde(default)]
    ask: String,
    cell: usize,
}

async fn odd(State(shared): State<Shared>, Query(OfCell { ask, cell }): Query<OfCell>) -> Response {
    as_json(only_answer(&shared, &ask, |ask, reply| Job::Odd { ask, cell, reply }).await)
}

async fn judge(State(shared): State<Shared>, Query(Wanted { ask, cell, battle }): Query<Wanted>) -> Response {
    as_json(only_answer(&shared, &ask, |ask, reply| Job::Judge { ask, cell, battle, reply }).await)
}

fn as_json(answer: Result<String, (StatusCode, Fault)>) -> Response {
    match answer {
        Err((status, fault)) => refused(status, &fault),
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
    }
}

/// The answer of a job that has only one. The question is taken from the URL; an empty question means no changes.
async fn only_answer(
    shared: &Shared,
    ask: &str,
    job: impl FnOnce(Ask, mpsc::Sender<Result<String, Fault>>) -> Job,
) -> Result<String, (StatusCode, Fault)> {
    let ask = if ask.is_empty() { Ok(Ask::default()) } else { Ask::read(ask.as_bytes()) };
    let ask = ask.map_err(|fault| (StatusCode::BAD_REQUEST, fault))?;
    let (reply, mut answers) = mpsc::channel(1);
    let closing = || (StatusCode::SERVICE_UNAVAILABLE, Fault::new(CLOSING));
    shared.jobs.send(job(ask, reply)).map_err(|_| closing())?;
    let answer = answers.recv().await.ok_or_else(closing)?;
    answer.map_err(|fault| (StatusCode::UNPROCESSABLE_ENTITY, fault))
}

const CLOSING: &str = "the studio is closing";

fn ending() -> Response {
    refusal(StatusCode::SERVICE_UNAVAILABLE, CLOSING)
}
