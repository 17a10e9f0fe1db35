//! The studio as seen by a browser, and by clients with bad intentions.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use grognard_lab::Side;
use grognard_lab::progress::Stop;
use grognard_lab::runner::Fighter;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use grognard_stats::Level;
use grognard_studio::{Ask, Desk, Door, End, Studio, serve};
use serde_json::{Value, json};

/// A duel whose title would run as a script if it were not escaped.
const DUEL: &str = "study = 'duel'\ntitle = '<script>alert(1)</script>'\npack = 'risk'\nturns = 60\n[vary]\n\
    'defender.0.figures' = [3, 4]\n[side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n\
    [side.defender]\nunits = [{ type = 'army' }]\n";

/// A study of this text on a page, with at most this many battles in each cell.
fn with_studio(text: &str, battles: u64, then: impl FnOnce(&Studio<'_>)) {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    let beside = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs"));
    let study = Study::read(file, Some(beside), &Changes::default(), &mut sources).expect("a good study");
    let studio = Studio::open(&study, &mut sources, 2, Level::default(), battles, "duel").expect("it opens");
    then(&studio);
}

/// Serves a studio while `then` talks to it.
fn with_server(battles: u64, then: impl FnOnce(&Client)) {
    with_studio(DUEL, battles, |studio| {
        let stop = Stop::new();
        let door = Door::open(0, 0x1234).expect("a free port");
        let url = door.url();
        let rest = url.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        let client = Client { host: host.to_owned(), root: format!("/{path}") };
        std::thread::scope(|scope| {
            let desk = Desk::open(Path::new("risk-dice"), &studio.packs(), false).expect("built-in files");
            let (door, stop) = (&door, &stop);
            let served = scope.spawn(move || serve(studio, &desk, door, stop));
            // The server ends whatever the result of `then`.
            let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| then(&client)));
            stop.raise();
            let end = served.join().expect("no panic").expect("it is served");
            assert!([End::Stopped, End::Reopen].contains(&end));
            if let Err(panic) = told {
                std::panic::resume_unwind(panic);
            }
        });
    });
}

