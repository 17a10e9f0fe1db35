//! Generated from notebooks/your-own-pack.ipynb; do not edit by hand: see `main.rs`.

#[test]
#[rustfmt::skip]
fn shows_what_is_kept() -> Result<(), Box<dyn std::error::Error>> {
super::page::open();

// Cell 2
super::page::cell(2);
use grognard_kit::Study;
use plotters::prelude::*;

// Cell 3
super::page::cell(3);
let pack = r#"
pack = "patrols"
title = "Patrols"
version = "0.1.0"
board = "none"
arms = ["infantry"]
morale = { state = [{ id = "steady" }] }

[attribute.skill]
title = "skill: a die of this or more hits"
min = 2
max = 6

[unit.patrol]
title = "Patrol"
arm = "infantry"
figures = 8
is = { skill = 5 }

[unit.marksmen]
title = "Marksmen"
arm = "infantry"
figures = 8
is = { skill = 4 }

[roll.shoot]
title = "shooting"
mechanic = "opposed"
own = { dice = "d6", count = "self.figures", read = "successes", need = "self.skill" }
foe = { dice = "d6", count = "foe.figures", read = "successes", need = "foe.skill" }
result = [{ id = "hits", own = { lose = "foe" }, foe = { lose = "own" } }]

[[phase]]
id = "shooting"
title = "Shooting"
mechanism = "exchange"
roll = "shoot"
half = "first"

[victory]
broken = 100
"#;
let study = r#"
study = "patrols"
title = "What is a better aim worth?"
pack = "made/patrols"
seed = 1
runs = 10_000
turns = 40

[side.marksmen]
units = [{ type = "marksmen", figures = 4 }]

[side.patrol]
units = [{ type = "patrol" }]

[vary]
"marksmen.0.figures" = { from = 3, to = 8 }
"#;
std::fs::create_dir_all("made/patrols")?;
std::fs::write("made/patrols/pack.toml", pack)?;

// Cell 4
super::page::cell(4);
let study = Study::from_text(study)?;
let slip = study.clone().set("marksmen.0.type", "marksman")?;
if let Err(fault) = slip.check() {
    println!("{fault}");
}

// Cell 5
super::page::cell(5);
let sampled = study.fight().run()?;
let exact = study.exact().run()?;
for (sampled, exact) in sampled.cells().zip(exact.cells()) {
    let (sampled, exact) = (sampled.estimate("marksmen")?, exact.estimate("marksmen")?);
    println!("exact {:5.2} %, fought {}", 100.0 * exact.point, sampled.percent());
}

// Cell 6
super::page::cell(6);
let shown = evcxr_figure((760, 440), |root| {
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("How many marksmen hold a patrol of eight", ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(2.6..8.4, 0.0..100.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style(("sans-serif", 14))
        .x_labels(6)
        .x_label_formatter(&|men| format!("{men:.0}"))
        .y_labels(6)
        .y_label_formatter(&|share| format!("{share:.0} %"))
        .x_desc("marksmen")
        .y_desc("battles that they win")
        .draw()?;
    let (blue, path) = (RGBColor(0, 90, 156), "marksmen.0.figures");
    let mut line = Vec::new();
    for cell in exact.cells() {
        line.push((cell.value_as_number(path).unwrap_or_default(), 100.0 * cell.estimate("marksmen")?.point));
    }
    chart.draw_series([PathElement::new(line, BLACK.mix(0.5).stroke_width(1))])?;
    for cell in sampled.cells() {
        let (men, wins) = (cell.value_as_number(path).unwrap_or_default(), cell.estimate("marksmen")?);
        let at = |share: f64| (men, 100.0 * share);
        chart.draw_series([PathElement::new(vec![at(wins.low), at(wins.high)], blue.stroke_width(3))])?;
        chart.draw_series([Circle::new(at(wins.point), 4, blue.filled())])?;
        let style = ("sans-serif", 14).into_font().color(&BLACK);
        chart.draw_series([EmptyElement::at(at(wins.point)) + Text::new(wins.percent_point(), (9, 2), style)])?;
    }
    Ok(())
});
super::page::show(&shown);

super::page::hold("your-own-pack");
Ok(())
}
