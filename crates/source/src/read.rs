//! Reads files into texts.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::span::{FileId, Sources, Span};

/// Maximum size of a file that is read, in bytes.
pub const FILE_SIZE_MAX: u64 = 1 << 20;

/// Reads a text file, and adds it to the sources under its path as given.
///
/// A text that stands in for the file ([`Sources::stand_in`]) is read in its place.
///
/// # Errors
///
/// One diagnostic when the file is missing, is a folder or anything else that is not a regular file, may not be read,
/// is larger than [`FILE_SIZE_MAX`], or is not UTF-8. No more than that many bytes are ever read.
pub fn read_file(path: &Path, sources: &mut Sources) -> Result<FileId, Diagnostics> {
    let name = path.display().to_string();
    let bytes = match sources.stood_in(path) {
        Some(text) if text.len() as u64 > FILE_SIZE_MAX => Err(Fault::TooLarge),
        Some(text) => Ok(text.as_bytes().to_vec()),
        None => read_capped(path),
    };
    let bytes = bytes.map_err(|fault| Diagnostics::from(fault.diagnostic(&name)))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[at];
            // Up to the first bad byte, the lossy text is the same as the file, so its location can be shown. `add`
            // would drop a byte order mark and shift it.
            let lossy = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let mark = if lossy.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let file = sources.add(name.clone(), lossy);
            let span = Span::new(file, at - mark..at - mark + char::REPLACEMENT_CHARACTER.len_utf8());
            let fault = Diagnostic::new(format!("`{name}` is not UTF-8 text"))
                .at(span)
                .label(format!("the byte 0x{byte:02X}"))
                .help("save it as UTF-8");
            Err(fault.into())
        }
    }
}

enum Fault {
    Folder,
    NotRegular,
    TooLarge,
    Io(io::Error),
}

impl Fault {
    fn diagnostic(&self, name: &str) -> Diagnostic {
        match self {
            Self::Folder => Diagnostic::new(format!("`{name}` is a folder, not a file")),
            Self::NotRegular => Diagnostic::new(format!("`{name}` is not a regular file"))
                .help("write its output to a file, and name that file"),
            Self::TooLarge => Diagnostic::new(format!("`{name}` is larger than {} KiB", FILE_SIZE_MAX / 1024))
                .help("rules and studies are short; is it the right file?"),
            Self::Io(error) if error.kind() == ErrorKind::NotFound => {
                Diagnostic::new(format!("there is no file `{name}`"))
            }
            Self::Io(error) => Diagnostic::new(format!("`{name}` cannot be read: {error}")),
        }
    }
}

fn read_capped(path: &Path) -> Result<Vec<u8>, Fault> {
    // Checked before opening, because opening a pipe without a writer would wait forever.
    let metadata = fs::metadata(path).map_err(Fault::Io)?;
    if metadata.is_dir() {
        return Err(Fault::Folder);
    }
    if !metadata.is_file() {
        return Err(Fault::NotRegular);
    }
    if metadata.len() > FILE_SIZE_MAX {
        return Err(Fault::TooLarge);
    }
    // The size may have been wrong or may have changed.
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Fault::Io)?;
    file.take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes).map_err(Fault::Io)?;
    if bytes.len() as u64 > FILE_SIZE_MAX { Err(Fault::TooLarge) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A file that is deleted at the end of the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str, bytes: &[u8]) -> Self {
            let path = std::env::temp_dir().join(format!("grognard-read-{}-{name}", std::process::id()));
            fs::write(&path, bytes).expect("the temporary folder can be written");
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            // A file left behind in the temporary folder is harmless.
            let _ = fs::remove_file(&self.0);
        }
    }

    fn fault(path: &Path) -> String {
        let mut sources = Sources::new();
        let faults = read_file(path, &mut sources).expect_err("this cannot be read");
        assert_eq!(faults.len(), 1);
        faults.render(&sources, false)
    }

    #[test]
    fn a_text_is_read_without_its_byte_order_mark() {
        let scratch = Scratch::new("bom", b"\xef\xbb\xbfa = 1");
        let mut sources = Sources::new();
        let file = read_file(&scratch.0, &mut sources).expect("a good file");
        assert_eq!(sources.text(file), "a = 1");
        assert_eq!(sources.name(file), scratch.0.display().to_string());
    }

    #[test]
    fn a_text_stands_in_for_a_file() {
        let scratch = Scratch::new("stand-in", b"a = 1");
        let mut sources = Sources::new();
        sources.stand_in(&scratch.0, "a = 2");
        let file = read_file(&scratch.0, &mut sources).expect("a good text");
        assert_eq!((sources.text(file), sources.name(file)), ("a = 2", scratch.0.display().to_string().as_str()));
        sources.stand_in(&scratch.0, "x".repeat(FILE_SIZE_MAX as usize + 1));
        assert!(read_file(&scratch.0, &mut sources).is_err(), "no more than a file may hold");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        assert!(fault(&std::env::temp_dir()).contains("is a folder, not a file"));
        assert!(fault(Path::new("no-such-file.toml")).contains("there is no file `no-such-file.toml`"));
        assert!(fault(Path::new("")).contains("there is no file ``"));
    }

    #[cfg(unix)]
    #[test]
    fn an_endless_device_is_refused() {
        assert!(fault(Path::new("/dev/zero")).contains("is not a regular file"));
    }

    #[test]
    fn a_large_file_is_refused_before_it_is_read() {
        let full = Scratch::new("full", &vec![b'#'; 1 << 20]);
        assert!(read_file(&full.0, &mut Sources::new()).is_ok());
        let larger = Scratch::new("larger", &vec![b'#'; (1 << 20) + 1]);
        assert!(fault(&larger.0).contains("is larger than 1024 KiB"));
        let sparse = Scratch::new("sparse", b"");
        File::options().write(true).open(&sparse.0).and_then(|file| file.set_len(2 << 30)).expect("a sparse file");
        assert!(fault(&sparse.0).contains("is larger than 1024 KiB"));
    }

    #[test]
    fn a_bad_byte_is_named_with_its_place() {
        let scratch = Scratch::new("latin", b"\xef\xbb\xbfa = 1\nname = 'J\xe4ger'\n");
        let shown = fault(&scratch.0);
        assert!(shown.contains("is not UTF-8 text"), "{shown}");
        assert!(shown.contains(":2:10\n"), "{shown}");
        assert!(shown.contains("the byte 0xE4"), "{shown}");
    }
}
