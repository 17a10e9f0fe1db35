//! Creating rules of one's own.

use super::Place;

#[test]
fn blank_rules_are_complete() {
    let place = Place::new();
    let ran = place.grognard("new My.Rules --blank").ends(0);
    assert_eq!(ran.out, "My.Rules/pack.toml\nMy.Rules/study.toml\nMy.Rules/README.md\n");
    let ran = place.grognard("check My.Rules").ends(0);
    assert!(ran.out.contains("pack my-rules 0.1.0") && ran.out.contains("study my-rules: 6 cells"), "{ran:?}");
    let json = place.grognard("run My.Rules --runs 200 --json --quiet").ends(0).json();
    assert_eq!((&json["pack"], json["cells"].as_array().map(Vec::len)), (&"my-rules".into(), Some(6)));
    assert_eq!(place.list("results"), ["my-rules"]);
    // Every clause of the pack is used.
    let ran = place.grognard("coverage My.Rules --runs 200").ends(0);
    assert!(ran.out.contains("3 of 3 clauses"), "{ran:?}");
}

#[test]
fn a_variant_of_every_pack_fights_as_its_base_until_it_is_changed() {
    let place = Place::new();
    let packs = place.grognard("packs").ends(0).out;
    for pack in packs.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next()) {
        place.grognard(&format!("new my-{pack} --from {pack}")).ends(0);
        let ran = place.grognard(&format!("check my-{pack}")).ends(0);
        assert_eq!((ran.out.lines().count(), ran.err.as_str()), (2, ""), "{ran:?}");
    }
    place.grognard("new mine --from risk --study risk-roll").ends(0);
    let mine = place.grognard("run mine --runs 500 --json --quiet --no-report").ends(0).json();
    let base = place.grognard("run risk-roll --runs 500 --json --quiet --no-report").ends(0).json();
    assert_eq!(mine["cells"], base["cells"]);
}

/// A variant is not a complete pack, so its `pack.toml` begins like a part, and its page says so.
#[test]
fn the_page_of_new_rules_says_how_their_files_begin() {
    let place = Place::new();
    for (how, schema, said) in [
        ("--blank", "pack", "| the rules; other TOML files next to it belong to the pack, and begin with"),
        ("--from risk", "part", "belong to the pack too, and all of them begin with"),
        ("--like risk", "part", "belong to the pack too, and all of them begin with"),
    ] {
        let name = how.replace(' ', "").replace("--", "my-");
        place.grognard(&format!("new {name} {how}")).ends(0);
        let text = |file: &str| String::from_utf8(place.read(&format!("{name}/{file}"))).expect("text");
        assert!(text("pack.toml").starts_with(&format!("#:schema ./schema/{schema}.schema.json\n")), "{how}");
        let page = text("README.md");
        assert!(page.contains(&format!("{said} `#:schema ./schema/part.schema.json` |")), "{how}: {page}");
    }
}

#[test]
fn what_a_variant_shows_is_a_change_that_can_be_made() {
    for base in
        ["napoleonic-figures", "risk", "sf-skirmish", "fleet-action", "bag-of-orders", "ranked-fantasy", "patrol"]
    {
        let place = Place::new();
        place.grognard(&format!("new mine --from {base}")).ends(0);
        let pack = String::from_utf8(place.read("mine/pack.toml")).expect("text");
        // Examples follow a line with only a `#`, and begin with the head of a table.
        let (mut shown, mut units) = (false, 0);
        let changed = pack.lines().map(|line| {
            shown = line == "#" || shown && line.starts_with("# ");
            let line = line.strip_prefix("# ").filter(|_| shown).unwrap_or(line);
            units += usize::from(line.starts_with("[unit.my-"));
            format!("{line}\n")
        });
        let changed: String = changed.collect();
        assert_eq!(units, 1, "{base}: {pack}");
        assert!(
            changed.lines().filter(|line| line.starts_with('[')).count() > usize::from(pack.contains("`id`")),
            "{pack}"
        );
        place.write("mine/pack.toml", changed);
        let ran = place.grognard("check mine").ends(0);
        assert!(ran.err.is_empty(), "{base}: {ran:?}");
        let types = |ran: &super::Ran| {
            ran.out.split(" unit type").next().and_then(|text| text.rsplit(' ').next()?.parse::<u32>().ok())
        };
        place.write("mine/pack.toml", pack);
        let before = types(&place.grognard("check mine").ends(0));
        assert_eq!(types(&ran), before.map(|before| before + 1), "{base}: {ran:?}");
    }
}

