//! SHA-256 as the manifest writes it.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The SHA-256 of `bytes` in lower-case hexadecimal.
///
/// ```
/// assert!(grognard_lab::results::sha256(b"").starts_with("e3b0c442"));
/// ```
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("writing to a String succeeds");
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn agrees_with_the_standard() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(super::sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
