//! Words, strings and numbers.

use serde_json::Value as Json;

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::document::Value;
use crate::nearest::{quoted, suggestion};
use crate::schema::View;
use crate::span::Span;

/// Maximum distance of a float from a multiple of its step.
const STEP_TOLERANCE: f64 = 1e-9;

impl Checker<'_> {
    pub(super) fn text(&mut self, text: &str, span: Span, view: &View<'_>) {
        if let Some(words) = view.words() {
            if !words.contains(&text) {
                self.wrong_word(text, span, &words);
            }
            return;
        }
        let length = text.chars().count() as u64;
        if let Some(least) = view.all("minLength").filter_map(Json::as_u64).max()
            && length < least
        {
            let fault = if least == 1 {
                Diagnostic::new("the text is empty")
            } else {
                Diagnostic::new(format!("the text has {length} characters, but must have at least {least}"))
            };
            self.fault(span, fault);
        }
        if let Some(most) = view.all("maxLength").filter_map(Json::as_u64).min()
            && length > most
        {
            self.fault(span, Diagnostic::new(format!("the text has {length} characters, but may have at most {most}")));
        }
    }

    pub(super) fn wrong_word(&mut self, word: &str, span: Span, words: &[&str]) {
        let help = suggestion(word, words.iter().copied());
        self.fault(span, Diagnostic { help, ..Diagnostic::new(format!("{} is not valid here", quoted(word))) });
    }

    pub(super) fn number(&mut self, value: &Value, span: Span, view: &View<'_>) {
        let [least, most] = limits(view);
        let too_small = least.as_ref().is_some_and(|limit| is_less(value, limit));
        let too_large = most.as_ref().is_some_and(|limit| is_greater(value, limit));
        if too_small || too_large {
            let size = if too_small { "small" } else { "large" };
            let help = range(view).unwrap_or_default();
            self.fault(span, Diagnostic::new(format!("{value} is too {size}")).help(help));
            return;
        }
        if let Some(step) =
            view.all("multipleOf").filter_map(Json::as_f64).find(|&step| step > 0.0 && !is_multiple(value, step))
        {
            self.fault(
                span,
                Diagnostic::new(format!("{value} is not a multiple of {step}")).help(nearest_multiples(value, step)),
            );
        }
    }
}

/// The minimum and the maximum that a view allows.
fn limits(view: &View<'_>) -> [Option<Json>; 2] {
    let implied = view.format_range().map(|(least, most)| (Json::from(least), Json::from(most)));
    let (least, most) = implied.unzip();
    let least = tightest(view.all("minimum").chain(least.as_ref()), |limit, best| limit > best);
    let most = tightest(view.all("maximum").chain(most.as_ref()), |limit, best| limit < best);
    [least.cloned(), most.cloned()]
}

/// The numbers that a view allows, in words; `None` if it allows any.
pub(super) fn range(view: &View<'_>) -> Option<String> {
    in_words(limits(view).each_ref().map(Option::as_ref))
}

/// The numbers that a view allows, in words, without the limits of the number's format.
pub(super) fn stated_range(view: &View<'_>) -> Option<String> {
    let least = tightest(view.all("minimum"), |limit, best| limit > best);
    in_words([least, tightest(view.all("maximum"), |limit, best| limit < best)])
}

fn in_words(limits: [Option<&Json>; 2]) -> Option<String> {
    match limits {
        [Some(least), Some(most)] => Some(format!("it must lie between {} and {}", plain(least), plain(most))),
        [Some(least), None] => Some(format!("it must be at least {}", plain(least))),
        [None, Some(most)] => Some(format!("it must be at most {}", plain(most))),
        [None, None] => None,
    }
}

fn as_float(value: &Value) -> f64 {
    match value {
        Value::Int(value) => *value as f64,
        Value::Float(value) => *value,
        _ => f64::NAN,
    }
}

fn tightest<'a>(limits: impl Iterator<Item = &'a Json>, tighter: impl Fn(f64, f64) -> bool) -> Option<&'a Json> {
    limits.filter(|limit| limit.is_number()).reduce(|best, limit| {
        let (new, old) = (limit.as_f64().unwrap_or(f64::NAN), best.as_f64().unwrap_or(f64::NAN));
        if tighter(new, old) { limit } else { best }
    })
}

fn is_less(value: &Value, limit: &Json) -> bool {
    match (value, limit.as_i64()) {
        (Value::Int(value), Some(limit)) => *value < limit,
        _ => limit.as_f64().is_some_and(|limit| as_float(value) < limit),
    }
}

fn is_greater(value: &Value, limit: &Json) -> bool {
    match (value, limit.as_i64()) {
        (Value::Int(value), Some(limit)) => *value > limit,
        _ => limit.as_f64().is_some_and(|limit| as_float(value) > limit),
    }
}

fn is_multiple(value: &Value, step: f64) -> bool {
    let value = as_float(value);
    (value - (value / step).round() * step).abs() <= STEP_TOLERANCE
}

fn nearest_multiples(value: &Value, step: f64) -> String {
    let below = (as_float(value) / step).floor();
    // Twelve digits are more than a step needs, and hide the last bits of the product.
    let shown = |count: f64| ((count * step * 1e12).round() / 1e12).to_string();
    format!("the nearest are {} and {}", shown(below), shown(below + 1.0))
}

/// A limit as a person writes it: `1000`, not `1000.0`.
fn plain(limit: &Json) -> String {
    limit.as_i64().map_or_else(
        || limit.as_f64().map_or_else(|| limit.to_string(), |limit| limit.to_string()),
        |limit| limit.to_string(),
    )
}