#[test]
fn a_fault_of_a_pack_is_told_once() {
    let place = Place::new();
    place.grognard("new mine --blank").ends(0);
    place.write("mine/pack.toml", "pack = 'mine'\nversion = '1'\n");
    let ran = place.grognard("check mine").ends(2);
    assert_eq!(ran.err.matches("the key `title` is missing").count(), 1, "{ran:?}");
    let (line, help) = ("wrong  mine/study.toml  7 errors, as above\n", "it must be text: its title in reports");
    assert!(ran.out.contains(line) && ran.err.contains(help), "{ran:?}");
    // Checked alone, the study reports all errors, and the pack's path does not contain `./`.
    let ran = place.grognard("check mine/study.toml").ends(2);
    assert_eq!((ran.err.matches("error: ").count(), ran.err.contains("mine/./")), (7, false), "{ran:?}");
}

#[test]
fn what_cannot_be_begun_is_refused() {
    let place = Place::new();
    place.grognard("new mine --from risc").refused("did you mean `risk`?");
    place.grognard("new risk --from risk").refused("the variant needs its own name");
    place.grognard("new 1815 --blank").refused("a name begins with a letter");
    place.grognard("new mine --from risk --study pip-square").refused("there is no study of risk `pip-square`");
    place.grognard("new mine").ends(2).says("--blank");
    place.write("mine/notes.txt", "mine");
    place.grognard("new mine --blank").refused("the folder mine is not empty");
    assert_eq!(place.list("mine"), ["notes.txt"]);
}

/// A variant's numbers differ from those of its base, so the analysis by the author of the study is not copied.
#[test]
fn a_variant_expects_no_odds() {
    let place = Place::new();
    place.grognard("new mine --like sf-skirmish").ends(0);
    let ran = place.grognard("run mine --set unit.trooper.is.shots=1 --runs 500 --quiet --no-report").ends(0);
    assert!(!ran.out.contains("expected"), "{ran:?}");
    let study = String::from_utf8(place.read("mine/study.toml")).expect("text");
    assert!(
        study.contains("# How does each model fare in a four-turn duel with a trooper at ten inches?\n"),
        "{study}"
    );
}

/// A variant of `sf-skirmish` with more text.
fn skirmish(place: &Place, more: &str) -> super::Ran {
    place.grognard("new mine --like sf-skirmish").ends(0);
    let pack = String::from_utf8(place.read("mine/pack.toml")).expect("text");
    place.write("mine/pack.toml", format!("{pack}\n{more}\n"));
    place.grognard("check mine").ends(2)
}

#[test]
fn a_fault_in_shared_rows_is_told_once_where_it_is_written() {
    let row = "[[roll.shoot.modifier]]\nid = 'long-range'\nwhen = 'distence > 12'\nadd = -2\ncite = ['house']";
    let ran = skirmish(&Place::new(), row);
    assert_eq!(ran.err.matches("error: ").count(), 2, "{ran:?}");
    assert!(
        ran.err.contains("there is no name `distence`") && ran.err.contains("a house value needs a reason"),
        "{ran:?}"
    );
    assert!(ran.out.contains("mine/pack.toml") || ran.out.contains("mine             2 errors"), "{ran:?}");
    assert!(!ran.err.contains("packs/sf-skirmish"), "{ran:?}");
    // Errors that follow from the first one are not reported separately.
    let ran = skirmish(&Place::new(), "[roll.shoot.own]\ndice = 'd6+'");
    assert_eq!(ran.err.matches("error: ").count(), 1, "{ran:?}");
    assert!(ran.out.contains("1 error\n") && ran.err.contains("`d6+` does not name dice"), "{ran:?}");
}

#[test]
fn a_wargamers_first_slips_come_with_what_to_write() {
    for (more, message, help) in [
        (
            "[unit.trooper]\nis = { skill = 4+ }",
            "`4+` is not a value",
            "write 4, which already means that number or more",
        ),
        (
            "[unit.trooper]\nis = { skill = '4+' }",
            "`skill` takes a number, not `4+`",
            "write 4, which already means that number or more",
        ),
        ("[unit.trooper]\nis = { skill = 4 shots = 2 }", "there is no comma before this", "or is a `}` missing?"),
        (
            "[roll.shoot.modifier.cover]\nadd = -2",
            "expected a list, found a table",
            "write `[[roll.shoot.modifier]]`, and in the row `id = \"cover\"`",
        ),
        ("[unit.trooper]\nskill = 3", "there is no key `skill` here", "`skill` is an attribute: write `is.skill = …`"),
    ] {
        let ran = skirmish(&Place::new(), more);
        assert!(ran.err.contains(message) && ran.err.contains(help), "{more}: {ran:?}");
        assert_eq!(ran.err.matches("error: ").count(), 1, "{more}: {ran:?}");
    }
}

