//! Formations, morale and unit types.

use std::sync::Arc;

use super::attribute::{Derived, Others, report_lacking};
use super::checker::{Checker, at, is_name};
use super::ground::bars;
use super::limits::ARMS_MAX;
use super::step::Made;
use super::{battery, counter, layout, traits};
use crate::model::{
    Attribute, ById, Footprint, Formation, FormationId, FormationSource, Formations, Kind, KindSource, MoraleSource,
    MoraleState, RetreatFormation, Source, Spacing,
};
use crate::wire::{CiteWire, FacingName, FormationCitesWire, FormationWire, Pack, SpeedWire, UnitWire};
use grognard_source::Path;

/// One item for each formation.
type ByFormation<T> = ById<FormationId, Vec<T>>;

pub(super) fn formations(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Formations {
    if wire.arms.is_empty() {
        checker.fault(&at!["arms"], format!("a pack must have 1 to {ARMS_MAX} arms"), None);
    }
    if wire.formation.is_empty() {
        return vec![nameless()].into();
    }
    let mut formations = Vec::new();
    for (id, formation) in &wire.formation {
        let at = at!["formation", id];
        name(checker, &at, id);
        let arms = arms_of(checker, wire, &at.join("arms"), &formation.arms);
        let keep_clear = &formation.layout.clear_arms;
        let clear_arms = match keep_clear.is_empty() {
            true => u32::MAX,
            false => arms_of(checker, wire, &at.join("layout").join("clear-arms"), keep_clear),
        };
        let target = formation.target.as_ref().and_then(|target| {
            checker.find(&at.join("target"), "target class", target, wire.targets.iter().map(String::as_str))
        });
        if formation.target.is_none() && !wire.targets.is_empty() {
            let help = format!("`target` is one of {}", wire.targets.join(", "));
            checker.fault(&at, format!("formation `{id}` has no target class"), Some(&help));
        }
        formations.push(Formation {
            id: id.clone(),
            title: formation.title.clone(),
            turns: formation.turns,
            in_move: formation.in_move.as_ref().map(|wire| battery::in_move(checker, &at.join("in-move"), wire)),
            slow: formation.slow.as_ref().map(|wire| battery::slow(checker, &at.join("slow"), wire)),
            shape: formation.shape,
            faces: formation.layout.block == Some(true),
            all_round: formation.facing == FacingName::All,
            target: target.unwrap_or(0),
            formed: formation.formed,
            formed_to_move: formation.formed && formation.formed_to_move,
            spacing: formation.layout.spacing.map(|least| Spacing {
                least: least.hundredths(),
                most: formation.layout.most.unwrap_or(least).hundredths(),
                clear: formation.layout.clear.map_or(0, |clear| clear.hundredths()),
                clear_arms,
            }),
            gathers: formation.gathers,
            moves: formation.moves,
            fires: formation.fires,
            voluntary: formation.voluntary,
            arms,
            when: checker.condition(&at.join("when"), formation.when.as_ref()),
            bars: bars(checker, &at, &formation.bar),
            sources: formation_source(checker, &at, formation),
        });
    }
    formations.into()
}

fn formation_source(checker: &mut Checker<'_>, at: &Path, formation: &FormationWire) -> FormationSource {
    let row = checker.source(at, &formation.cite, formation.note.as_ref());
    let FormationCitesWire { arms, layout, facing, target, formed, moves, turns, when, takes, leaves } =
        &formation.cites;
    let mut key_if = |key: &str, cite: &Option<Vec<CiteWire>>, is_set: bool| {
        checker.set_key_source(at, key, cite.as_ref(), is_set, &row)
    };
    // Every formation has arms, a layout and a facing, even if it does not give them. The other keys are cited only if
    // it gives them.
    let mut key = |key: &str, cite: &Option<Vec<CiteWire>>| key_if(key, cite, true);
    let (arms, layout, facing) = (key("arms", arms), key("layout", layout), key("facing", facing));
    let (target, formed) = (key("target", target), key("formed", formed));
    FormationSource {
        arms,
        layout,
        facing,
        target,
        formed,
        moves: key_if("moves", moves, !formation.moves),
        turns: key_if("turns", turns, formation.turns),
        when: key_if("when", when, formation.when.is_some()),
        takes: checker.cited(&at.join("cites").join("takes"), takes, formation.note.as_ref()),
        leaves: checker.cited(&at.join("cites").join("leaves"), leaves, formation.note.as_ref()),
    }
}

/// The mask of these arms, written at `at`.
fn arms_of(checker: &mut Checker<'_>, wire: &Pack<'_>, at: &Path, arms: &[String]) -> u32 {
    let found = checker.find_each(at, "arm", arms, &wire.arms.iter().map(String::as_str));
    found.into_iter().fold(0, |mask, arm| mask | 1_u32.checked_shl(u32::from(arm)).unwrap_or(0))
}

/// The only formation of packs that define none.
fn nameless() -> Formation {
    Formation {
        id: String::new(),
        title: String::new(),
        turns: false,
        in_move: None,
        slow: None,
        shape: None,
        all_round: true,
        faces: false,
        target: 0,
        formed: true,
        formed_to_move: true,
        spacing: None,
        gathers: false,
        moves: true,
        fires: true,
        voluntary: false,
        arms: u32::MAX,
        when: None,
        bars: Vec::new(),
        sources: FormationSource::default(),
    }
}

pub(super) fn morale(checker: &mut Checker<'_>, wire: &Pack<'_>, formations: &Formations) -> Vec<MoraleState> {
    let names: Vec<&str> = wire.formation.keys().map(String::as_str).collect();
    let mut states = Vec::new();
    for state in &wire.morale.state {
        let at = at!["morale", "state", state.id];
        name(checker, &at.join("id"), &state.id);
        let formation = state
            .formation
            .as_ref()
            .and_then(|formation| checker.find(&at.join("formation"), "formation", formation, names.iter().copied()));
        let mut becomes = ById::new(formations.ids().collect::<Vec<_>>());
        for (from, to) in &state.undoes {
            let at = at.join("undoes").join(from.as_str());
            let from = checker.find(&at, "formation", from, names.iter().copied());
            let to = checker.find(&at, "formation", to, names.iter().copied());
            if let (Some(from), Some(to)) = (from, to) {
                becomes[from] = to;
            }
        }
        let retreat = state.retreat.as_ref().and_then(|retreat| {
            let at = at.join("retreat");
            let formation = checker.find(&at.join("formation"), "formation", &retreat.formation, names.iter().copied());
            let when = checker.condition(&at.join("when"), retreat.when.as_ref());
            Some(RetreatFormation { formation: formation?, when })
        });
        let arms = match state.arms.is_empty() {
            true => u32::MAX,
            false => arms_of(checker, wire, &at.join("arms"), &state.arms),
        };
        let source = checker.source(&at, &state.cite, state.note.as_ref());
        let cites = &state.cites;
        let mut key = |key: &str, cite: &Option<Vec<CiteWire>>, is_set: bool| {
            checker.set_key_source(&at, key, cite.as_ref(), is_set, &source)
        };
        let undoes = !state.undoes.is_empty() || state.formation.is_some();
        let sources = MoraleSource {
            turns: key("turns", &cites.turns, true),
            forms: key("forms", &cites.forms, true),
            undoes: key("undoes", &cites.undoes, undoes),
            retreat: key("retreat", &cites.retreat, state.retreat.is_some()),
            flight: key("flight", &cites.flight, state.broken),
        };
        states.push(MoraleState {
            id: state.id.clone(),
            shaken: state.shaken,
            broken: state.broken,
            stays: state.stays,
            arms,
            marker: state.marker.clone(),
            flight: state.flight.map_or(0, |flight| flight.hundredths()),
            formation,
            becomes,
            retreat,
            source,
            sources,
        });
    }
    states
}

/// What unit types are compiled with, besides their own rows.
pub(super) struct KindContext<'a> {
    pub(super) attributes: &'a Made<'a, Arc<[Attribute]>>,
    pub(super) derived: &'a Made<'a, Arc<Derived>>,
    pub(super) formations: &'a Made<'a, Formations>,
    pub(super) bundles: &'a Made<'a, Arc<[u32]>>,
    pub(super) others: &'a Made<'a, Arc<Others>>,
    pub(super) figures_max: &'a Made<'a, u16>,
}

