//! Draws the picture of `docs/built-in.md`: square or line against cavalry in one throw, after Bluecher, above the same
//! question fought to the end, both computed exactly. `just picture` writes it to `docs/images/`.

use std::error::Error;
use std::path::{Path, PathBuf};

use grognard_exact::{Limits, Progress};
use grognard_lab::Side;
use grognard_lab::exact::{SolveOptions, Watcher};
use grognard_lab::progress::Stop;
use grognard_lab::results::{Results, WIN};
use grognard_lab::study::{Changes, Study};
use grognard_report::charts::{Part, beside};
use grognard_report::{Size, Theme};
use grognard_source::Sources;

/// The formations of Bluecher's table, by their names on the battlefield.
const SITUATIONS: [(&str, &str); 3] = [("plain", "line"), ("square", "square"), ("unprepared", "unprepared")];
const FORMATIONS: [&str; 4] = ["line", "column", "square", "skirmish"];

/// A watcher that shows nothing.
struct Nobody;

impl Watcher for Nobody {
    fn walking(&self, _cell: u32, _progress: &Progress) {}
    fn solved(&self, _cell: u32) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = std::env::args_os().nth(1).map_or_else(|| root.join("docs/images/one-throw.png"), PathBuf::from);

    let throw = study(&root, "bluecher-shock")?;
    let battle = study(&root, "square-vs-line")?;
    let thrown = SITUATIONS.map(|(formation, name)| {
        let values = [("defender.0.formation", formation), ("attacker.0.figures", "8"), ("defender.0.figures", "6")];
        (cell(&throw, &values), name.to_owned())
    });
    let fought = ["front", "flank"].map(|approach| {
        FORMATIONS.map(|formation| {
            let values =
                [("defender.0.formation", formation), ("attacker.0.type", "heavy-cavalry"), ("approach", approach)];
            (cell(&battle, &values), formation.to_owned())
        })
    });
    let throws = solved(&throw, thrown.iter().map(|(cell, _)| *cell).collect())?;
    let battles = solved(&battle, fought.iter().flatten().map(|(cell, _)| *cell).collect())?;

    let wins = |results: &Results, cell: u32| {
        results
            .estimate(cell, Some(Side::First), WIN)
            .map_or_else(String::new, |row| format!("{:.0} %", 100.0 * row.mean))
    };
    let finding = format!(
        "Forming square cuts cavalry’s wins from {} to {} in one throw, and from {} to {} when the battle goes on",
        wins(&throws, thrown[0].0),
        wins(&throws, thrown[1].0),
        wins(&battles, fought[0][0].0),
        wins(&battles, fought[0][2].0),
    );
    let part = |title: &str, results, cells: &[(u32, String)]| Part {
        title: title.to_owned(),
        results,
        cells: cells.to_vec(),
    };
    let parts = [
        part("In one throw, after Bluecher: cavalry with 8 dice against infantry with 6", &throws, &thrown),
        part(
            "In a battle of eight turns, napoleonic-figures: heavy cavalry against a battalion’s front",
            &battles,
            &fought[0],
        ),
        part("The same against its flank", &battles, &fought[1]),
    ];
    let caption = "Computed exactly, packs bluecher-shock and napoleonic-figures. Rerun: just picture";
    let chart = beside(&parts, &finding, caption).ok_or("there is nothing to draw")?;
    std::fs::write(&out, chart.png(Size::Page, Theme::Light)?)?;
    println!("{}: {}", out.display(), chart.finding());
    Ok(())
}

fn study(root: &Path, name: &str) -> Result<Study, String> {
    let mut sources = Sources::new();
    let path = root.join("studies").join(name).with_extension("toml");
    Study::load(&path, &Changes::default(), &mut sources).map_err(|faults| faults.render(&sources, false))
}

/// The cell with these values at these paths.
fn cell(study: &Study, values: &[(&str, &str)]) -> u32 {
    let has = |cell: &&grognard_lab::study::Cell| {
        values.iter().all(|(path, value)| {
            cell.header.vary.iter().any(|setting| setting.path == *path && setting.value.text == *value)
        })
    };
    study.cells.iter().find(has).map_or(u32::MAX, |cell| cell.header.cell)
}

fn solved(study: &Study, cells: Vec<u32>) -> Result<Results, grognard_lab::exact::ExactError> {
    let options = SolveOptions { limits: Limits::default(), cells, time: None, threads: 1, command: String::new() };
    options.solve(study, &Nobody, &Stop::new())
}