#[test]
fn a_second_study_stands_beside_the_folder() {
    let place = Place::new();
    place.grognard("new mine --like patrol").ends(0);
    let study = String::from_utf8(place.read("mine/study.toml")).expect("text");
    let second = study.replace("study = \"mine\"", "study = \"second\"").replace("pack = \".\"", "pack = \"mine\"");
    place.write("mine/second.toml", &second);
    // A study names the pack's folder, whatever the pack calls itself.
    let pack = String::from_utf8(place.read("mine/pack.toml")).expect("text");
    place.write("mine/pack.toml", pack.replace("pack = \"mine\"", "pack = \"other\""));
    let ran = place.grognard("check mine").ends(2);
    assert!(ran.err.contains("put the others next to the folder, with `pack = \"mine\"`"), "{ran:?}");
    std::fs::remove_file(place.path("mine/second.toml")).expect("the study");
    place.write("second.toml", second);
    place.grognard("run second.toml --runs 20 --quiet --no-report").ends(0);
}

#[test]
fn a_misspelt_unit_is_reported_before_its_label() {
    let place = Place::new();
    place.grognard("new mine --like sf-skirmish").ends(0);
    let study = String::from_utf8(place.read("mine/study.toml")).expect("text");
    place.write("mine/study.toml", study.replace("\"veteran\", \"scout\"", "\"veteran\", \"scot\""));
    let ran = place.grognard("check mine/study.toml").ends(2);
    assert!(ran.err.contains("there is no unit type `scot`") && ran.err.contains("did you mean `scout`?"), "{ran:?}");
    assert!(!ran.err.contains("did you mean `scot`?"), "{ran:?}");
    place.write("mine/study.toml", study.replace("facing = 180", "facing = \"north\""));
    let ran = place.grognard("check mine/study.toml").ends(2);
    assert!(ran.err.contains("write `enemy` or a number: degrees clockwise from north"), "{ran:?}");
}

/// A newcomer's first half hour: rules derived from a pack are complete, can be fought, and have odds, as their page
/// says.
#[test]
fn rules_like_each_of_the_five_packs_are_checked_fought_and_computed() {
    // The whole study of fleets has too many states for a test.
    for (pack, exact) in [
        ("sf-skirmish", ""),
        ("fleet-action", " --cell 0 --set turns=1"),
        ("bag-of-orders", " --cell 0"),
        ("ranked-fantasy", " --cell 0"),
        ("patrol", ""),
    ] {
        let place = Place::new();
        place.grognard(&format!("new mine --like {pack}")).ends(0);
        let ran = place.grognard("check mine").ends(0);
        assert!(ran.out.lines().count() == 2 && ran.err.is_empty(), "{pack}: {ran:?}");
        let fought = place.grognard("run mine --runs 20 --json --quiet --no-report").ends(0).json();
        assert_eq!(fought["pack"], "mine", "{pack}");
        assert!(place.grognard("replay mine").ends(0).out.contains("Turn 1"), "{pack}");
        let ran = place.grognard("coverage mine --runs 20").ends(0);
        assert!(ran.out.contains(" clauses"), "{pack}: {ran:?}");
        let odds = place.grognard(&format!("exact mine{exact} --json --quiet")).ends(0).json();
        assert_eq!((&odds["method"], &odds["pack"]), (&"exact".into(), &"mine".into()), "{pack}");
        let cells = odds["cells"].as_array().expect("cells");
        assert!(!cells.is_empty() && cells.iter().all(|cell| cell["losses_together"].is_array()), "{pack}");
    }
}

/// The overwatch entry on the page of common rules: units on watch shoot at enemies that have moved near them, not at
/// those that stand still.
#[test]
fn overwatch_is_against_enemies_that_move() {
    let page = include_str!("../../../../docs/common-rules.md");
    let (_, entry) = page.split_once("file=overwatch/pack.toml\n").expect("the entry");
    let (entry, _) = entry.split_once("\n```").expect("its end");
    let place = Place::new();
    place.write("overwatch/pack.toml", entry);
    let study = "study = \"watch\"\npack = \"overwatch\"\nseed = 3\nturns = 3\n\
                 [side.red]\ndoctrine = \"hunt\"\n\
                 units = [{ type = \"trooper\", at = [0, -8] }, { type = \"scout\", at = [5, -8] }]\n\
                 [side.blue]\ndoctrine = \"shoot-only\"\n\
                 units = [{ type = \"walker\", at = [0, 4] }, { type = \"walker\", at = [5, 4] }]\n";
    place.write("watch.toml", study);
    let mut watched = 0;
    for battle in 0..8 {
        let told = place.grognard(&format!("replay watch.toml --battle {battle}")).ends(0).out;
        for activation in told.split("\nTurn ").filter(|activation| activation.contains("\n  Overwatch\n")) {
            assert!(activation.contains(" marches "), "{activation}");
            watched += 1;
        }
    }
    assert!(watched > 0, "no unit shot on watch");
}
