//! Mechanisms of rules in which an order costs points.

pub(crate) mod act;
pub(crate) mod charge_resolution;
pub(crate) mod contact;
pub(crate) mod facing;
pub(crate) mod flight;
pub(crate) mod general;
pub(crate) mod meet;
pub(crate) mod occupation;
pub(crate) mod orders;
pub(crate) mod passage;
pub(crate) mod payment;
pub(crate) mod purse;
pub(crate) mod ride;
pub(crate) mod route;
pub(crate) mod volley;
pub(crate) mod walk;
