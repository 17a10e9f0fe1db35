//! The way of one battle: steps until it is over.

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, Limit, Mechanism, Rules, Whose};

use crate::mechanism;
use crate::situation::status::{BROKEN, PART};
use crate::state::battle::{Battle, Flags, Setup};
use crate::state::hex::NO_CARD;
use crate::state::outcome::{Outcome, SideOutcome};
use crate::state::side::{BySide, Side};
use crate::step::context::Field;
use crate::step::scratch::Scratch;
use crate::telling::event::{Event, Witness};

/// Fights a battle to its end.
///
/// The outcome is a pure function of the rules, the setup and the dice.
pub fn fight<D: Dice, W: Witness>(rules: &Rules, setup: &Setup, dice: &mut D, witness: &mut W) -> Outcome {
    Steps::new(rules, setup).play_on(&mut setup.start.clone(), dice, witness)
}

/// Plays the next phase; the outcome if it ended the battle.
///
/// A step depends on nothing but the rules, what of the setup never changes, the state and the dice, so that states which are equal
/// can be merged between steps.
pub fn step<D: Dice, W: Witness>(
    rules: &Rules,
    setup: &Setup,
    battle: &mut Battle,
    dice: &mut D,
    witness: &mut W,
) -> Option<Outcome> {
    Steps::new(rules, setup).step(battle, dice, witness)
}

/// Steps of many battles by one pair of rules and setup: [`step`] for those who take a great number of them.
pub struct Steps<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    scratch: Scratch,
}

impl<'a> Steps<'a> {
    /// Steps by these rules.
    #[must_use]
    pub fn new(rules: &'a Rules, setup: &'a Setup) -> Self {
        Self { rules, setup, scratch: Scratch::new() }
    }

    /// Plays the next phase of a battle that began as the setup says; the outcome if it ended the battle.
    pub fn step<D: Dice, W: Witness>(&mut self, battle: &mut Battle, dice: &mut D, witness: &mut W) -> Option<Outcome> {
        play_step(&mut self.field(battle, dice, witness))
    }

    /// Fights a battle that is under way to its end.
    pub(crate) fn play_on<D: Dice, W: Witness>(
        &mut self,
        battle: &mut Battle,
        dice: &mut D,
        witness: &mut W,
    ) -> Outcome {
        let mut field = self.field(battle, dice, witness);
        loop {
            if let Some(outcome) = play_step(&mut field) {
                return outcome;
            }
        }
    }

    /// The field of a battle, for any number of steps.
    pub(crate) fn field<'s, D: Dice, W: Witness>(
        &'s mut self,
        battle: &'s mut Battle,
        dice: &'s mut D,
        witness: &'s mut W,
    ) -> Field<'s, D, W> {
        Field::new(self.rules, self.setup, battle, dice, witness, &mut self.scratch)
    }
}

pub(crate) fn play_step<D: Dice, W: Witness>(field: &mut Field<'_, D, W>) -> Option<Outcome> {
    field.scratch.begin_step();
    let rules = field.rules;
    let phase = &rules.phases[usize::from(field.battle.phase)];
    let begins = field.battle.phase == 0;
    if begins {
        field.tell(|| Event::HalfTurn);
        field.bring_on();
        if !rules.pays {
            field.count_orders();
        }
    }
    if phase.halves[field.battle.active.index()] {
        play(field);
    }
    // Only a unit that breaks can end a battle; one that begins beaten is over after its first phase.
    let ends = usize::from(field.battle.phase) + 1 == rules.phases.len();
    let looks = if rules.victory.at_half { ends } else { field.scratch.broken || begins };
    if looks && let Some(outcome) = field.verdict() {
        field.tell(|| Event::HalfTurnOver);
        field.tell(|| Event::Over { outcome, limit: None });
        return Some(outcome);
    }
    if !field.next_phase() {
        return None;
    }
    let outcome = field.outcome(match rules.victory.limit {
        Limit::Draw => None,
        Limit::First => Some(Side::First),
        Limit::Second => Some(Side::Second),
        Limit::Fewer => field.fewer_lost(),
    });
    field.tell(|| Event::Over { outcome, limit: Some(rules.victory.limit) });
    Some(outcome)
}

fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>) {
    let index = field.battle.phase;
    let phase = &field.rules.phases[usize::from(index)];
    field.tell(|| Event::Phase(index));
    let active = field.battle.active;
    let sides: &[Side] = match phase.by {
        Whose::Active => &[active],
        Whose::Passive => &[active.other()],
        Whose::Both => &[active, active.other()],
    };
    let joins = phase.mechanism == Mechanism::Move && field.rules.square.is_some() && field.anybody_joins();
    if joins {
        sides.iter().for_each(|&side| field.join_squares(side, true));
    }
    for &side in sides {
        match phase.mechanism {
            Mechanism::Orders => mechanism::points::orders::play(field, side),
            Mechanism::Command => mechanism::hex::command::play(field, side),
            Mechanism::Volley(roll) => mechanism::points::volley::play(field, side, roll),
            Mechanism::Onset(roll) => mechanism::points::charge_resolution::play(field, side, roll),
            _ => play_each(field, side, phase.mechanism),
        }
    }
    if joins {
        sides.iter().for_each(|&side| field.join_squares(side, false));
    }
    field.answer_losses();
    field.check_dressing();
    if field.setup.screens {
        field.check_tethers();
    }
    if phase.mechanism == Mechanism::Move {
        sides.iter().for_each(|&side| field.settle_commands(side));
    }
    field.forget_hits();
}

/// Plays a mechanism that looks at one unit after the other.
fn play_each<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, side: Side, mechanism: Mechanism) {
    if rules_of_hexes(field).is_some() && mechanism::hex::rests(field, mechanism) {
        return;
    }
    for unit in field.battle.side(side) {
        if field.battle.unit(unit).gone() {
            if let Mechanism::Fire(roll) = mechanism {
                mechanism::figures::fire::from_square(field, unit, roll);
            }
            continue;
        }
        if field.battle.is_crew(field.rules, field.battle.unit(unit)) {
            field.play_crew(unit, mechanism);
            continue;
        }
        if let Some(hex) = rules_of_hexes(field) {
            mechanism::hex::play(field, hex, unit, mechanism);
            // Banners decide at once; everything else waits for the end of the phase.
            if field.scratch.broken && field.banners_decide() {
                return;
            }
            continue;
        }
        match mechanism {
            Mechanism::Formation => mechanism::figures::formation::play(field, unit),
            Mechanism::Charge => mechanism::figures::charge::play(field, unit),
            Mechanism::Move => mechanism::figures::movement::play(field, unit),
            Mechanism::Fire(roll) => mechanism::figures::fire::play(field, unit, roll),
            Mechanism::Shock(roll) => mechanism::common::shock::play(field, unit, roll),
            Mechanism::Exchange(roll) => mechanism::common::exchange::play(field, unit, roll),
            Mechanism::Test(roll) => mechanism::common::test::play(field, unit, roll),
            Mechanism::Flight => mechanism::points::flight::play(field, unit),
            // Played by sides, or refused on boards without hexes.
            Mechanism::Orders
            | Mechanism::Volley(_)
            | Mechanism::Onset(_)
            | Mechanism::Command
            | Mechanism::CloseCombat => {}
        }
    }
}

