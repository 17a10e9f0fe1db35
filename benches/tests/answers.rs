//! The workloads still give the recorded answers: the determinism promise across versions.

use grognard_benches::answers::{CHANGED, ON_FILE, worked_out};

#[test]
fn every_workload_has_the_digest_on_file() {
    let now = worked_out();
    if std::env::var_os("BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/answers.txt");
        std::fs::write(path, &now).unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    assert_eq!(now, ON_FILE, "{CHANGED}");
}
