#![no_main]
#[path = "../exercise/expression.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|text: &str| {
    exercise::exercise(text);
});
