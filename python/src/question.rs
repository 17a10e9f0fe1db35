//! Common parts of a study's questions.

use std::time::Duration;

use grognard_kit::exact::Limits;
use grognard_kit::{Ask, Error, Fights, Ledger as KitLedger, Level, Shared, Stop};
use pyo3::prelude::*;

use crate::errors::setting;
use crate::given;
use crate::ledger::Ledger;
use crate::work::{Latest, work};

type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The settings that every question accepts.
pub(crate) struct Settings {
    runs: Option<u64>,
    seed: Option<u64>,
    level: Level,
    threads: usize,
    max_time: Option<Duration>,
}

impl Settings {
    pub(crate) fn new(
        py: Python<'_>,
        [runs, seed, threads, max_time]: [Given<'_, '_>; 4],
        level: Option<f64>,
    ) -> PyResult<Self> {
        Ok(Self {
            runs: given::whole("runs", runs)?,
            seed: given::whole("seed", seed)?,
            level: given::level(py, level)?,
            threads: given::small("threads", threads)?.unwrap_or(0),
            max_time: given::time(max_time)?,
        })
    }

    /// The question with these settings.
    pub(crate) fn tell<'a, Q: Fights>(&self, mut ask: Ask<'a, Q>, beside: &Beside<'a>) -> Ask<'a, Q> {
        ask = ask.level(self.level).threads(self.threads).stop(beside.stop).progress(beside.latest.tell());
        if let Some(runs) = self.runs {
            ask = ask.runs(runs);
        }
        if let Some(seed) = self.seed {
            ask = ask.seed(seed);
        }
        if let Some(time) = self.max_time {
            ask = ask.max_time(time);
        }
        ask
    }

    /// The question with these settings, if several processes can answer it together.
    pub(crate) fn share<'a, Q: Fights + Shared>(&self, ask: Ask<'a, Q>, beside: &Beside<'a>) -> Ask<'a, Q> {
        let ask = self.tell(ask, beside);
        match beside.ledger {
            Some(ledger) => ask.ledger(ledger),
            None => ask,
        }
    }
}

/// The memory limit in bytes if odds are computed. No battles are fought then, so their number must not be given.
pub(crate) fn computed(
    py: Python<'_>,
    exact: bool,
    runs: Given<'_, '_>,
    precision: Option<f64>,
) -> PyResult<Option<u64>> {
    let idle = [("runs", runs.is_some()), ("precision", precision.is_some())].into_iter().find(|(_, given)| *given);
    match idle {
        Some((name, _)) if exact => {
            Err(setting(py, format!("`{name}` has no meaning with `exact`, which fights no battles; omit one of them")))
        }
        _ => Ok(exact.then(|| Limits::default().bytes)),
    }
}

/// The stop flag, progress and ledger of a question.
pub(crate) struct Beside<'a> {
    stop: &'a Stop,
    latest: &'a Latest,
    ledger: Option<&'a KitLedger>,
}

/// Asks the question. Returns the answer as dicts and lists: the command's `--json` output, without the sentences.
pub(crate) fn asked<'py>(
    py: Python<'py>,
    progress: Given<'_, 'py>,
    ledger: Option<&Bound<'py, Ledger>>,
    ask: impl FnOnce(&Beside<'_>) -> Result<String, Error> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let ledger = ledger.map(Bound::get);
    let json = work(py, progress, |stop, latest| match ledger {
        Some(ledger) => ledger.with(|ledger| ask(&Beside { stop, latest, ledger: Some(ledger) })),
        None => ask(&Beside { stop, latest, ledger: None }),
    })?;
    py.import("json")?.call_method1("loads", (json,))
}