#[inline]
fn rules_of_hexes<'a, D, W>(field: &Field<'a, D, W>) -> Option<&'a HexRules> {
    field.rules.hex.as_deref()
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Whether a side has lost as many units as decide a battle at once.
    fn banners_decide(&self) -> bool {
        let most = self.rules.victory.banners.map_or(usize::MAX, usize::from);
        Side::BOTH.into_iter().any(|side| self.banners_of(side) >= most)
    }

    /// Units that a side has lost for good.
    fn banners_of(&self, side: Side) -> usize {
        self.battle.side(side).filter(|&id| self.battle.unit(id).gone_for_enemy()).count()
    }

    /// The outcome, if a side is beaten. Both beaten at once: nobody wins.
    fn verdict(&self) -> Option<Outcome> {
        let beaten = BySide::from_fn(|side| {
            let (lost, all) = self.share_lost(side);
            let banners = self.rules.victory.banners.is_some_and(|most| self.banners_of(side) >= usize::from(most));
            banners || lost * 100 >= all * u32::from(self.rules.victory.broken)
        });
        match (beaten.first, beaten.second) {
            (false, false) => None,
            (true, true) if self.rules.victory.at_half => Some(self.outcome(self.fewer_lost())),
            (true, true) => Some(self.outcome(None)),
            (true, false) => Some(self.outcome(Some(Side::Second))),
            (false, true) => Some(self.outcome(Some(Side::First))),
        }
    }

    /// How much of a side is lost, and all of it, in half units.
    fn share_lost(&self, side: Side) -> (u32, u32) {
        let victory = &self.rules.victory;
        let (mut lost, mut all) = (0, 0);
        for id in self.battle.side(side) {
            let noted = self.note(id);
            if noted & PART != 0 {
                continue;
            }
            let half = victory.half.as_ref().is_some_and(|half| half.get(&self.view(id, None)) != 0);
            let weight = if half { 1 } else { 2 };
            let counts = match &victory.lost {
                None => noted & BROKEN != 0,
                Some(when) => self.battle.unit(id).gone_for_enemy() || when.get(&self.view(id, None)) != 0,
            };
            all += weight;
            lost += if counts { weight } else { 0 };
        }
        (lost, all)
    }

    /// The side that has lost the smaller share of its units.
    fn fewer_lost(&self) -> Option<Side> {
        let ((first, of_first), (second, of_second)) = (self.share_lost(Side::First), self.share_lost(Side::Second));
        match (first * of_second).cmp(&(second * of_first)) {
            std::cmp::Ordering::Less => Some(Side::First),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Side::Second),
        }
    }

    fn outcome(&self, winner: Option<Side>) -> Outcome {
        let sides = BySide::from_fn(|side| {
            let mut sum = SideOutcome::default();
            for id in self.battle.side(side) {
                let unit = self.battle.unit(id);
                let broken = unit.broken(self.rules);
                sum.start += unit.start;
                sum.losses += unit.start - unit.figures;
                if unit.flags.has(Flags::SCREEN) {
                    continue;
                }
                sum.units += 1;
                sum.broken += u8::from(broken);
                sum.shaken += u8::from(!broken && self.rules.morale[usize::from(unit.morale)].shaken);
                if unit.broke > 0 && (sum.first_break == 0 || unit.broke < sum.first_break) {
                    sum.first_break = unit.broke;
                }
            }
            sum
        });
        Outcome { winner, turns: self.battle.turn, sides }
    }

    /// Goes on to the next phase, half-turn or turn; true if the turn limit is passed.
    fn next_phase(&mut self) -> bool {
        if usize::from(self.battle.phase) + 1 >= self.rules.phases.len() {
            self.give_up_slow_changes();
            self.finish_slow_changes();
            self.tell(|| Event::HalfTurnOver);
        }
        let battle = self.battle.beside_units();
        battle.phase += 1;
        if usize::from(battle.phase) < self.rules.phases.len() {
            return false;
        }
        self.battle.end_half_turn();
        let battle = self.battle.beside_units();
        battle.phase = 0;
        battle.cards.now = NO_CARD;
        if battle.active == Side::First {
            battle.active = Side::Second;
            return false;
        }
        if battle.turn >= self.setup.turns {
            return true;
        }
        battle.active = Side::First;
        battle.turn += 1;
        false
    }
}
