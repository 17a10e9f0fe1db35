//! Small positions, played phase by phase.

use grognard_dice::{Address, Decision, Dice, Die, Faces, NoDice, ScriptedDice, Shown};
use grognard_engine::plane::{Arc, Rect};
use grognard_engine::{
    Allowance, Arrives, Battle, BySide, CommandPlan, Deployment, Event, FacingPlan, Misdeployment, Outcome, Player,
    Refusal, RollEvent, Setup, Shape, Side, SidePlan, Steps, TerrainPlan, Unit, UnitId, UnitPlan, deploy, step,
};
use grognard_rules::model::{Board, Contestant, Rules};

use super::recorder::{Recorder, modifiers_of};

/// A unit and its position.
#[derive(Clone, Debug)]
pub(crate) struct Men(UnitPlan);

/// A unit of this type at full strength, in the middle of the table and facing the enemy.
pub(crate) fn unit(kind: &str) -> Men {
    Men(UnitPlan { kind: kind.into(), ..UnitPlan::default() })
}

impl Men {
    pub(crate) fn figures(mut self, figures: u16) -> Self {
        self.0.figures = Some(figures);
        self
    }

    pub(crate) fn cannon(mut self, cannon: u16) -> Self {
        self.0.cannon = Some(cannon);
        self
    }

    /// Sets the number of figures in the front rank.
    pub(crate) fn abreast(mut self, figures: u16) -> Self {
        self.0.abreast = Some(figures);
        self
    }

    /// Sets the middle of the front edge, in inches east and north of the middle of the table.
    pub(crate) fn at(mut self, east: f64, north: f64) -> Self {
        let hundredths = |inches: f64| (inches * 100.0).round() as i32;
        self.0.at = Some((hundredths(east), hundredths(north)));
        self
    }

    /// Places the unit this many inches from the middle of the table, on this bearing in degrees.
    pub(crate) fn bearing(self, degrees: f64, inches: f64) -> Self {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        self.at(inches * sine, inches * cosine)
    }

    /// Sets the facing, in degrees clockwise from north.
    pub(crate) fn facing(mut self, degrees: f64) -> Self {
        self.0.facing = Some(FacingPlan::Heading((degrees * 10.0).round() as u16));
        self
    }

    /// Bends the front: its left half faces `left` degrees, and its right half `right` degrees.
    pub(crate) fn bent(mut self, left: u16, right: u16) -> Self {
        self.0.facing = Some(FacingPlan::Bent(left * 10, right * 10));
        self
    }

    /// Deploys this many figures as skirmishers.
    pub(crate) fn screen(mut self, out: u16) -> Self {
        self.0.screen = Some(out);
        self
    }

    /// Spreads the skirmishers over this many inches.
    pub(crate) fn frontage(mut self, inches: f64) -> Self {
        self.0.frontage = Some((inches * 100.0).round() as i32);
        self
    }

    pub(crate) fn formation(mut self, formation: &str) -> Self {
        self.0.formation = Some(formation.into());
        self
    }

    pub(crate) fn morale(mut self, state: &str) -> Self {
        self.0.morale = Some(state.into());
        self
    }

    /// Keeps the unit off the table until this turn.
    pub(crate) fn arrives(mut self, turn: u8) -> Self {
        self.0.arrives = Some(Arrives::From(turn));
        self
    }

    /// Keeps the unit off the table until a result calls it.
    pub(crate) fn called(mut self) -> Self {
        self.0.arrives = Some(Arrives::Called);
        self
    }

    /// Makes this a reserved place for a part that another unit splits off.
    pub(crate) fn part(mut self) -> Self {
        self.0.arrives = Some(Arrives::Split);
        self
    }

    pub(crate) fn plan(&self) -> UnitPlan {
        self.0.clone()
    }
}

/// Converts inches to hundredths of an inch.
fn hundredths((east, north): (f64, f64)) -> (i32, i32) {
    ((east * 100.0).round() as i32, (north * 100.0).round() as i32)
}

/// A piece of terrain drawn as a line.
pub(crate) fn line_of(ground: &str, from: (f64, f64), to: (f64, f64)) -> TerrainPlan {
    let shape = Shape::Line { from: hundredths(from), to: hundredths(to), thickness: None };
    TerrainPlan { ground: ground.into(), shape }
}

