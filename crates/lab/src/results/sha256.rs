//! SHA-256 as the manifest writes it.

use std::fmt::{self, Write};

use sha2::Digest;

/// The SHA-256 of `bytes` in lower-case hexadecimal.
///
/// ```
/// assert!(grognard_lab::results::sha256(b"").starts_with("e3b0c442"));
/// ```
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let mut sum = Sha256::default();
    sum.0.update(bytes);
    sum.finish()
}

/// The SHA-256 of a text that is written piece by piece, because it may be too long to be held.
#[derive(Default)]
pub(crate) struct Sha256(sha2::Sha256);

impl Sha256 {
    /// The sum of what was written, in lower-case hexadecimal.
    pub(crate) fn finish(self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0.finalize() {
            write!(text, "{byte:02x}").expect("writing to a String succeeds");
        }
        text
    }
}

impl Write for Sha256 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn agrees_with_the_standard() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(super::sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
