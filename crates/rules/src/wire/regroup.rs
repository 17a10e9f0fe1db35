//! Units that split and merge, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::IntOrExpr;
use grognard_source::Inches;

/// How a unit splits: some of its figures become a separate unit of the same type. A study reserves entries for such
/// units (`arrives = "split"`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SplitWire {
    /// The figures that split off: a number or a formula such as `"self.figures / 2"`. Reads `self` and `foe`, the
    /// nearest enemy. A unit does not split if either part would have no figures.
    pub figures: IntOrExpr,
    /// The units that may split. Reads `self` and `foe`, the nearest enemy. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a unit merges with a friend of its type: it joins the friend. Together they may have no more figures than their
/// type at full strength.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MergeWire {
    /// The maximum distance between the two, in inches (a `plane` board). On a `hex` board, the friend must be
    /// adjacent; on board `none`, all friends are near enough. Default: 0 (they touch).
    #[serde(default)]
    pub within: Option<Inches>,
    /// The units that may merge. Reads `self`, the unit that joins, and `foe`, the friend that it joins. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
