#![no_main]
#![allow(dead_code, reason = "each target does one of the exercises")]
#[path = "../exercise/mod.rs"]
mod exercise;

use std::fs;

// The input is a manifest, a zero byte and the content of `watched.json`; hashes are corrected. Parquet files are left to
// the tests, which catch the panics of the Parquet library; here, a panic would end the fuzzing.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut pieces = bytes.splitn(2, |&byte| byte == 0);
    let manifest = pieces.next().unwrap_or_default();
    fs::write(folder.path().join("watched.json"), pieces.next().unwrap_or_default()).expect("a file can be written");
    exercise::results::write_signed(folder.path(), manifest);
    exercise::results::exercise(folder.path());
});
