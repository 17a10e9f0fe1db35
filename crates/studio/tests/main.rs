//! The studio's tests, in one program, so that they are linked once.

mod desk;
mod http;
