//! Records of battles by name: a question looks up results here before it fights, and stores new ones.
//!
//! Battles are the same every time, so recorded ones need not be fought again, whether the same question is asked again
//! (`notes`) or several processes answer one question together ([`Ledger`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::progress::Progress;
use crate::results::sha256;
use crate::study::Study;

/// A store in which the results of battles are looked up and recorded.
pub trait Record: Sync {
    /// The results of battles with this name, if known.
    fn known(&self, what: &str) -> Option<&Json>;

    /// Records the results of battles.
    fn note(&self, what: &str, fought: Json);

    /// Whether battles of this series are left to other processes. The question then has no answer.
    fn leaves(&self, _series: &str) -> bool {
        false
    }

    /// Whether any battles were left to other processes.
    fn is_open(&self) -> bool {
        false
    }
}

/// The name of battles in a record: the rules, the cells and the numbers of the battles.
pub(crate) struct What {
    /// Battles of one series depend on each other: whether the next are fought depends on the results of the last.
    series: String,
    rest: String,
}

impl What {
    fn text(&self) -> String {
        format!("{}{}", self.series, self.rest)
    }
}

impl From<String> for What {
    fn from(series: String) -> Self {
        Self { series, rest: String::new() }
    }
}

impl From<(String, String)> for What {
    fn from((series, rest): (String, String)) -> Self {
        Self { series, rest }
    }
}

/// An entry of a record.
pub(crate) enum Known<T> {
    /// The results of the battles.
    Is(T),
    /// There are no results: the battles must be fought.
    Not,
    /// Another process fights the battles.
    Left,
}

/// Whether there is an entry for these battles.
pub(crate) fn is_noted(progress: &dyn Progress, what: &What) -> bool {
    progress.record().is_some_and(|record| record.known(&what.text()).is_some())
}

/// Looks up battles.
pub(crate) fn known<T: DeserializeOwned>(progress: &dyn Progress, what: &What) -> Known<T> {
    let Some(record) = progress.record() else { return Known::Not };
    match record.known(&what.text()).and_then(|known| T::deserialize(known).ok()) {
        Some(known) => Known::Is(known),
        None if record.leaves(&what.series) => Known::Left,
        None => Known::Not,
    }
}

/// Records the results of battles.
pub(crate) fn note<T: Serialize>(progress: &dyn Progress, what: &What, fought: &T) {
    if let Some((record, fought)) = progress.record().zip(serde_json::to_value(fought).ok()) {
        record.note(&what.text(), fought);
    }
}

/// The results of battles: from the record if they are there, otherwise by fighting. `None` if the fighting was
/// stopped, or the battles are left to other processes.
pub(crate) fn kept<T: Serialize + DeserializeOwned, W: Into<What>>(
    progress: &dyn Progress,
    what: impl FnOnce() -> W,
    fight: impl FnOnce() -> Option<T>,
) -> Option<T> {
    if progress.record().is_none() {
        return fight();
    }
    let what = what().into();
    match known(progress, &what) {
        Known::Is(known) => Some(known),
        Known::Left => None,
        Known::Not => fight().inspect(|fought| note(progress, &what, fought)),
    }
}

/// Whether battles were left to other processes; later counts then have gaps.
pub(crate) fn is_open(progress: &dyn Progress) -> bool {
    progress.record().is_some_and(Record::is_open)
}

/// The data that must be equal for a record of a question to be valid. `question` leaves out settings that affect only
/// speed, such as the number of threads.
pub(crate) fn head(study: &Study, question: &str) -> String {
    let packs = std::iter::once(&study.pack).chain(&study.more_packs).map(|pack| pack.sha256.as_str());
    let all: Vec<&str> =
        [env!("CARGO_PKG_VERSION"), &study.header.sha256, &study.identity, question].into_iter().chain(packs).collect();
    format!("[\"grognard\",\"{}\",{}]\n", sha256(all.join("\n").as_bytes()), study.seed)
}

