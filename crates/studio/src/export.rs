//! The page as one file that contains the engine.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::Package;

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/studio.css");
const PARTS: &str = include_str!("page/parts.js");
const JUDGED: &str = include_str!("page/judged.js");
const CARRIER: &str = include_str!("page/carrier-worker.js");
const WORKER: &str = include_str!("page/worker.js");
const SCRIPT: &str = include_str!("page/studio.js");

/// Replaces the view that builds reports.
const NO_REPORTS: &str = "function buildPublish() {}\nexport { buildPublish };\n";

/// Replaces the editor: an exported page has no files.
const NO_DESK: &str = "function buildDesk() {}\nfunction onChoice() {}\nfunction onReopened() {}\nfunction openDesk() {}\n\
    export { buildDesk, onChoice, onReopened, openDesk };\n";

/// Maximum size of a page, in bytes.
pub const PAGE_MAX: usize = 4 << 20;

/// The page may run its own scripts, and can load nothing else.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; \
    style-src 'unsafe-inline'; img-src data:; font-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'";

/// The first bytes of every WebAssembly module.
const MAGIC: &[u8] = b"\0asm\x01\0\0\0";

/// Reasons why a page is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The file is not a module.
    #[error("not a WebAssembly module")]
    NoModule,
    /// The page is larger than [`PAGE_MAX`].
    #[error("the page would be {0} bytes long; the limit is {PAGE_MAX}")]
    Large(usize),
}

/// A page that contains the engine. It opens from disk, without a server or network.
///
/// # Errors
/// See [`ExportError`].
pub fn export(package: &Package, module: &[u8]) -> Result<String, ExportError> {
    if !module.starts_with(MAGIC) {
        return Err(ExportError::NoModule);
    }
    let scripts =
        [("parts", PARTS), ("carrier", CARRIER), ("judged", JUDGED), ("publish", NO_REPORTS), ("write", NO_DESK)]
            .map(|(name, text)| enclosed(name, text));
    let script = format!(
        "const packed = {{ module: \"{}\", study: \"{}\", inside: {} }};\n{}(async () => {{\n{}}})();\n",
        packed(module),
        packed(package.json().as_bytes()),
        in_script(&serde_json::to_string(WORKER).unwrap_or_default()),
        scripts.concat(),
        rewritten(SCRIPT),
    );
    let head = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<style>\n{STYLE}</style>");
    let page = PAGE
        .replace("<html lang=\"en\">", "<html lang=\"en\" data-alone>")
        .replace("<link rel=\"stylesheet\" href=\"studio.css\">", &head)
        .replace("<script type=\"module\" src=\"studio.js\"></script>", "")
        .replace("</body>", &format!("<script>\n{script}</script>\n</body>"));
    if page.len() > PAGE_MAX { Err(ExportError::Large(page.len())) } else { Ok(page) }
}

/// Compresses bytes as the page expects them: zlib, in base64.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to a Vec does not fail.
    let _ = encoder.write_all(bytes);
    STANDARD.encode(encoder.finish().unwrap_or_default())
}

/// Escapes a text so that it cannot end the script around it.
fn in_script(text: &str) -> String {
    text.replace("</", "<\\/")
}

/// Turns a JavaScript module into a value that contains its exports.
fn enclosed(name: &str, text: &str) -> String {
    format!("const {name} = (() => {{\n{}}})();\n", rewritten(text))
}

/// Rewrites a module's imports and exports for a function body.
fn rewritten(text: &str) -> String {
    let line = |line: &str| {
        if let Some(names) = line.strip_prefix("import ") {
            let (names, from) = names.split_once(" from \"./").unwrap_or((names, ""));
            return format!("const {names} = {};\n", from.trim_end_matches(".js\";"));
        }
        match line.strip_prefix("export ") {
            Some(names) => format!("return {names}\n"),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_functions() {
        assert_eq!(
            enclosed("b", "import { x, y } from \"./a.js\";\nfunction f() {}\nexport { f };\n"),
            "const b = (() => {\nconst { x, y } = a;\nfunction f() {}\nreturn { f };\n})();\n"
        );
        assert_eq!(in_script("\"</script>\""), "\"<\\/script>\"");
        for text in [PARTS, CARRIER, JUDGED, WORKER, SCRIPT] {
            assert!(!text.contains("</script"), "it would end the page's script");
        }
    }
}
