//! Generated from notebooks/square-against-line.ipynb; do not edit by hand: see `main.rs`.

#[test]
#[rustfmt::skip]
fn shows_what_is_kept() -> Result<(), Box<dyn std::error::Error>> {
super::page::open();

// Cell 2
super::page::cell(2);
use grognard_kit::{Side, Study};
use plotters::prelude::*;

// Cell 3
super::page::cell(3);
let study = Study::load("square-vs-line")?.set("attacker.0.type", "heavy-cavalry")?;
let answer = study.fight().runs(10_000).seed(1815).run()?;
println!("{answer}");

// Cell 4
super::page::cell(4);
for cell in answer.with([("defender.0.formation", "square")])? {
    let from = cell.value("approach").unwrap_or_default();
    if let Some(gain) = cell.difference("attacker")? {
        println!("square instead of line, charged from the {from}: the attacker wins {}", gain.points());
    }
}

// Cell 5
super::page::cell(5);
let shown = evcxr_figure((760, 440), |root| {
    root.fill(&WHITE)?;
    let last = answer.cells().len() as i32 - 1;
    let labels: Vec<&str> = answer.cells().map(|cell| cell.label()).collect();
    let mut chart = ChartBuilder::on(&root)
        .caption("The square is seldom broken, whatever the side; the line is lost", ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(220)
        .build_cartesian_2d(0.0..112.0, (0..last).into_segmented())?;
    let row = |place: &SegmentValue<i32>| match place {
        SegmentValue::CenterOf(row) | SegmentValue::Exact(row) => labels[(last - row).clamp(0, last) as usize].to_owned(),
        SegmentValue::Last => String::new(),
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style(("sans-serif", 14))
        .x_labels(6)
        .x_label_formatter(&|share| format!("{share:.0}"))
        .y_labels(labels.len())
        .y_label_formatter(&row)
        .x_desc("battles in 100 that the attacker wins, with 95 % intervals")
        .draw()?;
    for (place, cell) in (0..).zip(answer.cells()) {
        let wins = cell.estimate("attacker")?;
        let colour = match cell.value("defender.0.formation") {
            Some("square") => RGBColor(0, 90, 156),
            _ => RGBColor(120, 120, 120),
        };
        let at = |share: f64| (100.0 * share, SegmentValue::CenterOf(last - place));
        chart.draw_series([PathElement::new(vec![at(wins.low), at(wins.high)], colour.stroke_width(3))])?;
        chart.draw_series([Circle::new(at(wins.point), 5, colour.filled())])?;
        let style = ("sans-serif", 14).into_font().color(&BLACK);
        let number = EmptyElement::at(at(wins.point)) + Text::new(wins.percent_point(), (11, -7), style);
        chart.draw_series([number])?;
    }
    Ok(())
});
super::page::show(&shown);

// Cell 6
super::page::cell(6);
for line in study.cell(6)?.battle(4).narrate()?.iter().take(24) {
    println!("{line}");
}

// Cell 7
super::page::cell(7);
let closer = study.fight().runs(1_000_000).seed(1815).precision(0.004).run()?;
let shares = closer.cells().flat_map(|cell| [cell.share(Side::First), cell.draws(), cell.share(Side::Second)]);
let widest = shares.map(|share| share.half_width()).fold(0.0, f64::max);
println!("{} battles a cell, no share worse than ±{:.2} points", closer.battles(), 100.0 * widest);

super::page::hold("square-against-line");
Ok(())
}
