//! A battle, played step by step to its end.

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, Limit, Mechanism, Moment, Rules, Whose};

use crate::mechanism;
use crate::mechanism::common::arrival::{answer_calls, bring_on, waits_for_call};
use crate::mechanism::common::counters;
use crate::mechanism::common::ground::check_dressing;
use crate::mechanism::common::objectives;
use crate::mechanism::common::simultaneous;
use crate::mechanism::common::turn_order::{self, Course};
use crate::mechanism::figures::battery::{finish_slow_changes, give_up_slow_changes};
use crate::mechanism::figures::command::settle_commands;
use crate::mechanism::figures::crew::play_crew;
use crate::mechanism::figures::post::clear_screens;
use crate::mechanism::figures::square::{anybody_joins, join_squares, leave_abandoned};
use crate::mechanism::figures::tether::check_tethers;
use crate::situation::objectives::has_exited;
use crate::situation::status::{BROKEN, PART};
use crate::state::{Battle, Flags, Maybe, Outcome, SIDES_MAX, Setup, Side, SideOutcome, Units};
use crate::step::activation::count_orders;
use crate::step::banners::{banners_decide, banners_of};
use crate::step::context::{Context, tell_turn};
use crate::step::losses::forget_hits;
use crate::step::nearest::nearest_enemy;
use crate::step::player::Player;
use crate::step::position::{Position, phase_of};
use crate::step::scratch::Scratch;
use crate::telling::event::{Ending, Event, Scene, Witness};

/// Fights a battle to its end.
///
/// The outcome is a pure function of the rules, the setup and the dice.
pub fn fight(rules: &Rules, setup: &Setup, dice: &mut dyn Dice, witness: &mut dyn Witness) -> Outcome {
    Steps::new(rules, setup).play_on(&mut setup.start.clone(), dice, witness)
}

/// Like [`fight`], with a player who chooses for the sides that it plays.
pub fn fight_as(
    rules: &Rules,
    setup: &Setup,
    dice: &mut dyn Dice,
    witness: &mut dyn Witness,
    player: &mut dyn Player,
) -> Outcome {
    let (mut steps, mut battle) = (Steps::new(rules, setup), setup.start.clone());
    loop {
        if let Some(outcome) = steps.step_as(&mut battle, dice, witness, player) {
            return outcome;
        }
    }
}

/// Plays the next phase. Returns the outcome if the battle ended.
///
/// A step depends only on the rules, the fixed part of the setup, the state and the dice. Equal states can therefore be
/// merged between steps.
pub fn step(
    rules: &Rules,
    setup: &Setup,
    battle: &mut Battle,
    dice: &mut dyn Dice,
    witness: &mut dyn Witness,
) -> Option<Outcome> {
    Steps::new(rules, setup).step(battle, dice, witness)
}

/// Plays steps of many battles with the same rules and setup, faster than calling [`step`] for each.
pub struct Steps<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    scratch: Scratch,
}

impl<'a> Steps<'a> {
    /// Prepares to play steps with these rules and this setup.
    #[must_use]
    pub fn new(rules: &'a Rules, setup: &'a Setup) -> Self {
        Self { rules, setup, scratch: Scratch::new() }
    }

    /// The setup.
    pub(crate) fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Plays the next phase of a battle that started from this setup. Returns the outcome if the battle ended.
    pub fn step(&mut self, battle: &mut Battle, dice: &mut dyn Dice, witness: &mut dyn Witness) -> Option<Outcome> {
        play_step(&mut self.context(battle, dice, witness))
    }

    /// Whether the last step might depend on the turn. If not, an equal state of another turn has the same results,
    /// except for the turn in which units break ([`Unit::broke`](crate::Unit::broke)) or the battle ends
    /// ([`Outcome::in_turn`]).
    #[must_use]
    pub fn was_dated(&self) -> bool {
        self.scratch.dated.get() || self.scratch.turn_ended || self.are_dated()
    }

