//! The tests of exact odds and best play, in one program, so that they are linked only once.

#[path = "../../engine/tests/common/agree.rs"]
mod agree;
mod bag_of_orders;
mod best;
mod calls;
mod common;
mod fleet_action;
mod fleets;
mod large_pools;
mod merging;
mod patrol;
mod published;
mod ranked_fantasy;
mod sampled;
mod sf_skirmish;
mod sides;