/// A record in memory, with which several processes answer one question together.
///
/// One of them asks with a [`Ledger::part`] that has no series. Unless everything is known, there is no answer, and
/// [`Ledger::wanted`] names the series of battles that the question needs next. The others ask the same question, each
/// with a part of these, and return their [`Ledger::news`]. Once nothing more is wanted, there is an answer, which is
/// identical, bit for bit, to that of a single process. A process that dies loses only the new results of its part.
///
/// ```
/// use grognard_lab::record::Ledger;
///
/// let mut ledger = Ledger::new();
/// assert!(ledger.is_empty() && ledger.part(["a".to_owned()]).wanted().is_empty());
/// assert!(ledger.add("not a record").is_err());
/// ```
#[derive(Debug, Default)]
pub struct Ledger {
    /// The question that it belongs to, once one has been asked.
    of: OnceLock<String>,
    known: Arc<BTreeMap<String, Json>>,
    /// The series to fight; `None` for all.
    part: Option<BTreeSet<String>>,
    wanted: Mutex<BTreeSet<String>>,
    news: Mutex<BTreeMap<String, Json>>,
}

/// Why a ledger cannot be used.
///
/// ```
/// use grognard_lab::record::{Ledger, LedgerError};
///
/// assert!(matches!(Ledger::new().add("not news"), Err(LedgerError::NoNews)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// It belongs to another question.
    #[error("this ledger holds battles of another question, study, pack or seed")]
    OtherQuestion,
    /// The news cannot be read.
    #[error("these are not valid ledger updates: they were damaged, or another version wrote them")]
    NoNews,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ledger {
    /// An empty ledger.
    ///
    /// ```
    /// assert!(grognard_lab::record::Ledger::new().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The known results, for a process that fights only these of the missing series.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let part = Ledger::new().part(["a".to_owned(), "b".to_owned()]);
    /// assert_eq!(part.series().map(|series| series.len()), Some(2));
    /// ```
    #[must_use]
    pub fn part(&self, series: impl IntoIterator<Item = String>) -> Self {
        let (of, known) = (self.of.clone(), Arc::clone(&self.known));
        Self { of, known, part: Some(series.into_iter().collect()), ..Self::default() }
    }

    /// The series of battles that the question needed and did not find, in order.
    ///
    /// ```
    /// assert!(grognard_lab::record::Ledger::new().wanted().is_empty(), "nothing was asked yet");
    /// ```
    #[must_use]
    pub fn wanted(&self) -> Vec<String> {
        lock(&self.wanted).iter().cloned().collect()
    }

    /// The number of results that it contains, without the news.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let mut ledger = Ledger::new();
    /// ledger.add(r#"[null,{"some battles":3}]"#)?;
    /// assert_eq!(ledger.len(), 1);
    /// # Ok::<(), grognard_lab::record::LedgerError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it contains no results.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let mut ledger = Ledger::new();
    /// assert!(ledger.is_empty());
    /// ledger.add(r#"[null,{"some battles":3}]"#)?;
    /// assert!(!ledger.is_empty());
    /// # Ok::<(), grognard_lab::record::LedgerError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The results of battles fought with it, as text.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let mut ledger = Ledger::new();
    /// ledger.add(&ledger.part([]).news())?;
    /// assert!(ledger.is_empty(), "the part fought nothing");
    /// # Ok::<(), grognard_lab::record::LedgerError>(())
    /// ```
    #[must_use]
    pub fn news(&self) -> String {
        self.written(&lock(&self.news))
    }

    /// Everything in it except the series to fight, as text that [`Ledger::add`] reads.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let (mut one, mut copy) = (Ledger::new(), Ledger::new());
    /// one.add(r#"[null,{"some battles":3}]"#)?;
    /// copy.add(&one.text())?;
    /// assert_eq!(copy.len(), 1);
    /// # Ok::<(), grognard_lab::record::LedgerError>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        self.written(&self.known)
    }

    fn written(&self, results: &BTreeMap<String, Json>) -> String {
        serde_json::to_string(&(self.of.get(), results)).unwrap_or_default()
    }

    /// The series to fight; `None` for all.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let ledger = Ledger::new();
    /// assert_eq!((ledger.series(), ledger.part([]).series()), (None, Some(Vec::new())));
    /// ```
    #[must_use]
    pub fn series(&self) -> Option<Vec<String>> {
        self.part.as_ref().map(|part| part.iter().cloned().collect())
    }

    /// Adds news.
    ///
    /// ```
    /// use grognard_lab::record::Ledger;
    ///
    /// let mut ledger = Ledger::new();
    /// ledger.add(r#"[null,{"some battles":3}]"#)?;
    /// assert_eq!(ledger.len(), 1);
    /// # Ok::<(), grognard_lab::record::LedgerError>(())
    /// ```
    ///
    /// # Errors
    /// The news belongs to another question, or cannot be read.
    pub fn add(&mut self, news: &str) -> Result<(), LedgerError> {
        type News = (Option<String>, BTreeMap<String, Json>);
        let (of, news): News = serde_json::from_str(news).map_err(|_| LedgerError::NoNews)?;
        if let Some(of) = of {
            self.open(&of)?;
        }
        Arc::make_mut(&mut self.known).extend(news);
        Ok(())
    }

    /// Binds it to a question about a study. `question` leaves out settings that affect only speed.
    ///
    /// ```
    /// use grognard_lab::record::{Ledger, LedgerError};
    /// use grognard_lab::study::Study;
    ///
    /// /// Whether a ledger may be used for a question.
    /// fn fits(ledger: &Ledger, study: &Study, question: &str) -> bool {
    ///     !matches!(ledger.bind(study, question), Err(LedgerError::OtherQuestion))
    /// }
    /// ```
    ///
    /// # Errors
    /// It belongs to another question.
    pub fn bind(&self, study: &Study, question: &str) -> Result<(), LedgerError> {
        self.open(&head(study, question))
    }

    fn open(&self, of: &str) -> Result<(), LedgerError> {
        if self.of.get_or_init(|| of.to_owned()) == of { Ok(()) } else { Err(LedgerError::OtherQuestion) }
    }
}

