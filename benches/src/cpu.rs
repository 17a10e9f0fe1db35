//! Clocks: the processor time used by this process, and wall time.

#![allow(clippy::disallowed_types, reason = "measuring time is what this crate is for")]

use std::time::{Duration, Instant};

/// Both clocks, started at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    cpu: Option<Duration>,
    wall: Instant,
}

/// The time on both clocks.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed {
    /// Processor time of all threads together; `None` if the system does not report it.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Duration,
}

impl Clocks {
    /// Starts both clocks.
    #[must_use]
    pub fn start() -> Self {
        Self { cpu: cpu_time(), wall: Instant::now() }
    }

    /// Reads both clocks.
    #[must_use]
    pub fn elapsed(&self) -> Elapsed {
        let cpu = self.cpu.zip(cpu_time()).map(|(start, now)| now.saturating_sub(start));
        Elapsed { cpu, wall: self.wall.elapsed() }
    }
}

impl Elapsed {
    /// Processor seconds, or wall seconds if the system does not report processor time.
    #[must_use]
    pub fn cpu_s(&self) -> f64 {
        self.cpu.unwrap_or(self.wall).as_secs_f64()
    }
}

#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}
