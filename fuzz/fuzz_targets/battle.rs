#![no_main]
#![allow(dead_code, reason = "each target does one of the exercises")]
#[path = "../exercise/mod.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|text: &str| {
    exercise::battle::exercise(text);
});
