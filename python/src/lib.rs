//! The Python package `grognard`: `grognard-kit` for Python, with tables that other tools can read without copying.
//!
//! The compiled module is `grognard._native`; `grognard/` has the rest of the package, in Python.

mod answer;
mod arrow;
mod errors;
mod given;
mod ledger;
mod pack;
mod question;
mod study;
mod table;
mod work;

/// The compiled part of `grognard`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::answer::{Answer, Estimate, answer_of, estimate_of, merge};
    #[pymodule_export]
    use super::ledger::{Ledger, ledger_of};
    #[pymodule_export]
    use super::pack::{Pack, pack_of, packs};
    #[pymodule_export]
    use super::study::{Study, studies, study_of};
    #[pymodule_export]
    use super::table::Table;

    /// The version of the package. The command of the same version gives the same numbers.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "its name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
