//! Documents: TOML in which every key and value remembers where it stands, and diagnostics that point there.