    /// Whether every step might have a different result in another turn, because the pack or the setup as a whole
    /// depends on the turn.
    ///
    /// Dice that decide which turn is the last need no special case, because the step that rolls them reads the turn.
    #[must_use]
    pub fn are_dated(&self) -> bool {
        let Self { rules, setup, scratch: _ } = self;
        // On hexes, some conditions are read without recording whether they read the turn.
        rules.hex.is_some() || !setup.arrivals.is_empty() || !setup.generals.is_empty() || rules.turn_order.is_some()
    }

    /// Plays the next phase with a player who chooses for the sides that it plays.
    pub fn step_as(
        &mut self,
        battle: &mut Battle,
        dice: &mut dyn Dice,
        witness: &mut dyn Witness,
        player: &mut dyn Player,
    ) -> Option<Outcome> {
        let scratch = &mut self.scratch;
        play_step(&mut Context::new(self.rules, self.setup, battle, dice, witness, scratch, Some(player)))
    }

    /// Plays a battle from its current state to its end.
    pub(crate) fn play_on(&mut self, battle: &mut Battle, dice: &mut dyn Dice, witness: &mut dyn Witness) -> Outcome {
        let mut ctx = self.context(battle, dice, witness);
        loop {
            if let Some(outcome) = play_step(&mut ctx) {
                return outcome;
            }
        }
    }

    /// The context of the steps of a battle.
    pub(crate) fn context<'s>(
        &'s mut self,
        battle: &'s mut Battle,
        dice: &'s mut dyn Dice,
        witness: &'s mut dyn Witness,
    ) -> Context<'s> {
        Context::new(self.rules, self.setup, battle, dice, witness, &mut self.scratch, None)
    }
}

pub(crate) fn play_step(ctx: &mut Context<'_>) -> Option<Outcome> {
    ctx.scratch.begin_step();
    let rules = ctx.rules;
    let begins = ctx.battle.phase == 0;
    let by_unit = rules.goes_by_unit();
    // If units go one at a time, a side needs to be checked again only at the first activation, unless units other than
    // broken ones count as lost.
    let counts_anew = begins && (!by_unit || ctx.battle.activations() == 0 || counts_otherwise(rules));
    let course = if begins { begin(ctx) } else { Course::Plays };
    let plays = course == Course::Plays;
    // A side that is out of the battle keeps its half of the turn, but nothing happens in it. This keeps all battles in
    // step.
    let idles = !by_unit && ctx.battle.idles(ctx.battle.active);
    if plays && !idles && belongs_here(ctx, phase_of(ctx).halves) {
        play(ctx);
    }
    // Whether a half-turn or an activation ends.
    let ends = plays && usize::from(ctx.battle.phase) + 1 == rules.phases.len();
    let turn_ends =
        if by_unit { course == Course::Ends } else { ends && ctx.battle.follows(ctx.battle.active).is_none() };
    if (if by_unit { turn_ends } else { ends }) && !rules.counters.is_empty() {
        ctx.tell(|| Event::TurnCloses);
        counters::turn(ctx, Moment::TurnEnds);
    }
    answer_calls(ctx);
    if turn_ends && let Some(points) = &rules.victory.points {
        ctx.tell(|| Event::TurnCloses);
        objectives::end_turn(ctx, points);
    }
    // Only a unit that breaks can end a battle. But a side may be beaten from the start, so this is also checked after
    // the first phase.
    let passes = course == Course::Passes;
    let any = rules.army.as_deref().is_some_and(|army| army.beaten.is_some());
    let looks =
        if rules.victory.at_half { ends || passes || turn_ends } else { ctx.scratch.broken || counts_anew || any };
    if looks && let Some(outcome) = verdict(ctx) {
        tell_over(ctx);
        tell_turn(ctx, || Event::Over { outcome, ending: Ending::Beaten });
        return Some(outcome);
    }
    if turn_ends
        && let Some(points) = &rules.victory.points
        && let Some(winner) = objectives::reached(ctx, points)
    {
        let outcome = outcome(ctx, winner);
        tell_over(ctx);
        tell_turn(ctx, || Event::Over { outcome, ending: Ending::Reached });
        return Some(outcome);
    }
    let last = turn_ends && rules.victory.last.as_ref().is_some_and(|last| objectives::is_last(ctx, last));
    if last {
        tell_over(ctx);
    } else if !(if by_unit { go_on(ctx, course) } else { next_phase(ctx) }) {
        return None;
    }
    let outcome = outcome(
        ctx,
        match rules.victory.limit {
            Limit::Draw => None,
            Limit::First => Some(Side::First),
            Limit::Second => Some(Side::Second),
            Limit::Fewer => fewer_lost(ctx),
            Limit::Points => rules.victory.points.as_ref().and_then(|points| objectives::leader(ctx, points)),
        },
    );
    tell_turn(ctx, || Event::Over { outcome, ending: Ending::Limit(rules.victory.limit) });
    Some(outcome)
}

