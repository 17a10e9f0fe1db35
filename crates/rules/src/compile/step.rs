//! The steps of a compilation. For a variant of a pack, only steps that read something different are repeated.
//!
//! Every section of a pack and every result of a step records that it is read, so dependencies need not be declared.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use super::checker::Checker;
use crate::wire::{Reads, Rows, Section, Sections};
use grognard_source::Document;

/// A completed step: what it read, and its result.
#[derive(Clone)]
pub(super) struct Step {
    reads: u128,
    made: Arc<dyn Any + Send + Sync>,
    /// For a section with rows, the step of each row, by name.
    rows: Arc<BTreeMap<Arc<str>, Step>>,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Step").field("reads", &self.reads).finish_non_exhaustive()
    }
}

/// The result of a step, which records that it is read.
pub(super) struct Made<'c, T> {
    value: T,
    place: u32,
    reads: &'c Reads,
}

impl<T> Deref for Made<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.reads.note(self.place);
        &self.value
    }
}

/// The steps of one compilation, in order, and those of another compilation with which they are compared.
pub(super) struct Steps<'c> {
    reads: &'c Reads,
    document: &'c Document,
    before: Option<(&'c Document, &'c [Step])>,
    /// The differences from the other compilation.
    differs: u128,
    /// What every later step is recorded as reading.
    always: u128,
    taken: Vec<Step>,
}

impl<'c> Steps<'c> {
    /// Steps for a document, with those taken `before` for another one; `differs` gives the sections that differ.
    pub(super) fn beside(
        document: &'c Document,
        before: Option<(&'c Document, &'c [Step])>,
        differs: u128,
        reads: &'c Reads,
    ) -> Self {
        Self { reads, document, before, differs, always: 0, taken: Vec::new() }
    }

    /// Takes a step, or reuses its previous result if nothing that it read differs.
    pub(super) fn take<T: Clone + Send + Sync + 'static>(
        &mut self,
        checker: &mut Checker<'_>,
        make: impl FnOnce(&mut Checker<'_>) -> T,
    ) -> Made<'c, T> {
        self.take_unless(checker, |_, _| false, make)
    }

    /// Like [`Steps::take`], for a result that is often the same even if what it is made from differs. The previous
    /// result is then kept, and later steps that read it are not repeated.
    pub(super) fn compare<T: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        checker: &mut Checker<'_>,
        make: impl FnOnce(&mut Checker<'_>) -> T,
    ) -> Made<'c, T> {
        self.take_unless(checker, T::eq, make)
    }

    fn take_unless<T: Clone + Send + Sync + 'static>(
        &mut self,
        checker: &mut Checker<'_>,
        is_same: impl Fn(&T, &T) -> bool,
        make: impl FnOnce(&mut Checker<'_>) -> T,
    ) -> Made<'c, T> {
        if let Some((step, value)) = self.known() {
            return self.done_with(step, value);
        }
        let (step, value) = self.step(checker, make);
        let before = self.before().and_then(|before| Some((before, before.made.downcast_ref::<T>()?)));
        match before.filter(|(_, before)| is_same(before, &value)) {
            Some((before, same)) => self.done_with(Step { made: Arc::clone(&before.made), ..step }, same.clone()),
            None => self.done_with(step, value),
        }
    }

    /// One step for each row of the section at `key`, by name. An unchanged row is not recompiled unless something else
    /// that it read differs.
    pub(super) fn rows<W, T: Send + Sync + 'static>(
        &mut self,
        checker: &mut Checker<'_>,
        (key, section): (&str, &Section<'_, Rows<W>>),
        make: impl Fn(&mut Checker<'_>, &str, &W) -> Option<T>,
    ) -> Made<'c, Arc<[Arc<T>]>> {
        if let Some((step, value)) = self.known() {
            return self.done_with(step, value);
        }
        let around = self.reads.replace(self.always);
        let (mut all, mut rows) = (Vec::new(), BTreeMap::new());
        for (id, row) in section {
            let before = self.before().and_then(|step| step.rows.get(id.as_str()));
            let before = before.filter(|step| step.reads & self.differs == 0 && self.is_same_row(key, id));
            let known =
                before.and_then(|step| Some((step.clone(), step.made.downcast_ref::<Option<Arc<T>>>()?.clone())));
            let (step, made) = match known {
                Some(known) => known,
                None => self.step(checker, |checker| make(checker, id, row).map(Arc::new)),
            };
            self.reads.note_all(step.reads);
            rows.insert(id.as_str().into(), step);
            all.extend(made);
        }
        let (value, reads) = (Arc::from(all), self.reads.replace(around));
        let step = Step { reads, made: Arc::new(Arc::clone(&value)), rows: Arc::new(rows) };
        self.done_with(step, value)
    }

    /// The earlier compilation's counterpart of the next step.
    fn before(&self) -> Option<&'c Step> {
        self.before.and_then(|(_, steps)| steps.get(self.taken.len()))
    }

    /// The counterpart of the next step in the earlier compilation, and its result, if nothing that it read differs.
    fn known<T: Clone + 'static>(&self) -> Option<(Step, T)> {
        let step = self.before().filter(|step| step.reads & self.differs == 0)?;
        let value = step.made.downcast_ref::<T>()?.clone();
        Some((step.clone(), value))
    }

    /// A step, and its result.
    fn step<T: Clone + Send + Sync + 'static>(
        &self,
        checker: &mut Checker<'_>,
        make: impl FnOnce(&mut Checker<'_>) -> T,
    ) -> (Step, T) {
        let around = self.reads.replace(self.always);
        let value = make(checker);
        let reads = self.reads.replace(around);
        (Step { reads, made: Arc::new(value.clone()), rows: Arc::default() }, value)
    }

    /// Records a step. It counts as different unless its result is the previous one.
    fn done_with<T>(&mut self, step: Step, value: T) -> Made<'c, T> {
        let place = Sections::COUNT + self.taken.len() as u32;
        assert!(place < u128::BITS, "a bit for each section and step");
        if !self.before().is_some_and(|before| Arc::ptr_eq(&before.made, &step.made)) {
            self.differs |= 1 << place;
        }
        self.taken.push(step);
        Made { value, place, reads: self.reads }
    }

    /// Whether a row is unchanged.
    fn is_same_row(&self, key: &str, id: &str) -> bool {
        let row = |document: &'c Document| document.root.get(key)?.as_table()?.get(id);
        self.before.is_some_and(|(before, _)| row(self.document) == row(before))
    }

    /// Counts this as read by every step from now on.
    pub(super) fn always<T>(&mut self, made: &Made<'_, T>) {
        self.always |= 1 << made.place;
    }

    /// The steps taken.
    pub(super) fn done(self) -> Vec<Step> {
        self.taken
    }
}
