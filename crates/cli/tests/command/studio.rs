//! `grognard studio` as a command: it prints an address, answers there, and ends with Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use super::{Place, command};

#[test]
fn it_prints_an_address_answers_there_and_ends_with_ctrl_c() {
    let place = Place::with_duel();
    let mut child =
        command(&place.path(""), "studio duel.toml --quiet").stdout(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("an output")).read_line(&mut line).expect("a line");
    let rest = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no address: {line}"));
    let (host, path) = rest.split_once('/').expect("a path");
    assert!(host.starts_with("127.0.0.1:") && path.len() == 33, "{line}");
    let mut stream = TcpStream::connect(host).expect("a server");
    write!(stream, "GET /{path}sheet HTTP/1.0\r\nhost: {host}\r\n\r\n").expect("sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    assert!(reply.starts_with("HTTP/1.0 200") && reply.contains("\"words\":\"duel.toml\""), "{reply}");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
}

#[test]
fn bad_input_is_refused_before_anything_is_served() {
    let place = Place::with_duel();
    place.grognard("studio dual.toml").refused("there is no file `dual.toml`");
    place.grognard("studio duel.toml --runs 65537").refused("65537 battles of a cell are too many to hold");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its address").port();
    let ran = place.grognard(&format!("studio duel.toml --port {port}")).ends(1);
    assert!(ran.err.contains("cannot listen on 127.0.0.1") && ran.err.contains("--port"), "{ran:?}");
}

/// Browser tests open the page itself; these tests cover errors on the command line.
#[test]
fn a_page_needs_a_module_and_is_never_written_over() {
    let place = Place::with_duel();
    let ran = place.grognard("studio duel.toml --export page.html").ends(1);
    assert!(
        ran.err.contains("the engine for pages is not built") && ran.err.contains("recipes/module/build"),
        "{ran:?}"
    );
    place.grognard("studio duel.toml --export page.html --module duel.toml").refused("not a WebAssembly module");
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
    std::fs::write(place.path("empty.wasm"), b"\0asm\x01\0\0\0").expect("written");
    place.grognard("studio duel.toml --export page.html --module empty.wasm").ends(0);
    let page = std::fs::read_to_string(place.path("page.html")).expect("a page");
    assert!(
        page.contains("Content-Security-Policy") && !page.contains("import ") && !page.contains("src=\"studio"),
        "{page}"
    );
    place.grognard("studio duel.toml --export page.html --module empty.wasm").refused("page.html already exists");
    place.grognard("studio duel.toml --module empty.wasm").refused("--export");
}