/// Whether a phase is played in the current half of the turn. `halves` tells whether the phase belongs to the first
/// half and to the last one. In the halves between them, only phases that belong to both are played.
fn belongs_here(ctx: &Position<'_>, halves: [bool; 2]) -> bool {
    let battle = &ctx.battle;
    halves == [true; 2]
        || match (battle.active == battle.leads(), battle.is_last(battle.active)) {
            (true, false) => halves[0],
            (false, true) => halves[1],
            (true, true) | (false, false) => false,
        }
}

/// Whether a side may be beaten even if no unit breaks.
fn counts_otherwise(rules: &Rules) -> bool {
    let victory = &rules.victory;
    victory.lost.is_some() || victory.half.is_some() || victory.banners.is_some()
}

/// Begins a half-turn, or the next activation.
fn begin(ctx: &mut Context<'_>) -> Course {
    let rules = ctx.rules;
    if let Some(order) = &rules.turn_order {
        turn_order::begin(ctx, order);
        if order.goes_by_unit() {
            return turn_order::next(ctx, order);
        }
    }
    if ctx.battle.idles(ctx.battle.active) {
        return Course::Plays;
    }
    tell_turn(ctx, || Event::HalfTurn);
    bring_on(ctx);
    if !rules.pays {
        count_orders(ctx);
    }
    if !rules.counters.is_empty() {
        counters::turn(ctx, Moment::TurnBegins);
    }
    Course::Plays
}

/// Reports the end of a half-turn or, if units go one at a time, of a turn.
fn tell_over(ctx: &mut Context<'_>) {
    if ctx.rules.goes_by_unit() {
        turn_order::tell_both(ctx, &Event::HalfTurnOver);
    } else {
        tell_turn(ctx, || Event::HalfTurnOver);
    }
}

fn play(ctx: &mut Context<'_>) {
    let phase = phase_of(ctx);
    let index = ctx.battle.phase;
    ctx.tell(|| Event::Phase(index));
    let active = ctx.battle.active;
    let sides: &[Side] = match phase.by {
        Whose::Active => &[active],
        Whose::Passive => ctx.battle.rivals(active),
        Whose::Both => ctx.battle.sides_from(active),
    };
    let joins = phase.mechanism == Mechanism::Move && ctx.rules.square.is_some() && anybody_joins(ctx);
    if joins {
        sides.iter().for_each(|&side| join_squares(ctx, side, true));
    }
    if phase.simultaneous {
        simultaneous::begin(ctx);
    }
    for &side in sides {
        match phase.mechanism {
            Mechanism::Orders => mechanism::points::orders::play(ctx, side),
            Mechanism::Command => mechanism::hex::command::play(ctx, side),
            Mechanism::Army(roll) => mechanism::common::army::play(ctx, side, roll),
            Mechanism::Resolve => mechanism::common::resolve::play(ctx),
            Mechanism::Regroup => mechanism::common::regroup::play(ctx, side),
            Mechanism::Flight => mechanism::points::flight::play(ctx, side),
            Mechanism::Volley(roll) => mechanism::points::volley::play(ctx, side, roll),
            Mechanism::Onset(roll) => mechanism::points::charge_resolution::play(ctx, side, roll),
            _ => play_each(ctx, side, phase.mechanism),
        }
    }
    if phase.simultaneous {
        simultaneous::end(ctx);
    }
    if ctx.setup.screens && matches!(phase.mechanism, Mechanism::Charge | Mechanism::Move) {
        let moved = phase.mechanism == Mechanism::Move;
        sides.iter().for_each(|&side| clear_screens(ctx, side, moved));
    }
    if joins {
        sides.iter().for_each(|&side| join_squares(ctx, side, false));
    }
    if !ctx.rules.counters.is_empty() {
        counters::after_phase(ctx);
    }
    ctx.answer_losses();
    check_dressing(ctx);
    if ctx.setup.screens {
        check_tethers(ctx);
    }
    if phase.mechanism == Mechanism::Move {
        sides.iter().for_each(|&side| settle_commands(ctx, side));
    }
    forget_hits(ctx);
}

