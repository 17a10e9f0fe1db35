//! The studio's tests, in one program, so that they are linked only once.

mod desk;
mod http;
