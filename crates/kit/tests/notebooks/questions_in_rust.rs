//! Generated from notebooks/questions-in-rust.ipynb; do not edit by hand: see `main.rs`.

#[test]
#[rustfmt::skip]
fn shows_what_is_kept() -> Result<(), Box<dyn std::error::Error>> {
super::page::open();

// Cell 2
super::page::cell(2);
use grognard_kit::{Study, roll};
use plotters::prelude::*;

// Cell 3
super::page::cell(3);
let (three, two) = (roll("3d6kh1")?, roll("2d6kh1")?);
for total in three.totals() {
    println!("{total}: {:5.2} %", 100.0 * three.chance(|other| other == total).value);
}
let [ahead, level, behind] = three.against(&two)?.map(|chance| 100.0 * chance.value);
println!("ahead in {ahead:.2} of 100 throws, level in {level:.2}, behind in {behind:.2}");

// Cell 4
super::page::cell(4);
let duel = r#"
    study = "duel"
    pack = "refduel"
    turns = 12
    side.a.units = [{ type = "one-up" }]
    side.b.units = [{ type = "plain" }]
    target = [{ says = "One up is no sure thing", metric = "a score", band = ["70 %", "80 %"] }]
"#;
let duel = Study::from_text(duel)?;
let even = duel.find("unit.plain.figures", "even").run()?;
for cell in &even.cells {
    for crossing in &cell.crossings {
        println!("even at {:.1} figures ({:.1} to {:.1})", crossing.at.value, crossing.at.low, crossing.at.high);
    }
}

// Cell 5
super::page::cell(5);
let verdicts = duel.judge().run()?;
for target in &verdicts.targets {
    let worst = target.worst().expect("it was fought");
    println!("{}: {:?}, {}", target.target.says, target.state, worst.metric.percent());
}
let tune = duel.tune(["unit.plain.figures", "unit.one-up.figures"]).run()?;
for (path, from, to) in tune.change() {
    println!("{path}: {} becomes {}", from / 1000, to / 1000);
}

// Cell 6
super::page::cell(6);
let table = Study::load("square-vs-line")?.set("approach", "front")?.matchups().run()?;
println!("the attacker scores {}", table.matched.value.percent());
for (choice, weight) in table.grid.rows.iter().zip(&table.matched.best.rows) {
    println!("attacker: {choice} in {:.0} of 100 battles", 100.0 * weight);
}
for (choice, weight) in table.grid.columns.iter().zip(&table.matched.best.columns) {
    println!("defender: {choice} in {:.0} of 100 battles", 100.0 * weight);
}

// Cell 7
super::page::cell(7);
let prices = Study::load("hex-armies")?.points(300).runs(16).run()?;
for unit in &prices.units {
    println!("{:18} {:5.1} points ({:.1} to {:.1})", unit.name, unit.points.point, unit.points.low, unit.points.high);
}

// Cell 8
super::page::cell(8);
let worth = Study::load("refduel")?.ablate("a score").runs(20_000).run()?;
let shown = evcxr_figure((700, 300), |root| {
    root.fill(&WHITE)?;
    let rules = &worth.rules;
    let last = rules.len() as i32 - 1;
    let mut chart = ChartBuilder::on(&root)
        .caption("What each rule of the reference duel is worth", ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(190)
        .build_cartesian_2d(-30.0..80.0, (0..last).into_segmented())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style(("sans-serif", 14))
        .y_labels(rules.len())
        .y_label_formatter(&|row: &SegmentValue<i32>| match row {
            SegmentValue::CenterOf(row) | SegmentValue::Exact(row) => rules[(last - row).clamp(0, last) as usize].switch.name(),
            SegmentValue::Last => String::new(),
        })
        .x_desc("points of a score, with 95 % intervals that hold together")
        .draw()?;
    for (place, rule) in (0..).zip(rules) {
        let at = |share: f64| (100.0 * share, SegmentValue::CenterOf(last - place));
        let worth = &rule.worth;
        chart.draw_series([PathElement::new(vec![at(worth.low), at(worth.high)], BLACK.stroke_width(3))])?;
        chart.draw_series([Circle::new(at(worth.point), 5, RGBColor(0, 90, 156).filled())])?;
    }
    Ok(())
});
super::page::show(&shown);

// Cell 9
super::page::cell(9);
let drafts = duel.clone().vary("unit.plain.figures", [20, 18])?;
let fought = drafts.fight().runs(20_000).run()?;
for cell in fought.cells() {
    let gain = cell.difference("a")?.map_or_else(String::new, |gain| {
        format!(", {:+.1} points ({:+.1} to {:+.1})", 100.0 * gain.point, 100.0 * gain.low, 100.0 * gain.high)
    });
    println!("{}: a wins {}{gain}", cell.label(), cell.estimate("a")?.percent());
}

// Cell 10
super::page::cell(10);
let cell = fought.cell(0)?;
for ([turns], share) in cell.histogram([grognard_kit::Metric::Turns])?.iter() {
    println!("{turns:2} turns {:5.1} %", 100.0 * share);
}
println!("{:.2} turns on average", cell.estimate("turns")?.point);

super::page::hold("questions-in-rust");
Ok(())
}