/// A block of terrain.
pub(crate) fn block_of(ground: &str, at: (f64, f64), size: (f64, f64)) -> TerrainPlan {
    let shape = Shape::Block { at: hundredths(at), size: hundredths(size), turned: 0 };
    TerrainPlan { ground: ground.into(), shape }
}

/// A battle in progress, watched by a [`Recorder`].
pub(crate) struct Game {
    pub(crate) rules: &'static Rules,
    pub(crate) setup: Setup,
    pub(crate) battle: Battle,
    pub(crate) seen: Recorder,
    pub(crate) outcome: Option<Outcome>,
    given: u16,
}

/// A side: its doctrine and its units.
type Army<'a> = (&'a str, &'a [Men]);

pub(crate) fn deployment(first: Army<'_>, second: Army<'_>) -> Deployment {
    let side = |name: &str, army: Army<'_>| SidePlan {
        name: name.into(),
        doctrine: Some(army.0.into()),
        units: army.1.iter().map(Men::plan).collect(),
        ..SidePlan::default()
    };
    Deployment { sides: BySide::new(side("first", first), side("second", second)), turns: 12, ..Deployment::default() }
}

/// Scripted dice that also record the number of faces of each die.
struct Counted {
    script: Vec<usize>,
    faces: Vec<usize>,
}

impl Faces for Counted {
    fn roll(&mut self, die: &Die) -> usize {
        let face = self.script.get(self.faces.len()).expect("a face for each die");
        self.faces.push(die.faces.len());
        face - 1
    }
}

impl Dice for Counted {
    fn decide(&mut self, _: Address, decision: &dyn Decision) -> usize {
        decision.by_hand(self)
    }

    fn shown(&mut self, _: Address, _: &dyn Decision, _: usize) -> Vec<Shown> {
        Vec::new()
    }
}

impl Game {
    /// A game between two sides under the drill rules.
    pub(crate) fn new(first: Army<'_>, second: Army<'_>) -> Self {
        Self::under(super::drill(), first, second)
    }

    pub(crate) fn under(rules: &'static Rules, first: Army<'_>, second: Army<'_>) -> Self {
        let setup = deploy(rules, &deployment(first, second)).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let battle = setup.start.clone();
        Self { rules, setup, battle, seen: Recorder::default(), outcome: None, given: 0 }
    }

    /// A game on this terrain, in which the first side has this order and this mode.
    pub(crate) fn commanded(
        terrain: &[TerrainPlan],
        (order, mode): (&str, &str),
        first: Army<'_>,
        second: Army<'_>,
    ) -> Self {
        let mut plan = Deployment { terrain: terrain.to_vec(), ..deployment(first, second) };
        plan.sides.first.command =
            CommandPlan { name: String::new(), order: Some(order.into()), mode: Some(mode.into()) };
        Self::planned(super::drill(), &plan)
    }