/// Plays a mechanism unit by unit.
fn play_each(ctx: &mut Context<'_>, side: Side, mechanism: Mechanism) {
    if rules_of_hexes(ctx).is_some() && mechanism::hex::rests(ctx, mechanism) {
        return;
    }
    if let (Some(hex), Mechanism::Fire(roll)) = (rules_of_hexes(ctx), mechanism) {
        mechanism::hex::fire::look(ctx, hex, side, roll);
    }
    // Battalions and guns that leave their square in the formation phase may also change formation in it, wherever they
    // are listed (8.11). They are therefore played after all others.
    let last = if mechanism == Mechanism::Formation && ctx.rules.square.is_some() {
        ctx.battle.units_of(side).those(|id| ctx.battle.unit(id).flags.has(Flags::INSIDE))
    } else {
        Units::default()
    };
    for unit in ctx.battle.side(side).filter(|&id| !last.has(id)).chain(last) {
        if !ctx.battle.takes_part(unit) {
            continue;
        }
        if ctx.battle.unit(unit).gone() {
            if let Mechanism::Fire(roll) = mechanism {
                mechanism::figures::fire::from_square(ctx, unit, roll);
            }
            continue;
        }
        if ctx.battle.is_crew(ctx.rules, ctx.battle.unit(unit)) {
            play_crew(ctx, unit, mechanism);
            continue;
        }
        if let Some(hex) = rules_of_hexes(ctx) {
            mechanism::hex::play(ctx, hex, unit, mechanism);
            // Banners end the battle at once. All other conditions are checked at the end of the phase.
            if ctx.scratch.broken && banners_decide(ctx) {
                return;
            }
            continue;
        }
        // The conditions of other mechanisms are read for the enemy that the mechanism chooses. A broken unit has no
        // orders, and flees.
        let orders = matches!(mechanism, Mechanism::Formation | Mechanism::Charge | Mechanism::Move);
        if orders
            && !ctx.battle.unit(unit).broken(ctx.rules)
            && !ctx.holds_for(phase_of(ctx).when.as_ref(), unit, nearest_enemy)
        {
            continue;
        }
        let moves = matches!(mechanism, Mechanism::Charge | Mechanism::Move) && ctx.rules.square.is_some();
        let stood = moves.then(|| ctx.circle(unit).centre);
        match mechanism {
            Mechanism::Formation => mechanism::figures::formation::play(ctx, unit),
            Mechanism::Charge => mechanism::figures::charge::play(ctx, unit),
            Mechanism::Move => mechanism::figures::movement::play(ctx, unit),
            Mechanism::Fire(roll) => mechanism::figures::fire::play(ctx, unit, roll),
            Mechanism::Shock(roll) => mechanism::common::shock::play(ctx, unit, roll),
            Mechanism::Exchange(roll) => mechanism::common::exchange::play(ctx, unit, roll),
            Mechanism::Test(roll) => mechanism::common::test::play(ctx, unit, roll),
            // These are played for whole sides, or refused on boards without hexes.
            Mechanism::Orders
            | Mechanism::Army(_)
            | Mechanism::Resolve
            | Mechanism::Regroup
            | Mechanism::Flight
            | Mechanism::Volley(_)
            | Mechanism::Onset(_)
            | Mechanism::Command
            | Mechanism::CloseCombat => {}
        }
        if let Some(stood) = stood {
            leave_abandoned(ctx, unit, stood);
        }
    }
}

