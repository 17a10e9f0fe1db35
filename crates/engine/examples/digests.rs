//! Computes a digest of battles of every built-in pack, including every event. `just determinism` compares the digests
//! of differently built programs.
//!
//! The digest covers everything that is reported about a battle, including positions and die faces. It therefore
//! detects even errors that cancel each other out.

use std::process::ExitCode;

use grognard_dice::SeededDice;
use grognard_engine::{BySide, Deployment, Event, Scene, SidePlan, UnitPlan, Witness, deploy, fight};
use grognard_rules::library;
use grognard_source::Sources;

/// The number of battles of each deployment.
const BATTLES: u64 = 500;

/// FNV-1a, 64 bits.
struct Digest(u64);

impl Digest {
    fn count(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

impl Witness for Digest {
    fn see(&mut self, _scene: Scene<'_>, event: &Event) {
        self.count(&format!("{event:?}"));
    }
}

/// A unit type and its position: the middle of the unit's front in hundredths of an inch, or the coordinates of its
/// hex.
type Men = (&'static str, (i32, i32));

fn side(name: &str, doctrine: Option<&str>, men: &[Men]) -> SidePlan {
    let unit = |&(kind, at): &Men| UnitPlan { kind: kind.into(), at: Some(at), ..UnitPlan::default() };
    let units = men.iter().map(unit).collect();
    SidePlan { name: name.into(), doctrine: doctrine.map(Into::into), units, ..SidePlan::default() }
}

/// A pack, and the doctrines and armies of both sides.
type Battle = (&'static str, [Option<&'static str>; 2], [Vec<Men>; 2]);

fn battles() -> Vec<Battle> {
    let here = (0, 0);
    let column =
        |at: i32, men: &[&'static str]| (-1..).zip(men).map(|(row, &kind)| (kind, (1_200 * row, at))).collect();
    let hexes = |row: i32, front: i32| {
        vec![
            ("heavy-infantry", (-row * 50, row * 100)),
            ("warriors", (-100 - row * 50, row * 100)),
            ("medium-cavalry", (300 - row * 50, row * 100)),
            ("light-bow", (0, front * 100)),
        ]
    };
    let foot = ["line-battalion", "line-battalion", "field-battery", "line-battalion"];
    vec![
        ("bluecher-shock", [None; 2], [vec![("cavalry", here)], vec![("infantry", here)]]),
        ("refduel", [None; 2], [vec![("one-up", here)], vec![("plain", here)]]),
        ("risk", [None; 2], [vec![("army", here)], vec![("army", here)]]),
        ("symbol-die", [None; 2], [vec![("swordsmen", here)], vec![("archers", here)]]),
        (
            "napoleonic-figures",
            [Some("charge-home"), Some("stand-and-form")],
            [column(1_700, &["heavy-cavalry", "line-battalion", "light-cavalry"]), column(0, &foot)],
        ),
        (
            "napoleonic-pips",
            [Some("charge-home"), Some("stand-and-form")],
            [
                column(1_200, &["cavalry", "infantry", "cavalry"]),
                column(0, &["infantry", "infantry", "foot-artillery"]),
            ],
        ),
        ("ancients-hex", [Some("line"); 2], [hexes(2, 1), hexes(-2, -1)]),
    ]
}

fn main() -> ExitCode {
    for (pack, doctrines, armies) in battles() {
        match digest(pack, doctrines, &armies) {
            Ok(digest) => println!("{pack} {digest:016x}"),
            Err(fault) => {
                eprintln!("{pack}: {fault}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// The digest of all battles of one deployment.
fn digest(pack: &str, doctrines: [Option<&str>; 2], armies: &[Vec<Men>; 2]) -> Result<u64, String> {
    let mut sources = Sources::new();
    let loaded = library::load(pack, None, &mut sources).map_err(|faults| faults.render(&sources, false))?;
    let rules = loaded.compile(&sources).map_err(|faults| faults.render(&sources, false))?;
    let sides = BySide::new(side("attacker", doctrines[0], &armies[0]), side("defender", doctrines[1], &armies[1]));
    let plan = Deployment { sides, turns: 8, ..Deployment::default() };
    let setup = deploy(&rules, &plan).map_err(|faults| format!("{faults:?}"))?;
    let mut dice = SeededDice::new(1815);
    let mut digest = Digest(0xCBF2_9CE4_8422_2325);
    for battle in 0..BATTLES {
        dice.battle(battle);
        let outcome = fight(&rules, &setup, &mut dice, &mut digest);
        digest.count(&format!("{outcome:?}"));
    }
    Ok(digest.0)
}