struct Client {
    host: String,
    root: String,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Client {
    fn send(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.host).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut bytes = Vec::new();
        // A server that refuses a body may close the connection before reading it.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> Reply {
        self.send(&format!("GET {}{path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.root, self.host))
    }

    fn post_from(&self, origin: Option<&str>, host: &str, body: &str) -> Reply {
        self.post("ask", origin, host, body)
    }

    fn task(&self, task: &Value) -> Reply {
        self.post("task", Some(&format!("http://{}", self.host)), &self.host, &task.to_string())
    }

    fn post(&self, path: &str, origin: Option<&str>, host: &str, body: &str) -> Reply {
        let origin = origin.map(|origin| format!("origin: {origin}\r\n")).unwrap_or_default();
        self.send(&format!(
            "POST {}{path} HTTP/1.0\r\nhost: {host}\r\n{origin}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.root,
            body.len()
        ))
    }

    fn ask(&self, ask: &Value) -> Reply {
        self.post_from(Some(&format!("http://{}", self.host)), &self.host, &ask.to_string())
    }
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn lines(&self) -> Vec<Value> {
        self.body.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }
}

#[test]
fn the_page_and_its_parts_are_served_with_a_policy() {
    with_server(64, |client| {
        for (path, kind) in [
            ("", "text/html"),
            ("studio.css", "text/css"),
            ("studio.js", "text/javascript"),
            ("carrier.js", "text/javascript"),
            ("parts.js", "text/javascript"),
            ("publish.js", "text/javascript"),
            ("write.js", "text/javascript"),
        ] {
            let reply = client.get(path);
            assert_eq!(reply.status, 200, "{path}");
            assert!(reply.head.contains(&format!("content-type: {kind}")), "{}", reply.head);
            assert!(reply.head.contains("default-src 'none'; script-src 'self'"), "{}", reply.head);
            assert!(reply.head.contains("nosniff") && reply.head.contains("no-store"), "{}", reply.head);
        }
    });
}

#[test]
fn the_sheet_has_every_number_that_the_study_uses() {
    with_server(64, |client| {
        let sheet = client.get("sheet").json();
        let numbers: Vec<(&str, i64)> = (sheet["groups"].as_array().expect("groups").iter())
            .flat_map(|group| group["numbers"].as_array().expect("numbers"))
            .map(|number| (number["key"].as_str().expect("a key"), number["value"].as_i64().expect("a value")))
            .collect();
        for number in [
            ("roll.assault.own.count", 3_000),
            ("roll.assault.foe.count", 2_000),
            ("victory.broken", 100_000),
            ("attacker.0.figures", 5_000),
            ("turns", 60_000),
        ] {
            assert!(numbers.contains(&number), "{number:?} is not among {numbers:?}");
        }
        assert_eq!(sheet["axes"][0]["values"], json!(["3", "4"]));
        assert_eq!(sheet["cells"].as_array().map(Vec::len), Some(2));
    });
}

/// Osborne's table: five attackers beat three defenders with probability .769, and four with .638.
#[test]
fn an_answer_gets_sharper_and_holds_the_odds() {
    with_server(4_096, |client| {
        let lines = client.ask(&json!({ "metric": "attacker" })).lines();
        let (worked_out, fought): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line["cells"][0]["exact"] == true);
        let battles: Vec<u64> = fought.iter().map(|line| line["battles"].as_u64().expect("battles")).collect();
        assert_eq!(
            battles,
            [32, 64, 128, 256, 512, 1_024, 2_048, 4_096][..battles.len()],
            "as many as two seconds allow"
        );
        for line in &fought {
            for (cell, odds) in [(0, 0.769), (1, 0.638)] {
                let end = |nth: usize| line["cells"][cell]["now"][nth].as_f64().expect("a number");
                assert!(end(1) <= odds && odds <= end(2), "{line}");
                assert_eq!(line["cells"][cell]["change"][0], 0.0, "nothing has changed");
            }
        }
        let last = worked_out.last().expect("a battle this small is computed");
        for (cell, odds) in [(0, 0.769), (1, 0.638)] {
            assert_eq!(last["cells"][cell]["exact"], true);
            let point = last["cells"][cell]["now"][0].as_f64().expect("a number");
            assert!((point - odds).abs() < 0.0005, "the table has three decimals: {last}");
        }
    });
}

/// Two dice instead of three: the answer with the change is the same as for a study with two dice in its text.
#[test]
fn odds_change_with_the_rules() {
    with_server(64, |client| {
        let asked = json!({ "metric": "attacker", "changes": { "roll.assault.own.count": 2_000 } });
        let line = client.ask(&asked).lines().pop().expect("a line");
        for cell in 0..2 {
            let value = |key: &str| line["cells"][cell][key][0].as_f64().expect("a number");
            assert_eq!(line["cells"][cell]["exact"], true);
            assert!(value("change") < 0.0 && (value("now") - value("was") - value("change")).abs() < 1e-12, "{line}");
        }
        let promise = line["promise"].as_str().expect("words");
        assert!(promise.starts_with("Exact odds"), "{promise}");
    });
}

/// If the sides have no choice, the luck of the dice is the whole difference between the odds at the start and the
/// outcome.
#[test]
fn a_battle_is_judged() {
    with_server(64, |client| {
        let judged = client.get("judge?cell=1&battle=7").json();
        assert_eq!((&judged["cell"], &judged["battle"]), (&json!(1), &json!(7)));
        let sum = |key: &str| judged["sum"][key].as_f64().expect("a number");
        assert!((sum("start") - 0.638).abs() < 0.0005, "{judged}");
        assert!((sum("start") + sum("luck") - sum("outcome")).abs() < 1e-9, "{judged}");
        assert_eq!(client.get("judge?cell=9&battle=0").status, 422);
    });
}

#[test]
fn a_change_answers_with_the_battles_of_the_changed_study() {
    let ask = Ask {
        changes: [("roll.assault.own.count".to_owned(), 2_000)].into(),
        metric: "attacker".to_owned(),
        ..Ask::default()
    };
    let shares = |text: &str, ask: &Ask| {
        let mut last = Value::Null;
        with_studio(text, 1_024, |studio| {
            let tell = &mut |line: String| last = serde_json::from_str(&line).expect("JSON");
            studio.answer(ask, &|| true, &|| true, tell).expect("an answer");
        });
        last
    };
    let changed = shares(DUEL, &ask);
    let set = DUEL.replace("[vary]", "[set]\n'roll.assault.own.count' = 'math.least(self.figures, 2)'\n[vary]");
    let written = shares(&set, &Ask { changes: [].into(), ..ask });
    for cell in 0..2 {
        assert_eq!(changed["cells"][cell]["now"], written["cells"][cell]["now"], "the same battles");
        let change = |nth: usize| changed["cells"][cell]["change"][nth].as_f64().expect("a number");
        assert!(change(2) < 0.0, "two dice are surely worse than three: {changed}");
    }
    assert_eq!(changed["set"], json!(["roll.assault.own.count=\"math.least(self.figures, 2)\""]));
}

#[test]
fn one_cell_alone_is_asked_about() {
    with_server(64, |client| {
        let lines = client.ask(&json!({ "metric": "attacker", "cells": [1] })).lines();
        let cells: Vec<_> =
            lines[0]["cells"].as_array().expect("cells").iter().map(|cell| cell["cell"].clone()).collect();
        assert_eq!(cells, [json!(1)]);
    });
}

#[test]
fn what_cannot_be_is_said_in_words() {
    with_server(64, |client| {
        for (ask, status, words) in [
            (json!({ "changes": { "attacker.0.figures": 0 } }), 422, "figures"),
            (json!({ "changes": { "roll.no.such": 1_000 } }), 422, "no number `roll.no.such`"),
            (json!({ "off": ["roll.no.such"] }), 422, "no rule `roll.no.such`"),
            (json!({ "cells": [2] }), 422, "no cell 2"),
            (json!({ "metric": "glory" }), 422, "no metric `glory`"),
            (json!({ "changes": { "turns": i64::MAX } }), 422, "too large"),
            (json!({ "battels": 1 }), 400, "battels"),
            (json!("line or square?"), 400, "not a valid question"),
        ] {
            let reply = client.ask(&ask);
            assert_eq!(reply.status, status, "{ask}: {}", reply.body);
            let message = reply.json()["faults"][0]["message"].to_string();
            assert!(message.contains(words), "{ask}: {message}");
        }
    });
}

#[test]
fn a_battle_is_drawn_in_a_page_that_can_reach_nothing() {
    with_server(64, |client| {
        let reply = client.get("battle?cell=1&battle=7");
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(
            reply.head.contains("content-security-policy: sandbox allow-scripts; default-src 'none'"),
            "{}",
            reply.head
        );
        assert!(reply.body.contains("&lt;script>alert(1)") || reply.body.contains("&lt;script&gt;alert(1)"));
        assert!(!reply.body.contains("<script>alert(1)"), "a title is text");
        let changed =
            client.get("battle?cell=1&battle=7&ask=%7B%22changes%22%3A%7B%22attacker.0.figures%22%3A9000%7D%7D");
        assert_eq!(changed.status, 200);
        assert_ne!(reply.body, changed.body, "nine attackers fight another battle");
        assert_eq!(client.get("battle?cell=9&battle=0").status, 422);
        assert_eq!(client.get("battle?cell=0").status, 400);
    });
}

/// The closest battle, the longest and the upset are those found among the outcomes by definition.
#[test]
fn noteworthy_battles_of_a_cell_are_found() {
    with_server(64, |client| {
        let reply = client.get("odd?cell=1").json();
        assert_eq!(reply["among"], 1_000);
        let battles: Vec<u64> = ["closest", "longest", "upset"]
            .iter()
            .map(|odd| reply["battles"][odd].as_u64().expect("a battle"))
            .collect();
        assert!(battles.iter().all(|&battle| battle < 1_000) && battles[0] != battles[1] && battles[1] != battles[2]);
        let mut sources = Sources::new();
        let file = sources.add("study.toml", DUEL);
        let beside = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs"));
        let study = Study::read(file, Some(beside), &Changes::default(), &mut sources).expect("a good study");
        let outcomes = study.fight(1, 0..1_000);
        let [closest, longest, upset] = [0, 1, 2].map(|nth| outcomes[battles[nth] as usize]);
        // Five attackers beat four defenders in .638 of the battles, so it is an upset if the defender wins.
        assert_eq!(upset.winner, Some(Side::Second));
        assert_eq!(Some(longest.turns), outcomes.iter().map(|outcome| outcome.turns).max());
        // Someone always loses the whole army, so the winner of the closest battle has a single figure left.
        let winner = closest.winner.expect("a winner");
        assert_eq!(closest.sides[winner].start - closest.sides[winner].losses, 1);
        let changed = client.get("odd?cell=1&ask=%7B%22changes%22%3A%7B%22attacker.0.figures%22%3A9000%7D%7D").json();
        assert_ne!(reply, changed, "nine attackers fight other battles");
        assert_eq!((client.get("odd?cell=9").status, client.get("odd").status), (422, 400));
    });
}

#[test]
fn only_the_page_itself_is_answered() {
    with_server(64, |client| {
        let ask = json!({}).to_string();
        let own = format!("http://{}", client.host);
        assert_eq!(client.post_from(Some(&own), &client.host, &ask).status, 200);
        assert_eq!(client.post_from(Some("http://evil.example"), &client.host, &ask).status, 403, "another origin");
        assert_eq!(client.post_from(Some("null"), &client.host, &ask).status, 403, "a page from disk");
        assert_eq!(client.post_from(None, &client.host, &ask).status, 403, "no origin at all");
        assert_eq!(client.post_from(Some(&own), "evil.example", &ask).status, 403, "another name for this machine");
        for path in ["/", "/sheet", "/0000/sheet", "/00000000000000000000000000001235/"] {
            let reply = Client { host: client.host.clone(), root: path.to_owned() }.get("");
            assert_eq!(reply.status, 404, "{path}: without the token there is nothing");
        }
        for path in ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "studio.js/../../Cargo.toml", "page/index.html"] {
            assert_eq!(client.get(path).status, 404, "{path}");
        }
        let long = format!("{{\"metric\": \"{}\"}}", "x".repeat(100_000));
        assert_eq!(client.post_from(Some(&own), &client.host, &long).status, 413);
    });
}

