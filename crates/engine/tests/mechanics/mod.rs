//! The dice mechanics of published games, tested through the whole engine. Each small pack has one mechanic, and its
//! odds are computed by hand, here or elsewhere.
//!
//! Each comparison is made twice: every path of the dice is played, which must give the exact odds, and battles are
//! sampled, which must come close to them (`common::agree` gives the false-alarm rate). All seeds are fixed.

mod army;
mod arrival;
mod calls;
mod chances;
mod close_on_hexes;
mod counters;
mod damage;
mod duel;
mod giving_back;
mod groups;
mod losses;
mod mixed_dice;
mod objectives;
mod on_hexes;
mod one_roll;
mod opposed;
mod phases;
mod pools;
mod regroup;
mod resolve;
mod retake;
mod risk;
mod seize_on_hexes;
mod sides;
mod simultaneous;
mod symbols;
mod tables;
mod template;
mod template_on_hexes;
mod through;
mod ties;
mod traits;
mod turn_order;
mod zones;