/// A unit type, and what is checked or gathered for all types together.
pub(super) struct CompiledKind {
    kind: Kind,
    /// The attributes for which it has no value.
    lacks: Vec<usize>,
    /// Its footprints in every formation at every strength.
    footprints: Arc<[Footprint]>,
}

/// Compiles a unit type by itself.
pub(super) fn compile_kind(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    (id, unit): (&str, &UnitWire),
    context: &KindContext<'_>,
) -> CompiledKind {
    let formations: &Formations = context.formations;
    let names: Vec<&str> = wire.formation.keys().map(String::as_str).collect();
    let at = at!["unit", id];
    name(checker, &at, id);
    let arm = checker.find(&at.join("arm"), "arm", &unit.arm, wire.arms.iter().map(String::as_str)).unwrap_or(0);
    let (speed, speed_sources) = speeds(checker, wire, (id, unit), arm, formations);
    let mut start = FormationId::FIRST;
    if let (false, Some(formation)) = (names.is_empty(), &unit.formation) {
        if let Some(index) = checker.find(&at.join("formation"), "formation", formation, names.iter().copied()) {
            start = index;
            if speed[index].is_none() {
                let help = format!("give `speed` for `{formation}`, 0 if it cannot move in it");
                checker.fault(&at.join("formation"), format!("`{id}` starts in a formation closed to it"), Some(&help));
            }
        }
    } else if !names.is_empty() {
        checker.fault(&at, format!("unit type `{id}` has no formation to start in"), Some("add `formation`"));
    }
    let mut source = checker.source(&at, &unit.cite, unit.note.as_ref());
    let about: (&[Attribute], &Others) = (context.attributes, context.others);
    let (attributes, lacks) = context.derived.values(checker, wire, (id, unit), arm, about, &mut source);
    let mut key = |key: &str, cite: &Option<Vec<CiteWire>>| checker.key_source(&at, key, cite.as_ref(), &source);
    let sources = KindSource {
        speed: key("speed", &unit.cites.speed),
        on_foot: key("on-foot", &unit.cites.on_foot),
        range: key("range", &unit.cites.range),
    };
    let kind = Kind {
        id: id.to_owned(),
        title: unit.title.clone(),
        arm,
        figures: unit.figures,
        leader: unit.leader,
        formation: start,
        speed,
        speed_sources: ById::new(speed_sources.iter().cloned().collect()),
        charge: unit.charge.map_or(0, |charge| charge.hundredths()),
        on_foot: unit.on_foot.as_ref().and_then(|other| checker.kind(&at.join("on-foot"), other)),
        range: unit.range.map_or(0, |range| range.hundredths()),
        base: (unit.width.map_or(0, |width| width.hundredths()), unit.depth.map_or(0, |depth| depth.hundredths())),
        cannon: unit.cannon.unwrap_or(0),
        zone: unit.zone.map_or(0, |zone| zone.hundredths()),
        attributes,
        traits: traits::of_kind(checker, wire, id, unit, context.bundles),
        counters: counter::of_kind(checker, wire, id, unit),
        source,
        sources: Arc::new(sources),
    };
    let footprints = layout::footprints(checker, wire, &kind, unit, **context.figures_max);
    CompiledKind { kind, lacks, footprints: footprints.into() }
}