#[test]
fn two_pages_ask_at_the_same_time() {
    with_server(256, |client| {
        let last = |ask: &Value| client.ask(ask).lines().last().cloned().expect("a line");
        let (three, two) = (json!({}), json!({ "changes": { "roll.assault.own.count": 2_000 } }));
        let alone = [last(&three), last(&two)];
        let together = std::thread::scope(|scope| {
            [&three, &two].map(|ask| scope.spawn(move || last(ask))).map(|page| page.join().expect("no panic"))
        });
        assert_eq!(alone, together);
    });
}

#[test]
fn files_are_read_by_number_and_built_in_ones_are_kept() {
    with_server(64, |client| {
        let list = client.task(&json!({ "do": "list" })).json();
        let names: Vec<&str> = list["files"]
            .as_array()
            .expect("files")
            .iter()
            .map(|file| file["name"].as_str().expect("a name"))
            .collect();
        assert_eq!(names, ["studies/risk-dice.toml", "packs/risk/pack.toml"]);
        let file = client.task(&json!({ "do": "open", "file": 1 })).json();
        assert!(file["text"].as_str().is_some_and(|text| text.contains("pack = \"risk\"")), "{file}");
        let save = json!({ "do": "save", "file": 1, "text": "", "hash": file["hash"] });
        let reply = client.task(&save);
        assert!(reply.status == 422 && reply.body.contains("is built in"), "{}", reply.body);
        assert_eq!(client.task(&json!({ "do": "open", "file": 2 })).status, 422);
        assert_eq!(client.task(&json!({ "do": "open", "file": "../../etc/passwd" })).status, 400);
        assert_eq!(client.task(&json!({ "do": "open", "path": "/etc/passwd" })).status, 400);
        assert_eq!(client.task(&json!({ "do": "dance" })).status, 400);
        let long = json!({ "do": "check", "texts": [[0, "x".repeat(5 << 20)]] });
        assert_eq!(client.task(&long).status, 413);
        let evil = client.post("task", Some("http://evil.example"), &client.host, &save.to_string());
        assert_eq!(evil.status, 403, "another origin");
    });
}

