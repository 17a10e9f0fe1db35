//! Studies: the cells to which they expand, and the messages for bad ones.

use grognard_engine::{FacingPlan, Side, SidePlan};
use grognard_rules::model::KindId;
use grognard_source::Value;

use super::names::entries;
use super::variants::Variants;
use super::*;
use crate::progress::{Silent, Stop};
use crate::runner::{Discard, Fighter, Tallied, run};
use crate::testing::options;

const DUEL: &str = r#"
study = "duel"
pack = "risk"
[side.attacker]
units = [{ type = "army", figures = 5 }]
[side.defender]
units = [{ type = "army", figures = 5 }]
"#;

/// A third side for [`DUEL`].
const THIRD: &str = "[side.third]\nunits = [{ type = 'army' }]\n";

fn read_with(text: &str, changes: &[&str]) -> Result<Study, String> {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    let set = changes.iter().map(|change| {
        let argument = sources.add("--set", *change);
        Override::parse(argument, &sources).unwrap()
    });
    let changes = Changes { set: set.collect(), ..Changes::default() };
    Study::read(file, None, &changes, &mut sources).map_err(|faults| faults.render(&sources, false))
}

fn read(text: &str) -> Study {
    read_with(text, &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The message for a study that begins like [`DUEL`].
fn faults(rest: &str) -> String {
    read_with(&format!("{DUEL}{rest}"), &[]).map(|study| study.cells.len()).unwrap_err()
}

fn labels(study: &Study) -> Vec<&str> {
    study.cells.iter().map(|cell| cell.header.label.as_str()).collect()
}

fn figures(study: &Study) -> Vec<[u32; 2]> {
    study.cells.iter().map(|cell| [cell.header.figures[0], cell.header.figures[1]]).collect()
}

#[test]
fn a_study_without_variation_is_one_cell() {
    let study = read(DUEL);
    assert_eq!(labels(&study), ["duel"]);
    assert_eq!(study.sides, ["attacker", "defender"]);
    assert_eq!((study.seed, study.runs), (1, 100_000));
    assert_eq!(study.cells[0].header.baseline, None);
    assert_eq!((study.cells[0].header.turns, figures(&study)), (12, vec![[5, 5]]));
}

/// The author's analysis of a study's numbers is not repeated for other numbers.
#[test]
fn an_analysis_is_of_the_study_as_it_is_written() {
    let text = format!("{DUEL}[report]\nanalysis = \"\"\"\nThe attacker wins.\"\"\"\nhighlights = [\"It does.\"]\n");
    let written = read(&text);
    assert_eq!(written.report.analysis, "The attacker wins.");
    let more = Changes { runs: Some(10), seed: Some(3), ..Changes::default() };
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text.as_str());
    assert_eq!(Study::read(file, None, &more, &mut sources).unwrap().report, written.report);
    let changed = read_with(&text, &["attacker.0.figures=3"]).unwrap();
    assert!(changed.report.analysis.starts_with("The study’s own analysis is omitted"), "{:?}", changed.report);
    assert!(changed.report.highlights.is_empty() && !changed.header.text.contains("The attacker wins"));
    // If a study has no analysis, no sentence says that one is omitted.
    assert_eq!(read_with(DUEL, &["attacker.0.figures=3"]).unwrap().report.analysis, "");
}

#[test]
fn the_first_side_of_the_file_moves_first() {
    let study = read(
        "study = 'duel'\npack = 'risk'\n[side.zulu]\nunits = [{ type = 'army' }]\n[side.alpha]\nunits = [{ type = 'army' }]\n",
    );
    assert_eq!(study.sides, ["zulu", "alpha"]);
}

#[test]
fn the_full_grid_is_expanded_with_the_last_path_running_fastest() {
    let study = read(&format!(
        "{DUEL}[vary]\n'attacker.0.figures' = [3, 5]\n'defender.0.figures' = {{ from = 1, to = 6, step = 2 }}\n"
    ));
    assert_eq!(figures(&study), [[3, 1], [3, 3], [3, 5], [5, 1], [5, 3], [5, 5]]);
    assert_eq!(labels(&study)[4], "figures 5, figures 3");
    // By default, cells are compared with the first value of the first path.
    let baselines: Vec<_> = study.baselines().into_iter().flatten().collect();
    assert_eq!(baselines, [0, 1, 2, 0, 1, 2]);
    assert_eq!(study.vary[1].path, "defender.0.figures");
    let numbers: Vec<_> = study.vary[1].values.iter().map(|value| value.number).collect();
    assert_eq!(numbers, [Some(1.0), Some(3.0), Some(5.0)]);
}

#[test]
fn pairs_go_together_and_multiply_the_grid() {
    let study = read(&format!(
        "{DUEL}[vary]\nturns = [2, 4]\n[pairs]\n'attacker.0.figures' = [1, 2, 3]\n'defender.0.figures' = [4, 5, 6]\n"
    ));
    assert_eq!(figures(&study), [[1, 4], [2, 5], [3, 6], [1, 4], [2, 5], [3, 6]]);
    let turns: Vec<_> = study.cells.iter().map(|cell| cell.header.turns).collect();
    assert_eq!(turns, [2, 2, 2, 4, 4, 4]);
}

/// Three armies on a table, and sides that take them.
const ARMIES: &str = "study = 'armies'\npack = 'napoleonic-figures'\n\
    [army.horse]\nunits = [{ type = 'heavy-cavalry', at = [3, -8.5], facing = 30 }]\n\
    [army.foot]\nunits = [{ type = 'line-battalion', at = [0, -8] }, { type = 'line-battalion', at = [9, -8], formation = 'column' }]\n\
    [side.red]\ndoctrine = 'charge-home'\narmy = 'horse'\n[side.blue]\ndoctrine = 'stand'\n";

#[test]
fn sides_take_the_armies_that_they_name() {
    let study = read(&format!("{ARMIES}[vary]\n'red.army' = ['horse', 'foot']\n'blue.army' = ['foot', 'horse']\n"));
    let types = |cell: usize| -> Vec<(Side, &str)> {
        let cell = &study.cells[cell];
        let units = cell.setup.start.units.iter();
        units.map(|unit| (unit.side, cell.rules.kinds[unit.kind].id.as_str())).collect()
    };
    let (red, blue) = (Side::First, Side::Second);
    assert_eq!(types(0), [(red, "heavy-cavalry"), (blue, "line-battalion"), (blue, "line-battalion")]);
    assert_eq!(types(1), [(red, "heavy-cavalry"), (blue, "heavy-cavalry")]);
    assert_eq!(types(3), [(red, "line-battalion"), (red, "line-battalion"), (blue, "heavy-cavalry")]);
    assert_eq!(labels(&study)[1], "horse, horse");
}

/// Places and facings of the second side are rotated by half a turn; those of the first are as written.
#[test]
fn the_second_side_has_an_army_on_its_own_end_of_the_table() {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", format!("{ARMIES}army = 'horse'\n"));
    let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let plan = variants.deployment(0).expect("a deployment").expect("a cell");
    let place = |side: &SidePlan| (side.units[0].at, side.units[0].facing);
    let heading = |tenths| Some(FacingPlan::Heading(tenths));
    assert_eq!(place(&plan.sides.first), (Some((300, -850)), heading(300)));
    assert_eq!(place(&plan.sides.second), (Some((-300, 850)), heading(2_100)));
}

/// Paths lead into the units of whatever army a side has, wherever the paths are in the file.
#[test]
fn values_are_put_into_the_units_of_armies() {
    let text = format!(
        "{ARMIES}[vary]\n'blue.0.figures' = [4, 6]\n'blue.army' = ['horse', 'foot']\n[set]\n'red.0.figures' = 3\n"
    );
    let of_blue: Vec<u32> = figures(&read(&text)).iter().map(|cell| cell[1]).collect();
    assert_eq!(of_blue[2] - of_blue[0], 2);
    assert_eq!(of_blue[3] - of_blue[1], 2);
    assert!(figures(&read(&text)).iter().all(|cell| cell[0] == 3));
    // A value for all cells must be valid for every army.
    let text = format!("{ARMIES}[vary]\n'blue.army' = ['horse', 'foot']\n");
    let study = read_with(&text, &["blue.0.figures=5"]);
    assert!(study.is_err_and(|said| said.contains("blue.0")), "blue has no army of its own to put it into");
    let study =
        read_with(&text.replace("'stand'\n", "'stand'\narmy = 'foot'\n"), &["blue.0.figures=5"]).expect("figures");
    assert_eq!(figures(&study)[0][1], 5);
    // A varied army brings its other keys to the side, unless the side has them itself.
    let text = ARMIES.replace("[army.foot]\n", "[army.foot]\ndeployment = 'two lines'\n");
    assert_eq!(figures(&read(&format!("{text}[vary]\n'blue.army' = ['horse', 'foot']\n"))).len(), 2);
}

#[test]
fn armies_that_cannot_be_taken_are_told() {
    let said = |rest: &str| read_with(&format!("{ARMIES}{rest}"), &[]).map(|study| study.cells.len()).unwrap_err();
    let none = said("");
    assert!(none.contains("the side `blue` has no units") && none.contains("the name of an `army`"), "{none}");
    let unknown = said("army = 'hoarse'\n");
    assert!(unknown.contains("there is no army `hoarse`") && unknown.contains("did you mean `horse`?"), "{unknown}");
    let varied = said("[vary]\n'blue.army' = ['horse', 'elephants']\n");
    assert!(varied.contains("there is no army `elephants`"), "{varied}");
    let both = said("army = 'foot'\nunits = [{ type = 'light-battalion' }]\n");
    assert!(both.contains("units of its own and the army `foot`") && both.contains("remove its `units`"), "{both}");
    let orders = read_with(&ARMIES.replace("[army.horse]\n", "[army.horse]\ndoctrine = 'stand'\n"), &[]);
    assert!(orders.is_err_and(|said| said.contains("doctrine")), "an army has no doctrine");
    let third = said("army = 'foot'\n[vary]\n'blue.1.figures' = [4, 6]\n'blue.army' = ['foot', 'horse']\n");
    assert!(third.contains("blue.1"), "{third}");
}

#[test]
fn cells_that_are_written_out_stand_alone() {
    let cells = "[[cells]]\n'attacker.0.figures' = 2\nlabel = 'weak'\n[[cells]]\n'defender.0.figures' = 9\n";
    let study = read(&format!("{DUEL}{cells}"));
    assert_eq!(figures(&study), [[2, 5], [5, 9]]);
    assert_eq!(labels(&study), ["weak", "figures 9"]);
    assert_eq!(study.baselines(), [Some(0), Some(0)]);

    let with_grid = read(&format!("{DUEL}[vary]\nturns = [1, 2]\n{cells}"));
    assert_eq!(figures(&with_grid), [[5, 5], [5, 5], [2, 5], [5, 9]]);
    assert_eq!(with_grid.baselines(), [Some(0), Some(0), Some(2), Some(2)]);
}

#[test]
fn paths_may_be_spread_over_nested_tables() {
    let quoted = read(&format!("{DUEL}[vary]\n'attacker.0.figures' = [1, 2]\n[set]\n'defender.0.figures' = 3\n"));
    let nested = read(&format!("{DUEL}[vary]\nattacker.0.figures = [1, 2]\n[set.defender.0]\nfigures = 3\n"));
    assert_eq!(figures(&quoted), [[1, 3], [2, 3]]);
    assert_eq!(nested.vary, quoted.vary);
    assert_eq!(nested.identity, quoted.identity);
    assert_eq!(nested.header.text, quoted.header.text);
}

#[test]
fn a_baseline_is_where_the_study_says() {
    let vary = "[vary]\n'attacker.0.figures' = [1, 2]\n'defender.0.figures' = [3, 4, 5]\n[report]\n";
    let baselines = |text: &str| {
        let study = read(&format!("{DUEL}{vary}{text}"));
        study.baselines().into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(baselines("baseline = { 'defender.0.figures' = 4 }\n"), [1, 1, 1, 4, 4, 4]);
    assert_eq!(baselines("baseline = { 'defender.0.figures' = 4.0 }\n"), [1, 1, 1, 4, 4, 4]);
    assert_eq!(baselines("baseline.attacker.0.figures = 2\n"), [3, 4, 5, 3, 4, 5]);
    assert_eq!(baselines("baseline = { 'defender.0.figures' = 5, 'attacker.0.figures' = 2 }\n"), [5, 5, 5, 5, 5, 5]);
    assert_eq!(baselines("baseline = 3\n"), [3, 3, 3, 3, 3, 3]);
    let bad = faults(&format!("{vary}baseline = {{ 'defender.0.figures' = 6 }}\n"));
    assert!(bad.contains("`defender.0.figures` is never 6"), "{bad}");
    assert!(bad.contains("its values are 3, 4, 5"), "{bad}");
    let bad = faults(&format!("{vary}baseline = {{ 'defender.0.figure' = 3 }}\n"));
    assert!(bad.contains("did you mean `defender.0.figures`?"), "{bad}");
    let bad = faults(&format!("{vary}baseline = 6\n"));
    assert!(bad.contains("there is no cell 6 for the baseline"), "{bad}");
}

#[test]
fn cells_with_the_same_pack_share_their_rules() {
    let study = read(&format!("{DUEL}[vary]\n'unit.army.figures' = [30, 40]\n'attacker.0.figures' = [1, 2, 3]\n"));
    let rules = |cell: usize| &study.cells[cell].rules;
    assert!(Arc::ptr_eq(rules(0), rules(2)) && Arc::ptr_eq(rules(3), rules(5)));
    assert!(!Arc::ptr_eq(rules(0), rules(3)));
    assert_eq!(rules(0).kinds[KindId::FIRST].figures, 30);
    assert_eq!(rules(3).kinds[KindId::FIRST].figures, 40);
}

#[test]
fn the_command_line_sets_values_and_pins_varied_paths() {
    let text = format!(
        "{DUEL}[vary]\n'attacker.0.figures' = [1, 2]\n'defender.0.figures' = [3, 4]\n[report]\nbaseline = {{ 'attacker.0.figures' = 1 }}\n"
    );
    let pinned = read_with(&text, &["attacker.0.figures=7", "unit.army.figures=39", "turns=3"]).unwrap();
    assert_eq!(figures(&pinned), [[7, 3], [7, 4]]);
    assert_eq!(pinned.cells[0].rules.kinds[KindId::FIRST].figures, 39);
    assert_eq!(pinned.cells[0].header.turns, 3);
    assert_eq!(labels(&pinned), ["figures 3", "figures 4"]);
    let bad = read_with(&text, &["attacker.0.figure=7"]).unwrap_err();
    assert!(bad.contains("--set:1:1") && bad.contains("did you mean `attacker.0.figures`?"), "{bad}");
    let bad = read_with(&text, &["attacker.0.figures=seven"]).unwrap_err();
    assert!(bad.contains("--set:1:20"), "{bad}");
}

#[test]
fn the_text_in_the_manifest_is_the_study_that_was_fought() {
    let text = format!(
        "{DUEL}[vary]\n'attacker.0.figures' = [1, 2]\nturns = {{ from = 2, to = 3 }}\n[pairs]\n'defender.0.figures' = [3, 4]\n"
    );
    let fought = read_with(&text, &["attacker.0.figures=7", "defender.0.figures=2", "unit.army.figures=39"]).unwrap();
    let again = read(&fought.header.text);
    assert_eq!(again.header, fought.header);
    assert_eq!(again.identity, fought.identity);
    assert_eq!(again.pack, fought.pack);
    assert_ne!(read(&text).identity, fought.identity);
}

/// The order of `[vary]` numbers the cells, even if a range comes before a list.
#[test]
fn cells_keep_their_numbers_when_a_study_is_read_back() {
    let ranges = "'attacker.0.figures' = { from = 1, to = 3 }";
    let text = format!("{DUEL}[vary]\n{ranges}\n'defender.0.figures' = [3, 4]\n");
    let mut sources = Sources::new();
    let file = sources.add("duel.toml", text.as_str());
    let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a study");
    let again = read(&study.header.text);
    assert_eq!((figures(&again), labels(&again)), (figures(&study), labels(&study)));
    assert_eq!((&again.vary, &again.identity), (&study.vary, &study.identity));
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let cells = variants.cells(&study, &[0, 1, 2], &[]).expect("its own cells");
    let own = |cell: &Cell| cell.setup.start.units.iter().map(|unit| unit.start).collect::<Vec<_>>();
    assert_eq!(cells.iter().map(own).collect::<Vec<_>>(), study.cells[..3].iter().map(own).collect::<Vec<_>>());

    // A text with other cells is refused.
    let other = read(&format!("{DUEL}[vary]\n'defender.0.figures' = [3, 4]\n{ranges}\n"));
    let mixed = Study { header: other.header, ..study };
    assert!(Variants::of(&mixed, &mut sources).is_err());
}

#[test]
fn a_manifest_is_enough_to_fight_the_same_battles() {
    let text = format!(
        "{DUEL}[vary]\n'attacker.0.figures' = [1, 2]\n'unit.army.figures' = [30, 31]\n[report]\nbaseline = {{ 'attacker.0.figures' = 1 }}\n"
    );
    let fought = read_with(&text, &["attacker.0.figures=7", "defender.0.figures=2"]).unwrap();
    let again = Study::of_manifest(&fought.manifest(Method::Sampled), &mut Sources::new()).unwrap();
    assert_eq!((&again.identity, &again.pack.sha256), (&fought.identity, &fought.pack.sha256));
    assert_eq!(again.fight(1, 0..50), fought.fight(1, 0..50));
}

#[test]
fn expected_odds_do_not_outlive_a_change_of_the_study() {
    let text = format!(
        "{DUEL}[vary]\n'attacker.0.figures' = [1, 2]\n[[expect]]\ncell = 1\nodds = {{ attacker = '1/2' }}\nsource = 'x'\n"
    );
    assert_eq!(read(&text).report.expect.len(), 1);
    let changed = read_with(&text, &["attacker.0.figures=7"]).unwrap();
    assert_eq!(changed.report.expect, []);
    assert_eq!(read(&changed.header.text).report.expect, []);
}

#[test]
fn only_what_decides_battles_makes_the_identity() {
    let study = read(DUEL);
    let retold = read(&DUEL.replace("pack = ", "title = 'Another'\nruns = 7\npack = "));
    assert_eq!(retold.identity, study.identity);
    for other in [DUEL.replace("pack = ", "seed = 2\npack = "), DUEL.replace("figures = 5 }]\n[", "figures = 6 }]\n[")]
    {
        assert_ne!(read(&other).identity, study.identity);
    }
}

#[test]
fn every_fault_is_said_with_its_place() {
    for (rest, expected) in [
        ("[vary]\n'attacker.0.figurs' = [1]\n", "did you mean `attacker.0.figures`?"),
        ("[vary]\n'atacker.0.figures' = [1]\n", "did you mean `attacker.0.figures`?"),
        ("[vary]\n'attacker.1.figures' = [1]\n", "there is no value `attacker.1.figures`"),
        ("[vary]\n'side.line.doctrine' = ['x']\n", "there is no side `line`"),
        ("[vary]\n'side.atacker.doctrine' = ['x']\n", "did you mean `attacker.doctrine`?"),
        ("[vary]\n'side.attacker.doctrin' = ['x']\n", "did you mean `attacker.doctrine`?"),
        ("[vary]\n'unit.arm.figures' = [1]\n", "did you mean `unit.army.figures`?"),
        ("[vary]\n'unit.army' = [1]\n", "only a single value can be set"),
        ("[vary]\n'a..b' = [1]\n", "a path cannot have empty parts"),
        ("[vary]\nturns = []\n", "study.toml:9:9"),
        ("[vary]\nturns = [1, 2, 1]\n", "the value 1 is listed twice"),
        ("[vary]\nturns = [0]\n", "study.toml:9:10"),
        ("[vary]\nturns = ['many']\n", "study.toml:9:10"),
        ("[vary]\n'attacker.0.type' = ['navy']\n", "there is no unit type `navy` here\n --> study.toml:9:22"),
        ("[vary]\n'attacker.0.figures' = [41]\n", "study.toml:9:25"),
        ("[vary]\nturns = [1]\n[pairs]\nturns = [1]\n", "`turns` is given twice"),
        ("[vary]\nturns = [1]\n[set]\nturns = 1\n", "`turns` is given twice"),
        ("[vary]\n'turns' = [1]\n\"\\\"turns\\\"\" = [2]\n", "`turns` is given twice"),
        ("[pairs]\nturns = [1, 2]\n'attacker.0.figures' = [1]\n", "differ in length: 2 values and 1"),
        ("[vary]\nturns = { from = 1, to = 5, step = 0 }\n", "steps of 0 do not reach 5 from 1"),
        ("[vary]\nturns = { from = 5, to = 1 }\n", "steps of 1 do not reach 1 from 5"),
        ("[vary]\nturns = { from = 0, to = 1e300 }\n", "more than 10000 values"),
        ("[vary]\nturns = { from = 0, to = 100000 }\n", "more than 10000 values"),
        (
            "[vary]\nturns = { from = 0, to = 1, step = 1e-300 }\n",
            "0 to 1 in steps of 1e-300 is more than 10000 values",
        ),
        ("[vary]\nturns = { from = 0, to = 1, step = -1e-300 }\n", "or `step = 1e-300`"),
        ("[vary]\nextends = ['risk']\n", "`extends` cannot be set or varied"),
        ("[set]\nextends = 'risk'\n", "`extends` cannot be set or varied"),
        ("[vary]\nturns = { from = 0 }\n", "`to`"),
        (
            "[vary]\nturns = { from = 1, to = 101 }\n'attacker.0.figures' = { from = 1, to = 100 }\n",
            "the study has 10100 cells (101 × 100); the limit is 10000",
        ),
        ("[set]\n'victory.broken' = 'all'\n", "study.toml:9:20"),
        ("[[cells]]\nspeed = 1\n", "study.toml:9:1"),
        (&format!("{THIRD}{}{}", THIRD.replace("third", "fourth"), THIRD.replace("third", "fifth")), "study.toml:12:7"),
        (&format!("{THIRD}[report]\nplayers = ['random']\n"), "players are compared on two sides"),
        ("[expect]\n", "study.toml:8:"),
        ("[[expect]]\nodds = { attacker = '3/2' }\nsource = 'x'\n", "`3/2` is not a probability"),
        ("[[expect]]\nodds = { atacker = '1/2' }\nsource = 'x'\n", "did you mean `attacker`?"),
        ("[[expect]]\ncell = 1\nodds = { attacker = '1/2' }\nsource = 'x'\n", "there is no cell 1"),
        ("[[expect]]\nsource = 'x'\n", "there are no odds here"),
        ("[[expect]]\nmean = '2'\nsource = 'x'\n", "this mean has no metric"),
        ("[[expect]]\nmetric = 'turn'\nmean = '2'\nsource = 'x'\n", "did you mean `turns`?"),
        ("[[expect]]\nmetric = 'turns'\nmean = '-2'\nsource = 'x'\n", "`-2` is not a mean"),
        ("[[expect]]\nmetric = 'turns'\nodds = { attacker = '1/2' }\nsource = 'x'\n", "is not a value of a metric"),
        ("[[expect]]\nmetric = 'turns'\nodds = { 2 = '3/2' }\nsource = 'x'\n", "`3/2` is not a probability"),
        ("[repor]\n", "did you mean `report`?"),
        ("[vary]\n'attacker.player' = ['default', 'random', 'expert']\n", "there is no player `expert`"),
        ("[vary]\n'attacker.player' = [1]\n", "study.toml:9:22"),
    ] {
        let said = faults(rest);
        assert!(said.contains(expected), "for {rest}\nexpected: {expected}\nsaid: {said}");
    }
    for (from, to, expected) in [
        ("pack = \"risk\"", "pack = 'rsik'", "did you mean `risk`?"),
        ("pack = \"risk\"", "pack = 'risk'\nruns = 0", "study.toml:4:8"),
        ("pack = \"risk\"", "pack = 'risk'\nruns = 1000000000001", "study.toml:4:8"),
        ("study = \"duel\"", "study = '../duel'", "is not a valid name for a study"),
        ("[side.defender]", "[side.draw]", "a side cannot be called `draw`"),
        ("[side.defender]", "[side.unit]", "a side cannot be called `unit`"),
        ("[side.defender]", "[side.7]", "`7` is not a valid name for a side"),
        (
            "[side.defender]\nunits = [{ type = \"army\", figures = 5 }]",
            "",
            "a battle has two, three or four sides, but the study names 1",
        ),
    ] {
        let said = read_with(&DUEL.replace(from, to), &[]).map(|study| study.cells.len()).unwrap_err();
        assert!(said.contains(expected), "for {to}\nexpected: {expected}\nsaid: {said}");
    }
}

/// A range is reported once, however many of its values are equal.
#[test]
fn a_range_is_one_mistake() {
    let said = faults("[vary]\n'attacker.0.figures' = { from = 0, to = 9e-299, step = 1e-300 }\n");
    assert_eq!(said.matches("error:").count(), 1, "{said}");
    assert!(said.contains("these steps reach 0.0 more than once") && said.contains("give a larger `step`"), "{said}");
    let said = faults("[vary]\nturns = [1, 2, 1, 2]\n");
    assert_eq!(said.matches("is listed twice").count(), 2, "{said}");
}

#[test]
fn many_faults_are_said_at_once() {
    let said = faults("[vary]\n'attacker.0.figurs' = [1]\n'unit.arm.figures' = [1]\n[set]\n'victory.brokn' = 2\n");
    for expected in ["attacker.0.figures", "unit.army.figures", "victory.broken"] {
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_fault_that_many_cells_share_is_said_once() {
    let said = faults("[vary]\n'attacker.0.type' = ['navy']\nturns = { from = 1, to = 50 }\n");
    assert_eq!(said.matches("navy").count(), said.matches("`navy`").count() + 2, "{said}");
    assert_eq!(said.matches("error").count(), 1, "{said}");
}

#[test]
fn numbers_with_decimals_for_a_whole_one_are_one_fault() {
    let said = faults("[vary]\nturns = { from = 1, to = 12, step = 0.1 }\n");
    assert_eq!(said.matches("error").count(), 1, "{said}");
}

#[test]
fn a_side_may_be_played_by_several_players() {
    let study = read(&format!("{DUEL}[vary]\n'attacker.player' = ['default', 'random']\n"));
    assert_eq!(labels(&study), ["default", "random"]);
    assert_eq!(study.cells.iter().map(|cell| cell.setup.random.first).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn best_play_is_left_out_where_the_command_line_names_players_that_leave_nothing_to_solve() {
    let text = format!("{DUEL}[report]\nplayers = ['best']\n");
    let players = |changes: &[&str]| read_with(&text, changes).unwrap().report.players.unwrap().players;
    assert_eq!(players(&["attacker.player=default"]), ["default", "best"]);
    assert_eq!(players(&["attacker.player=default", "defender.player=default"]), ["default"]);
    assert_eq!(players(&["attacker.player=random"]), ["default"]);
    let text = text.replace("units", "player = 'default'\nunits");
    assert!(read_with(&text, &[]).unwrap_err().contains("neither side is left to play best"));
}

#[test]
fn ranges_of_fractions_have_the_numbers_one_would_write() {
    let entry = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.add("x", text);
        let document = Document::parse(file, &sources).unwrap();
        let mut none = Diagnostics::new();
        let entries = entries(&document.root, &[], &mut none);
        let numbers = axes::all_values(&entries[0], &mut none);
        assert!(none.is_empty());
        Value::Array(numbers).to_string()
    };
    assert_eq!(entry("x = { from = 0.1, to = 0.5, step = 0.1 }"), "[0.1, 0.2, 0.3, 0.4, 0.5]");
    assert_eq!(entry("x = { from = 3, to = -3, step = -2 }"), "[3, 1, -1, -3]");
    assert_eq!(entry("x = { from = 2, to = 20, step = 6 }"), "[2, 8, 14, 20]");
    assert_eq!(entry("x = { from = 1.5, to = 1.5 }"), "[1.5]");
}

#[test]
fn fought_battles_agree_with_the_published_odds() {
    // J. Osborne, Mathematics Magazine 76(2), 2003; more digits of 5 v 5 computed outside this project.
    let study =
        read(&format!("{DUEL}[vary]\nturns = [200]\n'defender.0.figures' = [5, 2]\n'attacker.0.figures' = [5, 3]\n"));
    let odds = [0.506_202_829, 0.206, 0.890, 0.656];
    assert_eq!(figures(&study), [[5, 5], [3, 5], [5, 2], [3, 2]]);
    let options = options(&study.baselines(), 0..40_000);
    let mut tallied = Tallied::new(0, &study.baselines());
    run(&options, &study, &mut tallied, &mut Discard, &Silent, &Stop::new()).unwrap();
    for (tally, odds) in tallied.cells.iter().zip(odds) {
        // Five standard errors and the table's rounding: a false alarm in one case in two million.
        let error = 5.0 * (odds * (1.0_f64 - odds) / 40_000.0).sqrt() + 0.0005;
        let share = tally.outcomes[0] as f64 / 40_000.0;
        assert!((share - odds).abs() < error, "{share} against {odds}");
    }
    // Any range of battles is the same if fought by itself.
    assert_eq!(study.fight(1, 100..200)[50..], study.fight(1, 150..200));
}

const PARTS: &str = r#"
study = "duels"
[[part]]
label = "a race"
pack = "risk"
baseline = { "attacker.0.figures" = 4 }
[part.side.attacker]
units = [{ type = "army", figures = 5 }]
[part.side.defender]
units = [{ type = "army", figures = 5 }]
[part.vary]
"attacker.0.figures" = [3, 4]
[[part]]
pack = "refduel"
[part.side.attacker]
units = [{ type = "plain" }]
[part.side.defender]
units = [{ type = "plain" }]
"#;

#[test]
fn every_part_has_its_own_pack_and_sides() {
    let study = read(PARTS);
    assert_eq!(labels(&study), ["a race: figures 3", "a race: figures 4", "refduel"]);
    assert_eq!(study.baselines(), [Some(1), Some(1), None]);
    let packs: Vec<&str> = study.cells.iter().map(|cell| cell.rules.name.as_str()).collect();
    assert_eq!(packs, ["risk", "risk", "refduel"]);
    let varied: Vec<(&str, usize)> =
        study.vary.iter().map(|varied| (varied.path.as_str(), varied.values.len())).collect();
    assert_eq!(varied, [("part", 2), ("attacker.0.figures", 2)]);
    // All packs with their texts go into the manifest, from which the study can be read again.
    let manifest = study.manifest(Method::Sampled);
    assert_eq!(manifest.packs().map(|pack| pack.name.as_str()).collect::<Vec<_>>(), ["risk", "refduel"]);
    let again = Study::of_manifest(&manifest, &mut Sources::new()).unwrap();
    assert_eq!((&again.identity, again.manifest(Method::Sampled)), (&study.identity, manifest.clone()));
    for cell in 0..3 {
        assert_eq!(again.fight(cell, 0..20), study.fight(cell, 0..20));
    }
    let mut short = manifest;
    short.more_packs.clear();
    assert!(Study::of_manifest(&short, &mut Sources::new()).is_err());
    // The battles are those of a study with one pack.
    let alone = read(
        "study = 'duel'\npack = 'refduel'\n[side.attacker]\nunits = [{ type = 'plain' }]\n[side.defender]\nunits = [{ type = 'plain' }]\n",
    );
    assert_eq!(alone.fight(0, 0..20), study.fight(2, 0..20));
}

#[test]
fn parts_take_values_from_the_command_line() {
    let study = read_with(PARTS, &["attacker.0.figures=2"]).unwrap();
    assert_eq!(figures(&study)[0], [2, 5], "only the part that varies it is changed");
    assert_eq!(figures(&study)[1], figures(&read(PARTS))[2]);
    let study = read_with(PARTS, &["turns=3"]).unwrap();
    assert!(study.cells.iter().all(|cell| cell.header.turns == 3));
}

#[test]
fn a_value_goes_to_the_parts_that_have_a_place_for_it() {
    let study = read_with(PARTS, &["unit.army.figures=39"]).unwrap();
    assert!(study.pack.text.contains("figures = 39"), "{}", study.pack.text);
    // The stored texts of the study give the same study when read back.
    let again = Study::of_manifest(&study.manifest(Method::Sampled), &mut Sources::new()).unwrap();
    assert_eq!(again.identity, study.identity);
    let nowhere = read_with(PARTS, &["unit.navy.figures=39"]).map(|study| study.cells.len()).unwrap_err();
    assert!(nowhere.contains("in the part a race (risk)"), "{nowhere}");
}

#[test]
fn ranges_are_counted_and_not_written_out() {
    let line = |number: usize| format!("x{number} = {{ from = 0, to = 9998 }}\n");
    let said = faults(&format!("[vary]\n{}", (0..3_000).map(line).collect::<String>()));
    assert!(said.contains("more cells than can be counted (9999 × 9999") && said.contains("× 2980 more)"), "{said}");
    // Pairs are not written out, either: they are one axis, no matter how many paths it has.
    let said = faults(&format!("[pairs]\n{}", (0..3_000).map(line).collect::<String>()));
    assert!(
        said.contains("the study has 9999 cells with 3000 values each, more than the limit of 1000000 in all"),
        "{said}"
    );
    let turned = faults("[vary]\nturns = { from = 16, to = 10, step = 1 }\n");
    assert!(turned.contains("`from = 10, to = 16`, or `step = -1`"), "{turned}");
}

#[test]
fn parts_do_not_mix_with_what_stands_beside_them() {
    let faults = |text: &str| read_with(text, &[]).map(|study| study.cells.len()).unwrap_err();
    let beside = faults(&PARTS.replace("[[part]]\nlabel", "turns = 4\n[[part]]\nlabel"));
    assert!(beside.contains("`turns` belongs in each of them"), "{beside}");
    let twice = faults(&PARTS.replace("pack = \"refduel\"", "pack = \"refduel\"\nlabel = \"a race\""));
    assert!(twice.contains("two parts have the label `a race`"), "{twice}");
    let sides = faults(&PARTS.replace(
        "[part.side.defender]\nunits = [{ type = \"plain\" }]",
        "[part.side.target]\nunits = [{ type = \"plain\" }]",
    ));
    assert!(sides.contains("its sides are attacker and target instead of attacker and defender"), "{sides}");
    let common = faults(&format!("{PARTS}[report]\nbaseline = {{ \"attacker.0.figures\" = 3 }}\n"));
    assert!(common.contains("no varied paths in common"), "{common}");
    let cell = faults(&format!("{PARTS}[report]\nbaseline = 3\n"));
    assert!(cell.contains("there is no cell 3"), "{cell}");
    assert_eq!(read(&format!("{PARTS}[report]\nbaseline = 2\n")).baselines(), [Some(2); 3]);
    assert!(faults("study = 'x'\n").contains("the study names no pack"));
    // A cell is fought on one board: keys of another board are refused.
    let mixed = faults(&PARTS.replace("[part.vary]", "[part.set]\n\"hex.columns\" = 5\n[part.vary]"));
    assert!(mixed.contains("hex"), "{mixed}");
}

/// Varied numbers of the rules are compared with the pack's own value.
#[test]
fn a_number_of_the_pack_is_compared_with_the_packs_own() {
    let baselines = |vary: &str| read(&format!("{DUEL}[vary]\n{vary}\n")).baselines();
    // `unit.army.figures` is 40 in the pack.
    assert_eq!(baselines("'unit.army.figures' = [30, 40, 50]"), [Some(1); 3]);
    assert_eq!(baselines("'unit.army.figures' = [30, 50]"), [Some(0); 2]);
    assert_eq!(baselines("'attacker.0.figures' = [3, 5]"), [Some(0); 2]);
}

const GRID: &str = "[vary]\n'attacker.0.figures' = [3, 5]\n'defender.0.figures' = [2, 4, 6]\n";

#[test]
fn labels_are_of_varied_paths_and_their_values() {
    let labels = "[label]\nattacker.0.figures = 'armies that attack'\n\
        'defender.0.figures' = { name = 'garrison', unit = 'armies', values = { 6 = 'a full garrison' } }\n";
    let study = read(&format!("{DUEL}{GRID}{labels}"));
    assert_eq!(study.cells[0].header.label, "armies that attack 3, garrison 2 armies");
    assert_eq!(study.cells[5].header.label, "armies that attack 5, a full garrison");
    assert_eq!(study.report.labels.path("defender.0.figures"), Some("garrison"));
    // The manifest keeps the study's labels, and so does the study read back from it.
    let manifest = study.manifest(Method::Sampled);
    assert!(!manifest.labelled());
    let again = Study::of_manifest(&manifest, &mut Sources::new()).expect("its own texts");
    assert_eq!(again.report.labels, study.report.labels);
    assert_eq!(again.identity, read(&format!("{DUEL}{GRID}")).identity, "no battle depends on a label");

    let bad = faults(&format!("{GRID}[label]\n'atacker.0.figures' = 'x'\n"));
    assert!(bad.contains("there is no varied path `atacker.0.figures`"), "{bad}");
    assert!(bad.contains("did you mean `attacker.0.figures`?") && bad.contains("study.toml:"), "{bad}");
    let bad = faults(&format!("{GRID}[label]\n'attacker.0.figures' = {{ values = {{ 4 = 'x' }} }}\n"));
    assert!(bad.contains("there is no value of `attacker.0.figures` `4`") && bad.contains("3"), "{bad}");
    // A path that the command line has pinned no longer needs a name.
    let pinned = read_with(&format!("{DUEL}{GRID}{labels}"), &["defender.0.figures=1"]).expect("a good study");
    assert_eq!(pinned.cells[1].header.label, "armies that attack 5");
}

#[test]
fn a_headline_is_a_cell_and_a_metric() {
    let headline = |text: &str| {
        let headline = read(&format!("{DUEL}{GRID}[report]\nheadline = {text}\n")).report.headline;
        headline.map(|headline| (headline.cell, headline.metric.unwrap_or_default()))
    };
    let of = |cell: u32, metric: &str| Some((cell, metric.to_owned()));
    assert_eq!(headline("{ cell = 4, metric = 'defender.losses' }"), of(4, "defender.losses"));
    assert_eq!(headline("{ cell = { 'defender.0.figures' = 4.0, 'attacker.0.figures' = 5 } }"), of(4, ""));
    assert_eq!(headline("{ cell = { defender.0.figures = 6 }, metric = 'attacker' }"), of(2, "attacker"));
    assert_eq!(headline("{ cell = 'figures 5, figures 2' }"), of(3, ""));
    let bad = |text: &str| faults(&format!("{GRID}[report]\nheadline = {text}\n"));
    let said = bad("{ cell = 6 }");
    assert!(said.contains("there is no cell 6 for the headline") && said.contains("from 0 to 5"), "{said}");
    let said = bad("{ cell = { 'defender.0.figure' = 6 } }");
    assert!(said.contains("did you mean `defender.0.figures`?"), "{said}");
    let said = bad("{ cell = { 'defender.0.figures' = 5 } }");
    assert!(said.contains("`defender.0.figures` is never 5") && said.contains("2, 4, 6"), "{said}");
    let said = bad("{ cell = 'figures 5, figures 1' }");
    assert!(said.contains("there is no cell `figures 5, figures 1`") && said.contains("did you mean"), "{said}");
    let said = bad("{ cell = 0, metric = 'defender.loses' }");
    assert!(said.contains("there is no metric `defender.loses`") && said.contains("defender.losses"), "{said}");
    // A path that the command line has pinned is ignored.
    let text = format!(
        "{DUEL}{GRID}[report]\nheadline = {{ cell = {{ 'defender.0.figures' = 6, 'attacker.0.figures' = 5 }} }}\n"
    );
    let pinned = read_with(&text, &["defender.0.figures=1"]).expect("a good study");
    assert_eq!(pinned.report.headline.expect("a headline").cell, 1);
}

#[test]
fn the_question_is_the_comment_on_top() {
    let study = read(&format!("# Who wins,\n# and by how much?\n{DUEL}"));
    assert_eq!(study.report.question, "Who wins, and by how much?");
    let study = read(&format!("#:schema ./schema/study.schema.json\n\n# Who wins,\n# and by how much?\n{DUEL}"));
    assert_eq!(study.report.question, "Who wins, and by how much?");
    assert_eq!(read(DUEL).report.question, "");
}

#[test]
fn a_study_has_two_to_four_sides_and_questions_about_two_refuse_more() {
    let duel = read(DUEL);
    assert!(duel.of_two_sides("`best`").is_ok());
    let three = read(&format!("{DUEL}{THIRD}"));
    assert_eq!(three.sides, ["attacker", "defender", "third"]);
    let mut sources = Sources::new();
    sources.add("study.toml", format!("{DUEL}{THIRD}"));
    let said = three.of_two_sides("`best`").expect_err("three sides").render(&sources, false);
    assert!(
        said.contains("`best` is about two sides, but the study has 3") && said.contains("study.toml:8:7"),
        "{said}"
    );
    let four = read(&format!("{DUEL}{THIRD}{}", THIRD.replace("third", "fourth")));
    assert_eq!(four.cells[0].header.units, [1, 1, 1, 1]);
    // The roles of two sides can be exchanged, those of three cannot.
    let both_ways = DUEL.replace("pack = ", "both-ways = true\npack = ");
    let said = read_with(&format!("{both_ways}{THIRD}"), &[]).expect_err("both ways");
    assert!(said.contains("only two sides can exchange roles, but this battle has 3 sides"), "{said}");
    assert!(said.contains("study.toml:3:"), "{said}");
}
