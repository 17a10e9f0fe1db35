//! Enums that are more than words: finds the alternative that a value means.

use super::Checker;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{Node, Table, Value};
use crate::nearest::{nearest, quoted, suggestion};
use crate::schema::View;
use crate::span::Span;

impl Checker<'_> {
    /// Checks a value that is not a table against several alternatives.
    pub(super) fn choose_for_leaf(&mut self, node: &Node, view: &View<'_>) {
        if let (Value::Text(text), Some(words)) = (&node.value, view.words()) {
            self.text_among(text, node.span, &words, None);
            return;
        }
        let candidates: Vec<View<'_>> = self.candidates(&node.value, view);
        if let Value::Text(text) = &node.value {
            let words: Option<Vec<_>> = candidates.iter().map(View::words).collect();
            if let Some(words) = words.map(|words| words.concat()) {
                let number = self.candidates(&Value::Int(0), view).first().and_then(View::purpose_of_choice);
                self.text_among(text, node.span, &words, number);
                return;
            }
        }
        self.best_of(&candidates, |checker, candidate| checker.node(node, candidate));
    }

    /// Checks a word that must be one of these, unless it is a number as described by `number`.
    fn text_among(&mut self, text: &str, span: Span, words: &[&str], number: Option<String>) {
        if words.contains(&text) {
            return;
        }
        match number.filter(|_| nearest(text, words.iter().copied()).is_none()) {
            None => self.wrong_word(text, span, words),
            Some(number) => {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                let fault = Diagnostic::new(format!("{} is not valid here", quoted(text)));
                self.fault(span, fault.help(format!("write {} or a number: {number}", words.join(", "))));
            }
        }
    }

    /// Checks a table against several alternatives: the tag decides, or else the fewest faults.
    pub(super) fn choose_for_table(&mut self, table: &Table, span: Span, view: &View<'_>) {
        let alternatives = alternatives(view);
        match Tag::of(&alternatives) {
            Some(Tag::Value(tag)) => self.choose_by_value(table, span, view, &alternatives, tag),
            Some(Tag::Key) => self.choose_by_key(table, span, view, &alternatives),
            None => {
                let candidates = self.candidates(&Value::Table(Table::new()), view);
                self.best_of(&candidates, |checker, candidate| checker.table(table, span, candidate));
            }
        }
    }

    /// The view with its first choice made, in every way that fits the value.
    fn candidates<'s>(&self, value: &Value, view: &View<'s>) -> Vec<View<'s>> {
        let Some(choice) = view.choices().first() else { return Vec::new() };
        choice
            .iter()
            .filter(|alternative| alternative.accepts(value))
            .map(|alternative| view.choosing(0, alternative))
            .collect()
    }

    fn choose_by_value(&mut self, table: &Table, span: Span, view: &View<'_>, alternatives: &[&View<'_>], tag: &str) {
        let chosen = table
            .get(tag)
            .and_then(Node::as_text)
            .and_then(|word| alternatives.iter().find(|alternative| tag_word(alternative, tag) == Some(word)));
        if let Some(chosen) = chosen {
            self.table(table, span, &view.choosing(0, chosen));
            return;
        }
        let words: Vec<&str> = alternatives.iter().filter_map(|alternative| tag_word(alternative, tag)).collect();
        match table.get(tag) {
            Some(Node { value: Value::Text(word), span }) => {
                self.within(tag, |checker| checker.wrong_word(word, *span, &words));
            }
            Some(node) => self.within(tag, |checker| {
                let fault = Diagnostic::new(format!("expected a word, found {}", node.value.kind()));
                checker.fault(node.span, Diagnostic { help: suggestion("", words.iter().copied()), ..fault });
            }),
            None => self.within(tag, |checker| {
                let fault = Diagnostic::missing(tag);
                checker.fault(span, Diagnostic { help: suggestion("", words.iter().copied()), ..fault });
            }),
        }
        // Which names belong to the table depends on the tag. Even so, the other names are checked.
        self.keys(table, span, view, false);
    }

    fn choose_by_key(&mut self, table: &Table, span: Span, view: &View<'_>, alternatives: &[&View<'_>]) {
        let names: Vec<&str> = alternatives.iter().flat_map(|alternative| alternative.required()).collect();
        if let Some(place) = names.iter().position(|name| table.get(name).is_some()) {
            if let Some(chosen) = alternatives.get(place) {
                self.table(table, span, &view.choosing(0, chosen));
            }
            return;
        }
        let own = view.names();
        let stranger = table.iter().map(|(key, _)| key).find(|key| !own.contains(&key.name.as_str()));
        match stranger {
            Some(key) => {
                let fault = Diagnostic::new(format!("there is no key {} here", quoted(&key.name)));
                let help = suggestion(&key.name, names.iter().copied());
                self.within(&key.name, |checker| checker.fault(key.span, Diagnostic { help, ..fault }));
            }
            None => {
                let fault = Diagnostic::new("it is not clear which kind of table this is");
                self.fault(span, Diagnostic { help: suggestion("", names.iter().copied()), ..fault });
            }
        }
        self.keys(table, span, view, false);
    }

    /// Reports the faults of the alternative that fits best; none if one fits.
    fn best_of(&mut self, candidates: &[View<'_>], check: impl Fn(&mut Self, &View<'_>)) {
        let mut best: Option<Diagnostics> = None;
        for candidate in candidates {
            let Self { sound, meant, .. } = *self;
            let mut trial = Self { path: self.path.clone(), faults: Diagnostics::new(), sound, meant };
            check(&mut trial, candidate);
            if best.as_ref().is_none_or(|best| trial.faults.len() < best.len()) {
                best = Some(trial.faults);
            }
            if best.as_ref().is_some_and(Diagnostics::is_empty) {
                return;
            }
        }
        if let Some(best) = best {
            self.faults.append(best);
        }
    }
}

/// How a table says which alternative it is.
pub(super) enum Tag<'s> {
    /// By the word under this name, as `{ mechanic = "opposed", ... }`.
    Value(&'s str),
    /// By its only name, as `{ opposed = { ... } }`.
    Key,
}

impl<'s> Tag<'s> {
    pub(super) fn of(alternatives: &[&View<'s>]) -> Option<Self> {
        let first = alternatives.first()?;
        let shared = |name: &&str| alternatives.iter().all(|alternative| tag_word(alternative, name).is_some());
        if let Some(name) = first.names().into_iter().find(shared) {
            return Some(Self::Value(name));
        }
        let single =
            |alternative: &&View<'_>| alternative.names().len() == 1 && alternative.required() == alternative.names();
        alternatives.iter().all(single).then_some(Self::Key)
    }
}

/// The alternatives of the first choice that are tables.
pub(super) fn alternatives<'v, 's>(view: &'v View<'s>) -> Vec<&'v View<'s>> {
    let table = Value::Table(Table::new());
    view.choices().first().into_iter().flatten().filter(|alternative| alternative.accepts(&table)).collect()
}

/// The word that identifies an alternative under the name `tag`; `schemars` writes it in the property itself.
pub(super) fn tag_word<'s>(alternative: &View<'s>, tag: &str) -> Option<&'s str> {
    alternative.all("properties").find_map(|own| own.get(tag))?.get("const")?.as_str()
}