    pub(crate) fn planned(rules: &'static Rules, plan: &Deployment) -> Self {
        let setup = deploy(rules, plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let battle = setup.start.clone();
        Self { rules, setup, battle, seen: Recorder::default(), outcome: None, given: 0 }
    }

    /// A game on this terrain, under these rules.
    pub(crate) fn over(rules: &'static Rules, terrain: &[TerrainPlan], first: Army<'_>, second: Army<'_>) -> Self {
        let plan = Deployment { terrain: terrain.to_vec(), ..deployment(first, second) };
        Self::planned(rules, &plan)
    }

    /// The faults of a deployment that must be refused.
    pub(crate) fn refused(first: Army<'_>, second: Army<'_>) -> Vec<Misdeployment> {
        deploy(super::drill(), &deployment(first, second)).expect_err("this deployment is refused")
    }

    /// The faults of a deployment on this terrain that must be refused.
    pub(crate) fn refused_over(
        rules: &Rules,
        terrain: &[TerrainPlan],
        first: Army<'_>,
        second: Army<'_>,
    ) -> Vec<Misdeployment> {
        let plan = Deployment { terrain: terrain.to_vec(), ..deployment(first, second) };
        deploy(rules, &plan).expect_err("this deployment is refused")
    }

    /// Sets the points of the active side, so they are not rolled for.
    pub(crate) fn points(&mut self, points: u16) -> &mut Self {
        (self.battle.orders, self.given) = (Allowance::Left(points), points);
        self
    }

    /// A unit by side and number, for a test to change before play.
    pub(crate) fn unit_mut(&mut self, side: Side, number: usize) -> &mut Unit {
        let id = self.id(side, number);
        &mut self.battle.units[id.index()]
    }

    /// A unit by side and number.
    pub(crate) fn unit(&self, side: Side, number: usize) -> Unit {
        *self.battle.unit(self.id(side, number))
    }

    /// The acts that were refused, each with the bar that stopped it.
    pub(crate) fn barred(&self) -> Vec<(&str, &str)> {
        let named = |why: Refusal| match why {
            Refusal::Act { act, bar } => {
                let act = &self.rules.acts[usize::from(act)];
                Some((act.id.as_str(), act.bars[usize::from(bar)].id.as_str()))
            }
            _ => None,
        };
        self.seen.refusals().into_iter().filter_map(named).collect()
    }

    /// The points left when an act was last paid for, or the initial points if none was.
    pub(crate) fn left(&self) -> u16 {
        let left = |event: &Event| match event {
            Event::Paid { left, .. } => *left,
            _ => None,
        };
        self.seen.events().iter().rev().find_map(left).unwrap_or(self.given)
    }

    /// The acts that were paid for, in order.
    pub(crate) fn paid(&self) -> Vec<&str> {
        let act = |event: &Event| match event {
            Event::Paid { act, .. } => Some(self.rules.acts[usize::from(*act)].id.as_str()),
            _ => None,
        };
        self.seen.events().iter().filter_map(act).collect()
    }

    /// Plays one phase of a side's half-turn with exactly these faces.
    pub(crate) fn phase_of(&mut self, side: Side, id: &str, faces: &[i32]) -> &mut Self {
        if faces.is_empty() {
            self.play(side, id, &mut NoDice);
        } else {
            let mut dice = ScriptedDice::new(faces.iter().copied());
            self.play(side, id, &mut dice);
            dice.finish();
        }
        self
    }

    /// The same as [`Self::phase_of`], for the first side.
    pub(crate) fn phase(&mut self, id: &str, faces: &[i32]) -> &mut Self {
        self.phase_of(Side::First, id, faces)
    }

    /// Plays one phase of the first side's half-turn with exactly these faces and this player.
    pub(crate) fn phase_as(&mut self, id: &str, faces: &[i32], player: &mut dyn Player) -> &mut Self {
        (self.battle.active, self.battle.phase) = (Side::First, self.number_of(id));
        let mut dice = ScriptedDice::new(faces.iter().copied());
        let mut steps = Steps::new(self.rules, &self.setup);
        self.outcome = steps.step_as(&mut self.battle, &mut dice, &mut self.seen, player);
        dice.finish();
        self
    }

    /// Plays the first side's firing phase with any dice. Returns whether any unit fired.
    pub(crate) fn play_fire(&mut self) -> bool {
        let before = self.seen.rolls().count();
        self.play_anyhow(Side::First, "fire");
        self.seen.rolls().count() > before
    }

    /// Plays one phase of a side's half-turn with any dice.
    pub(crate) fn play_anyhow(&mut self, side: Side, id: &str) {
        self.play(side, id, &mut grognard_dice::SeededDice::new(1815));
    }

    /// The number of faces of each die rolled in one phase of the first side's half-turn, if the dice show these faces.
    pub(crate) fn dice(&mut self, id: &str, faces: &[usize]) -> Vec<usize> {
        self.dice_of(Side::First, id, faces)
    }

    /// The same as [`Self::dice`], for either side.
    pub(crate) fn dice_of(&mut self, side: Side, id: &str, faces: &[usize]) -> Vec<usize> {
        let mut dice = Counted { script: faces.to_vec(), faces: Vec::new() };
        self.play(side, id, &mut dice);
        dice.faces
    }

    /// Plays the next activation, or the end of the turn, with exactly these faces.
    #[track_caller]
    pub(crate) fn act(&mut self, faces: &[i32]) {
        let mut dice = ScriptedDice::new(faces.iter().copied());
        let thrown: &mut dyn Dice = if faces.is_empty() { &mut NoDice } else { &mut dice };
        loop {
            self.outcome = step(self.rules, &self.setup, &mut self.battle, thrown, &mut self.seen);
            if self.outcome.is_some() || self.battle.phase == 0 {
                break;
            }
        }
        dice.finish();
    }

    /// The units activated so far.
    pub(crate) fn activated(&self) -> Vec<usize> {
        let unit = |event: &Event| if let Event::Activated { unit } = event { unit.map(|id| id.index()) } else { None };
        self.seen.events().iter().filter_map(unit).collect()
    }

    pub(crate) fn play(&mut self, side: Side, id: &str, dice: &mut dyn Dice) {
        (self.battle.active, self.battle.phase) = (side, self.number_of(id));
        self.outcome = step(self.rules, &self.setup, &mut self.battle, dice, &mut self.seen);
    }

    fn number_of(&self, phase: &str) -> u8 {
        self.rules.phases.iter().position(|one| one.id == phase).expect("a phase of the pack") as u8
    }

    fn id(&self, side: Side, number: usize) -> UnitId {
        self.battle.side(side).nth(number).expect("a unit of that number")
    }

    pub(crate) fn first(&self) -> Unit {
        *self.battle.unit(self.id(Side::First, 0))
    }

    /// A unit of the first side by its number.
    pub(crate) fn nth(&self, number: usize) -> Unit {
        *self.battle.unit(self.id(Side::First, number))
    }

    pub(crate) fn second(&self) -> Unit {
        *self.battle.unit(self.id(Side::Second, 0))
    }

    pub(crate) fn ground(&self, unit: &Unit) -> Rect {
        unit.rect(self.rules)
    }

    /// The marker for a unit's morale on the table.
    pub(crate) fn marker(&self, unit: &Unit) -> Option<&str> {
        self.rules.morale[unit.morale].marker.as_deref()
    }

    /// The arc that a unit shows to another in their current positions.
    pub(crate) fn aspect(&self, target: &Unit, attacker: &Unit) -> Arc {
        let Board::Plane { arc, .. } = self.rules.board else { return Arc::Front };
        let footprint = attacker.footprint(self.rules);
        self.ground(target).aspect(&self.ground(attacker), footprint, attacker.figures, arc)
    }

    /// The formation and the morale of a unit.
    pub(crate) fn state(&self, unit: &Unit) -> (&str, &str) {
        let formation = &self.rules.formations[unit.formation].id;
        (formation, &self.rules.morale[unit.morale].id)
    }

    /// The last roll of this name.
    pub(crate) fn roll(&self, id: &str) -> &RollEvent {
        let is = |roll: &&RollEvent| self.rules.rolls[roll.roll].id == id;
        self.seen.rolls().rev().find(is).unwrap_or_else(|| panic!("nobody rolled for {id}"))
    }

    /// The modifiers on the roller's side of the last roll of this name.
    pub(crate) fn own_modifiers(&self, roll: &str) -> Vec<&str> {
        modifiers_of(self.rules, self.roll(roll), Contestant::Own)
    }

    /// The modifiers on the enemy's side of the last roll of this name.
    pub(crate) fn foe_modifiers(&self, roll: &str) -> Vec<&str> {
        modifiers_of(self.rules, self.roll(roll), Contestant::Foe)
    }

    /// The lines of [`Event::Special`], the events that belong to a single mechanism.
    pub(crate) fn specials(&self) -> Vec<&str> {
        let special = self.seen.events().iter().filter_map(|event| match event {
            Event::Special(event) => Some(event.line.as_str()),
            _ => None,
        });
        special.collect()
    }

    /// Asserts that the witness saw this clause applied.
    #[track_caller]
    pub(crate) fn saw(&self, clause: &str) {
        assert!(self.seen.cited().contains(clause), "nothing that happened cites {clause}: {:#?}", self.seen);
    }
}
