//! The output of a battle in progress: its events, and the witnesses that report, record and count them.

pub(crate) mod citing;
pub(crate) mod coverage;
pub(crate) mod event;
pub(crate) mod gauge;
pub(crate) mod luck;
pub(crate) mod narrator;
pub(crate) mod timeline;