#[inline]
fn rules_of_hexes<'a>(ctx: &Position<'a>) -> Option<&'a HexRules> {
    ctx.rules.hex.as_deref()
}

/// The outcome if at most one side is not beaten. If all remaining sides are beaten at the same time, the battle is
/// usually a draw. Sides that are beaten while others fight on are out.
fn verdict(ctx: &mut Context<'_>) -> Option<Outcome> {
    let is_beaten = |ctx: &Position<'_>, side: Side| {
        let (lost, all) = share_lost(ctx, side);
        let banners = ctx.rules.victory.banners.is_some_and(|most| banners_of(ctx, side) >= usize::from(most));
        let army = ctx.rules.army.as_deref().and_then(|army| army.beaten.as_ref());
        let army = army.zip(ctx.battle.side(side).next());
        let beaten = army.is_some_and(|(beaten, first)| ctx.holds(Some(beaten), first, None));
        beaten || banners || lost * 100 >= all * u32::from(ctx.rules.victory.broken)
    };
    let mut beaten = [false; SIDES_MAX];
    for side in in_battle(&ctx.battle) {
        beaten[side.index()] = is_beaten(ctx, side);
    }
    if beaten == [false; SIDES_MAX] {
        return None;
    }
    let left = {
        let mut left = in_battle(&ctx.battle).filter(|side| !beaten[side.index()]);
        (left.next(), left.next())
    };
    match left {
        (None, _) if ctx.rules.victory.at_half => Some(outcome(ctx, fewer_lost(ctx))),
        (winner, None) => Some(outcome(ctx, winner)),
        (_, Some(_)) => {
            let beaten = ctx.battle.sides().iter().filter(|side| beaten[side.index()]);
            beaten.for_each(|&side| leave(ctx, side));
            None
        }
    }
}

/// The sides that are not out.
fn in_battle(battle: &Battle) -> impl Iterator<Item = Side> {
    battle.sides().iter().copied().filter(|&side| !battle.is_out(side))
}

/// Takes a beaten side out of the battle, with all its units. This does not break them.
#[cold]
fn leave(ctx: &mut Context<'_>, side: Side) {
    ctx.battle.beside_units().out |= 1 << side.index();
    for id in ctx.battle.side(side) {
        if !ctx.battle.unit(id).is_place() {
            let flags = ctx.battle.flags_mut(id);
            flags.clear(Flags::CHARGING);
            flags.clear(Flags::LATE);
            flags.set(Flags::GONE);
        }
    }
    if let Some(first) = ctx.battle.side(side).next() {
        ctx.tell_special((first, None), &ctx.rules.victory.source, |scene: Scene<'_>| {
            format!("{} is beaten, and leaves the battle.", scene.setup.names[side])
        });
    }
}

/// The lost part of a side, and the whole side, each counted in half units.
fn share_lost(ctx: &Position<'_>, side: Side) -> (u32, u32) {
    let victory = &ctx.rules.victory;
    let (mut lost, mut all) = (0, 0);
    let late_count = ctx.rules.arrival.as_ref().is_none_or(|arrival| arrival.counts);
    for id in ctx.battle.side(side) {
        let status = ctx.status(id);
        let late = !late_count && ctx.battle.unit(id).flags.has(Flags::LATE);
        if status & PART != 0 || late || waits_for_call(ctx, id) || ctx.battle.unit(id).is_place() {
            continue;
        }
        let half = victory.half.as_ref().is_some_and(|half| half.get(&ctx.view(id, None)) != 0);
        let weight = if half { 1 } else { 2 };
        let counts = match &victory.lost {
            None => status & BROKEN != 0,
            Some(when) => ctx.battle.unit(id).gone_for_enemy() || when.get(&ctx.view(id, None)) != 0,
        };
        all += weight;
        lost += if counts && !has_exited(&ctx.view(id, None), id) { weight } else { 0 };
    }
    (lost, all)
}

