//! Generated from notebooks/tuning-a-modifier.ipynb; do not edit by hand: see `main.rs`.

#[test]
#[rustfmt::skip]
fn shows_what_is_kept() -> Result<(), Box<dyn std::error::Error>> {
super::page::open();

// Cell 2
super::page::cell(2);
use grognard_kit::{Pack, Study};
use plotters::prelude::*;

// Cell 3
super::page::cell(3);
let path = "roll.shock.modifier.square-against-cavalry.add";
for (known, value) in Pack::load("napoleonic-figures")?.numbers() {
    if known.contains("square") {
        println!("{value:>6}  {known}");
    }
}

// Cell 4
super::page::cell(4);
let study = format!(
    r#"
study = "square-bonus"
title = "What must the square's bonus be?"
pack = "napoleonic-figures"
seed = 1
runs = 10_000
turns = 8
distance = 12

[side.attacker]
doctrine = "charge-home"
units = [{{ type = "heavy-cavalry", formation = "line", at = [0, 16], facing = "enemy" }}]

[side.defender]
doctrine = "stand"
units = [{{ type = "line-battalion", formation = "square", at = [0, 0], facing = "enemy" }}]

[vary]
"{path}" = {{ from = 0, to = 12 }}

[report]
baseline = {{ "{path}" = 7 }}
"#
);
let answer = Study::from_text(study)?.fight().run()?;
println!("{answer}");

// Cell 5
super::page::cell(5);
let wanted = 0.10;
let mut best = (f64::INFINITY, String::new());
for cell in answer.cells() {
    let broken = cell.estimate("attacker")?;
    if (broken.point - wanted).abs() < best.0 {
        best = ((broken.point - wanted).abs(), format!("{}: the square is broken in {}", cell.label(), broken.percent()));
    }
}
println!("{}", best.1);
for cell in answer.cells() {
    if let Some(change) = cell.difference("attacker")? {
        println!("{} instead of 7: broken {} more often", cell.label(), change.points());
    }
}

// Cell 6
super::page::cell(6);
let shown = evcxr_figure((760, 440), |root| {
    root.fill(&WHITE)?;
    let mut points = Vec::new();
    for cell in answer.cells() {
        let broken = cell.estimate("attacker")?;
        points.push((cell.value_as_number(path).unwrap_or_default(), broken));
    }
    let mut chart = ChartBuilder::on(&root)
        .caption("How often heavy cavalry breaks the square, by its bonus", ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(-0.4..12.4, 0.0..100.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.12))
        .label_style(("sans-serif", 14))
        .x_labels(13)
        .x_label_formatter(&|bonus| format!("+{bonus:.0}"))
        .y_labels(6)
        .y_label_formatter(&|share| format!("{share:.0} %"))
        .x_desc("modifier of the square in shock against cavalry")
        .draw()?;
    let blue = RGBColor(0, 90, 156);
    let ends = points.iter().map(|(bonus, broken)| (*bonus, 100.0 * broken.low));
    let band: Vec<_> = ends.chain(points.iter().rev().map(|(bonus, broken)| (*bonus, 100.0 * broken.high))).collect();
    chart.draw_series([Polygon::new(band, blue.mix(0.25))])?;
    let line: Vec<_> = points.iter().map(|(bonus, broken)| (*bonus, 100.0 * broken.point)).collect();
    chart.draw_series([PathElement::new(line, blue.stroke_width(2))])?;
    let grey = RGBColor(110, 110, 110);
    chart.draw_series([PathElement::new(vec![(-0.4, 100.0 * wanted), (12.4, 100.0 * wanted)], grey)])?;
    let style = ("sans-serif", 14).into_font();
    chart.draw_series([Text::new("one in ten", (10.4, 100.0 * wanted + 5.0), style.clone().color(&grey))])?;
    if let Some((bonus, broken)) = points.iter().find(|(bonus, _)| *bonus == 7.0) {
        let at = (*bonus, 100.0 * broken.point);
        chart.draw_series([Circle::new(at, 5, blue.filled())])?;
        let words = format!("as the pack has it: {}", broken.percent_point());
        chart.draw_series([EmptyElement::at(at) + Text::new(words, (8, -20), style.color(&BLACK))])?;
    }
    Ok(())
});
super::page::show(&shown);

super::page::hold("tuning-a-modifier");
Ok(())
}
