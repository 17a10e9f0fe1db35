//! Lists.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::document::Node;
use crate::nearest::quoted;
use crate::path::row_segments;
use crate::schema::View;
use crate::span::Span;

impl Checker<'_> {
    pub(super) fn list(&mut self, items: &[Node], span: Span, view: &View<'_>) {
        self.list_length(items.len() as u64, span, view);
        if view.all("uniqueItems").any(|unique| unique == &Json::Bool(true)) {
            self.unique_items(items);
        }
        let sound = self.sound.and_then(|sound| sound.get(&self.path)?.as_array()).unwrap_or_default();
        for (index, (item, segment)) in items.iter().zip(row_segments(items)).enumerate() {
            if sound.get(index) == Some(item) {
                continue;
            }
            if let Some(part) = view.item(index) {
                self.within(&segment, |checker| checker.node(item, &part));
            }
        }
    }

    fn list_length(&mut self, length: u64, span: Span, view: &View<'_>) {
        let least = view.all("minItems").filter_map(Json::as_u64).max();
        let most = view.all("maxItems").filter_map(Json::as_u64).min();
        if least.is_none_or(|least| length >= least) && most.is_none_or(|most| length <= most) {
            return;
        }
        let wanted = match (least, most) {
            (Some(least), Some(most)) if least == most => format!("it must have {least}"),
            (Some(least), Some(most)) => format!("it must have {least} to {most}"),
            (Some(least), None) => format!("it must have at least {least}"),
            (None, most) => format!("it may have at most {}", most.unwrap_or(u64::MAX)),
        };
        let found = match length {
            0 => "the list is empty".to_owned(),
            1 => "the list has 1 item".to_owned(),
            length => format!("the list has {length} items"),
        };
        self.fault(span, Diagnostic::new(found).help(wanted));
    }

    fn unique_items(&mut self, items: &[Node]) {
        let mut first: BTreeMap<String, Span> = BTreeMap::new();
        for (item, segment) in items.iter().zip(row_segments(items)) {
            let text = item.value.to_string();
            match first.get(&text) {
                Some(&span) => {
                    let fault = Diagnostic::new(format!("{} is given twice", quoted(&text)));
                    let fault = fault.note("first given here", Some(span));
                    self.within(&segment, |checker| checker.fault(item.span, fault));
                }
                None => {
                    first.insert(text, item.span);
                }
            }
        }
    }
}