impl Record for Ledger {
    fn known(&self, what: &str) -> Option<&Json> {
        self.known.get(what)
    }

    fn note(&self, what: &str, fought: Json) {
        lock(&self.news).insert(what.to_owned(), fought);
    }

    fn leaves(&self, series: &str) -> bool {
        let leaves = self.part.as_ref().is_some_and(|part| !part.contains(series));
        if leaves {
            lock(&self.wanted).insert(series.to_owned());
        }
        leaves
    }

    fn is_open(&self) -> bool {
        !lock(&self.wanted).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct With<'a>(&'a Ledger);

    impl Progress for With<'_> {
        fn advance(&self, _battles: u64) {}

        fn record(&self) -> Option<&dyn Record> {
            Some(self.0)
        }
    }

    fn keep(ledger: &Ledger, series: &str, rest: &str) -> Option<u64> {
        let what = || (series.to_owned(), rest.to_owned());
        kept(&With(ledger), what, || Some((series.len() + rest.len()) as u64))
    }

    #[test]
    fn parts_fight_their_series_and_leave_the_others() {
        let mut ledger = Ledger::new();
        let nobody = ledger.part([]);
        assert_eq!((keep(&nobody, "one ", "0..4"), keep(&nobody, "two ", "0..4")), (None, None));
        assert!(nobody.is_open() && is_open(&With(&nobody)));
        assert_eq!(nobody.wanted(), ["one ", "two "]);
        let first = ledger.part(["one ".to_owned()]);
        // The next battles of a series belong to the process that fights the series.
        assert_eq!((keep(&first, "one ", "0..4"), keep(&first, "one ", "4..16")), (Some(8), Some(9)));
        assert_eq!(keep(&first, "two ", "0..4"), None);
        ledger.add(&first.news()).expect("its own news");
        assert_eq!(ledger.len(), 2);
        let rest = ledger.part([]);
        assert_eq!((keep(&rest, "one ", "4..16"), rest.is_open()), (Some(9), false));
        assert_eq!((keep(&rest, "one ", "16..64"), rest.is_open()), (None, true));
        // Without parts, everything that is not known is fought.
        assert_eq!((keep(&ledger, "two ", "0..4"), ledger.is_open()), (Some(8), false));
    }

    #[test]
    fn a_ledger_belongs_to_one_question() {
        let mut ledger = Ledger::new();
        ledger.open("one").expect("its first question");
        let part = ledger.part([]);
        part.open("one").expect("the same question");
        assert!(matches!(part.open("two"), Err(LedgerError::OtherQuestion)));
        let other = Ledger::new();
        other.open("two").expect("its first question");
        keep(&other, "a", "");
        assert!(matches!(ledger.add(&other.news()), Err(LedgerError::OtherQuestion)));
        assert!(matches!(ledger.add("[]"), Err(LedgerError::NoNews)));
        assert!(ledger.is_empty());
    }
}
