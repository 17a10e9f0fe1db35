#![no_main]
#[path = "../exercise/pack.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|text: &str| {
    exercise::exercise(text);
});
