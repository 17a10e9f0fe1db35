//! Sides deployed in a named array, and deployments refused with the clause that forbids them.

use crate::common::{drill, unit};
use grognard_engine::{
    Approach, Array, ArrayPlan, Battle, BySide, Deployment, Misdeployment, Side, SidePlan, TerrainPlan, UnitPlan,
    deploy,
};

fn side(name: &str, array: Option<Array>, units: &[UnitPlan]) -> SidePlan {
    SidePlan {
        name: name.into(),
        doctrine: Some("hold".into()),
        units: units.to_vec(),
        array: array.map(|array| ArrayPlan { array, at: None, interval: None, lines: None }),
        ..SidePlan::default()
    }
}

fn plan(first: SidePlan, second: SidePlan) -> Deployment {
    Deployment { sides: BySide::new(first, second), turns: 8, ..Deployment::default() }
}

fn battle(plan: &Deployment) -> Battle {
    deploy(drill(), plan).unwrap_or_else(|faults| panic!("{faults:#?}")).start
}

fn refused(plan: &Deployment) -> Vec<Misdeployment> {
    deploy(drill(), plan).expect_err("this deployment is refused")
}

fn column() -> UnitPlan {
    unit("line-battalion").formation("column").plan()
}

/// A battle whose first side is drawn up in this array, against one battalion.
fn drawn_up(array: Array, units: &[UnitPlan]) -> Battle {
    battle(&plan(side("red", Some(array), units), side("blue", Some(Array::LineAbreast), &[column()])))
}

/// The fronts of the first side, in hundredths of an inch.
fn places(battle: &Battle) -> Vec<(i32, i32)> {
    battle.side(Side::First).map(|id| (battle.unit(id).front.x, battle.unit(id).front.y)).collect()
}

#[test]
fn a_line_abreast_is_dressed_on_its_middle() {
    // Columns of twelve are 2" wide; with an inch between them, their centres are 3" apart. The first side is north of
    // the middle and faces south, so its right is in the west.
    let battle = drawn_up(Array::LineAbreast, &[column(), column(), column()]);
    assert_eq!(places(&battle), [(300, 1200), (0, 1200), (-300, 1200)]);
    assert!(battle.side(Side::First).all(|id| battle.unit(id).heading.tenths() == 1800));
    let enemy = battle.side(Side::Second).next().expect("one battalion");
    assert_eq!((battle.unit(enemy).front.y, battle.unit(enemy).heading.tenths()), (-1200, 0));
}

#[test]
fn two_lines_stand_six_inches_apart() {
    // The columns are 1.5" deep: the second line's front is 7.5" behind the first line's.
    let battle = drawn_up(Array::TwoLines, &[column(), column(), column()]);
    assert_eq!(places(&battle), [(150, 1200), (-150, 1200), (0, 1950)]);
}

#[test]
fn a_screen_goes_ahead() {
    let screen = unit("light-battalion").figures(4).formation("skirmish").plan();
    let battle = drawn_up(Array::ScreenAhead, &[column(), screen.clone(), column()]);
    assert_eq!(places(&battle), [(150, 1850), (0, 1200), (-150, 1850)]);
    let nobody =
        plan(side("red", Some(Array::ScreenAhead), &[column()]), side("blue", Some(Array::LineAbreast), &[column()]));
    assert_eq!(refused(&nobody)[0].path, "red.deployment");
}

#[test]
fn one_behind_another_closes_up_to_an_inch() {
    let battle = drawn_up(Array::OneBehindAnother, &[column(), column()]);
    assert_eq!(places(&battle), [(0, 1200), (0, 1450)]);
}

#[test]
fn a_unit_with_a_place_of_its_own_keeps_it() {
    let placed = unit("line-battalion").formation("column").at(10.0, 5.0).plan();
    let battle = drawn_up(Array::LineAbreast, &[column(), placed]);
    assert_eq!(places(&battle), [(0, 1200), (1000, 500)]);
}

#[test]
fn units_without_places_face_each_other_across_the_distance() {
    let plan =
        plan(side("red", None, &[unit("line-battalion").plan()]), side("blue", None, &[unit("line-battalion").plan()]));
    for (approach, red) in [(Approach::Front, 1800), (Approach::Flank, 2700), (Approach::Rear, 0)] {
        let battle = battle(&Deployment { distance: Some(1200), approach, ..plan.clone() });
        let headings: Vec<u16> = battle.units.iter().map(|unit| unit.heading.tenths()).collect();
        assert_eq!(headings, [red, 0], "{approach:?}");
    }
}

#[test]
fn sixteen_units_a_side_can_be_drawn_up() {
    let units = vec![column(); 16];
    let drawn = |name| side(name, Some(Array::TwoLines), &units);
    let battle = battle(&plan(drawn("red"), drawn("blue")));
    assert_eq!(battle.units.len(), 32);
}

#[test]
fn what_cannot_be_is_refused_with_its_clause() {
    let fault = |unit: UnitPlan| {
        let far = crate::common::unit("line-battalion").at(0.0, 20.0).plan();
        refused(&plan(side("red", None, &[unit]), side("blue", None, &[far])))
    };
    let line = || unit("line-battalion").at(0.0, 0.0);
    let eleven = unit("light-battalion").figures(11).at(0.0, 0.0).plan();
    // The number of figures in a battalion is a house value, so no clause is cited.
    assert_eq!(fault(eleven)[0].message, "Light battalion cannot have 11 figures");
    let square = unit("heavy-cavalry").formation("square").at(0.0, 0.0).plan();
    assert!(fault(square)[0].message.contains("(8.30)"));
    assert!(fault(line().at(35.0, 0.0).plan())[0].message.contains("off the table"));
    let twice = refused(&plan(side("red", None, &[line().plan()]), side("blue", None, &[line().plan()])));
    assert!(twice[0].message.contains("stand on the same ground (7.12, 7.41)"), "{twice:?}");
}

#[test]
fn terrain_is_checked() {
    let wrong = |terrain: TerrainPlan| {
        let sides = |name| side(name, Some(Array::LineAbreast), &[column()]);
        refused(&Deployment { terrain: vec![terrain], ..plan(sides("red"), sides("blue")) })
    };
    let misspelt = wrong(crate::common::line_of("hegde", (0.0, 0.0), (1.0, 0.0)));
    assert_eq!(
        (misspelt[0].path.as_str(), misspelt[0].help.as_deref()),
        ("terrain.0.ground", Some("did you mean `hedge`?"))
    );
    let pointless = wrong(crate::common::line_of("hedge", (1.0, 0.0), (1.0, 0.0)));
    assert!(pointless[0].message.contains("must not end where it begins"));
    let flat = wrong(crate::common::block_of("woods", (0.0, 0.0), (0.0, 4.0)));
    assert!(flat[0].message.contains("must have a width"));
    let drawn = wrong(crate::common::line_of("woods", (0.0, 0.0), (1.0, 0.0)));
    assert!(drawn[0].message.contains("no thickness of its own"));
}