#[test]
fn a_page_can_have_the_files_opened_again() {
    with_server(64, |client| {
        assert_eq!(client.get("opened").json(), json!({ "opened": 0 }));
        assert_eq!(client.task(&json!({ "do": "reopen" })).status, 200);
    });
}

#[test]
fn a_report_on_the_changes_is_made_and_its_charts_are_files() {
    with_server(64, |client| {
        let publish = |body: &Value| {
            client.post("publish", Some(&format!("http://{}", client.host)), &client.host, &body.to_string())
        };
        let ask = json!({ "changes": { "attacker.0.figures": 9_000 } });
        let lines = publish(&json!({ "ask": ask, "battles": 1_000 })).lines();
        let ready = lines.last().expect("a line");
        assert_eq!((&ready["ready"], &ready["battles"]), (&json!(1), &json!(1_000)), "{ready}");
        let report = client.get("report?of=1");
        assert_eq!(report.status, 200);
        assert!(report.head.contains("sandbox allow-scripts") && report.head.contains("text/html"), "{}", report.head);
        assert!(report.body.contains("attacker.0.figures from 5 to 9"), "the report states the change");
        assert!(!report.body.contains("<script>alert(1)"), "a title is text");
        let charts = ready["charts"].as_array().expect("charts");
        assert!(!charts.is_empty(), "{ready}");
        let svg = client.get("chart?of=1&nth=0");
        assert!(svg.head.contains("image/svg+xml") && svg.head.contains("sandbox") && svg.body.contains("<svg"));
        for path in ["report?of=2", "chart?of=2", "chart?of=1&nth=99"] {
            assert_eq!(client.get(path).status, 404, "{path}");
        }
        for battles in [json!(0), json!(2_000_000)] {
            assert_eq!(publish(&json!({ "ask": {}, "battles": battles })).status, 422, "{battles}");
        }
        assert_eq!(publish(&json!({ "battles": 1 })).status, 400);
    });
}