/// All unit types.
pub(super) fn kinds(checker: &mut Checker<'_>, compiled: &[Arc<CompiledKind>], attributes: &[Attribute]) -> Vec<Kind> {
    if compiled.is_empty() {
        checker.fault(&at!["unit"], "a pack needs at least one unit type", None);
    }
    // By attribute, the types that have no value for it.
    let mut lacking: Vec<Vec<&str>> = vec![Vec::new(); attributes.len()];
    for one in compiled {
        one.lacks.iter().for_each(|&index| lacking[index].push(one.kind.id.as_str()));
    }
    report_lacking(checker, attributes, &lacking);
    compiled.iter().map(|one| one.kind.clone()).collect()
}

/// The footprints of each type.
pub(super) fn footprints(compiled: &[Arc<CompiledKind>]) -> Vec<Arc<[Footprint]>> {
    compiled.iter().map(|one| Arc::clone(&one.footprints)).collect()
}

/// The speed of a unit type in each formation, and its source.
fn speeds(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    (id, unit): (&str, &UnitWire),
    arm: u8,
    formations: &Formations,
) -> (ByFormation<Option<i32>>, ByFormation<Source>) {
    let mut speed = ById::new(vec![None; formations.len()]);
    let mut sources = ById::new(vec![Source::default(); formations.len()]);
    for (formation, rate) in &unit.speed {
        let at = at!["unit", id, "speed", formation];
        let names = wire.formation.keys().map(String::as_str);
        let Some(index) = checker.find(&at, "formation", formation, names) else { continue };
        if formations[index].arms & (1 << (arm % 32)) == 0 {
            let message = format!("formation `{formation}` is not open to the arm {}", unit.arm);
            checker.fault(&at, message, Some("remove it, or add the arm to the formation's `arms`"));
        }
        speed[index] = Some(rate.inches().hundredths());
        if let SpeedWire::Cited(cited) = rate {
            sources[index] = checker.source(&at, &cited.cite, cited.note.as_ref());
        }
    }
    as_others(checker, wire, arm, formations, (&mut speed, &mut sources));
    if wire.formation.is_empty() {
        speed[FormationId::FIRST] = Some(0);
    }
    (speed, sources)
}

/// Sets the speeds in formations that move as others do (`moves-as`).
fn as_others(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    arm: u8,
    formations: &Formations,
    (speed, sources): (&mut ByFormation<Option<i32>>, &mut ByFormation<Source>),
) {
    for (one, (id, formation)) in formations.ids().zip(&wire.formation) {
        let Some(other) = &formation.moves_as else { continue };
        let names = wire.formation.keys().map(String::as_str);
        let Some(other) = checker.find(&at!["formation", id, "moves-as"], "formation", other, names) else { continue };
        let open = formations[one].arms & (1 << (arm % 32)) != 0;
        if open && speed[one].is_none() {
            speed[one] = speed[other];
            sources[one] = sources[other].clone();
        }
    }
}

fn name(checker: &mut Checker<'_>, at: &Path, id: &str) {
    if !is_name(id) {
        let help = "use lower-case letters, digits and dashes, beginning with a letter";
        checker.fault(at, format!("`{id}` is not a valid name"), Some(help));
    }
}