/// The side that has lost the smallest share of its units. `None` if there is a tie.
fn fewer_lost(ctx: &Position<'_>) -> Option<Side> {
    let fewer = |one: Side, other: Side| {
        let ((lost, of), (other_lost, of_other)) = (share_lost(ctx, one), share_lost(ctx, other));
        lost * of_other < other_lost * of
    };
    in_battle(&ctx.battle).find(|&side| in_battle(&ctx.battle).all(|other| side == other || fewer(side, other)))
}

fn outcome(ctx: &Position<'_>, winner: Option<Side>) -> Outcome {
    let sides = ctx.battle.by_side(|side| {
        let mut sum = SideOutcome::default();
        for (unit, id) in ctx.battle.of_side(side).iter().zip(ctx.battle.side(side)) {
            let broken = unit.broken(ctx.rules) && !has_exited(&ctx.view(id, None), id);
            sum.start += unit.start;
            sum.losses += unit.start - unit.figures;
            if unit.flags.has(Flags::SCREEN) || unit.is_place() {
                continue;
            }
            sum.units += 1;
            sum.routed_units += u8::from(broken);
            sum.shaken_units += u8::from(!broken && ctx.rules.morale[unit.morale].shaken);
            if unit.broke > 0 && (sum.rout_turn == 0 || unit.broke < sum.rout_turn) {
                sum.rout_turn = unit.broke;
            }
        }
        sum
    });
    Outcome { winner, turns: ctx.battle.turn, sides }
}

/// Advances to the next phase, half-turn or turn. Returns true once the turn limit is passed.
fn next_phase(ctx: &mut Context<'_>) -> bool {
    if usize::from(ctx.battle.phase) + 1 >= ctx.rules.phases.len() {
        give_up_slow_changes(ctx);
        finish_slow_changes(ctx);
        if !ctx.battle.idles(ctx.battle.active) {
            tell_turn(ctx, || Event::HalfTurnOver);
        }
    }
    let (rules, setup) = (ctx.rules, ctx.setup);
    let battle = ctx.battle.beside_units();
    battle.phase += 1;
    if usize::from(battle.phase) < rules.phases.len() {
        return false;
    }
    ctx.battle.end_half_turn();
    let battle = ctx.battle.beside_units();
    battle.phase = 0;
    battle.cards.now = Maybe::NONE;
    if let Some(next) = battle.follows(battle.active) {
        battle.active = next;
        return false;
    }
    ctx.scratch.turn_ended = true;
    let battle = ctx.battle.beside_units();
    if battle.turn >= setup.turns {
        return true;
    }
    battle.turn += 1;
    turn_order::end_turn(battle);
    battle.active = battle.begins();
    false
}

/// If units go one at a time, advances to the next phase, activation or turn. Returns true once the turn limit is
/// passed.
fn go_on(ctx: &mut Context<'_>, course: Course) -> bool {
    match course {
        Course::Passes => false,
        Course::Plays => {
            let phase = ctx.battle.phase + 1;
            let ends = usize::from(phase) == ctx.rules.phases.len();
            ctx.battle.beside_units().phase = if ends { 0 } else { phase };
            if ends {
                turn_order::end_activation(ctx);
            }
            false
        }
        Course::Ends => {
            tell_over(ctx);
            let last = ctx.battle.turn >= ctx.setup.turns;
            let battle = ctx.battle.beside_units();
            battle.turn += u8::from(!last);
            turn_order::end_turn(battle);
            last
        }
    }
}
