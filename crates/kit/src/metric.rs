//! The results of a battle as numbers.

use grognard_engine::{Outcome, Side};

/// A number of a battle. All but [`Metric::RoutTurn`] have a value in every battle, if the side is in it.
///
/// ```
/// use grognard_kit::{Metric, Side, Study};
///
/// let cell = Study::load("risk-dice")?.cell(0)?;
/// let battle = cell.battle(7).run()?;
/// assert_eq!(Metric::Turns.of(battle.outcome()), Some(battle.outcome().turns.into()));
/// assert_eq!(Metric::Losses(Side::First).of(battle.outcome()), Some(battle.outcome().sides.first.losses.into()));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// 1 if the side wins, otherwise 0.
    Win(Side),
    /// 1 if neither side wins, otherwise 0.
    Draw,
    /// Game turns fought.
    Turns,
    /// Figures that the side lost.
    Losses(Side),
    /// Units of the side that are routed, destroyed or off the table at the end.
    RoutedUnits(Side),
    /// Units of the side that are shaken at the end without being routed.
    ShakenUnits(Side),
    /// The turn in which the first unit of the side routed or was destroyed; battles without a rout have none.
    RoutTurn(Side),
}

impl Metric {
    /// All metrics, with their names.
    pub(crate) fn named(sides: &[String]) -> Vec<(String, Self)> {
        let mut named = vec![("turns".to_owned(), Self::Turns), ("draw".to_owned(), Self::Draw)];
        for (name, side) in sides.iter().zip(Side::ALL) {
            let of_side = [
                ("win", Self::Win(side)),
                ("losses", Self::Losses(side)),
                ("routed_units", Self::RoutedUnits(side)),
                ("shaken_units", Self::ShakenUnits(side)),
                ("rout_turn", Self::RoutTurn(side)),
            ];
            named.extend(of_side.map(|(key, metric)| (format!("{name}.{key}"), metric)));
        }
        named
    }

    /// Its value in a battle; `None` for the turn of a rout that did not happen, and for a side that is not in it.
    ///
    /// ```
    /// # use grognard_kit::{Metric, Study};
    /// # let battle = Study::load("risk-dice")?.cell(0)?.battle(7).run()?;
    /// assert!(Metric::Draw.of(battle.outcome()).is_some_and(|draw| draw <= 1));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn of(self, outcome: &Outcome) -> Option<u32> {
        let of = |side: Side| outcome.sides.get(side);
        let value = match self {
            Self::Win(side) => of(side).map(|_| outcome.winner == Some(side))?.into(),
            Self::Draw => outcome.winner.is_none().into(),
            Self::Turns => outcome.turns.into(),
            Self::Losses(side) => of(side)?.losses.into(),
            Self::RoutedUnits(side) => of(side)?.routed_units.into(),
            Self::ShakenUnits(side) => of(side)?.shaken_units.into(),
            Self::RoutTurn(side) => return Some(of(side)?.rout_turn.into()).filter(|&turn: &u32| turn > 0),
        };
        Some(value)
    }

    /// The side that it belongs to, if any.
    pub(crate) fn side(self) -> Option<Side> {
        match self {
            Self::Win(side)
            | Self::Losses(side)
            | Self::RoutedUnits(side)
            | Self::ShakenUnits(side)
            | Self::RoutTurn(side) => Some(side),
            Self::Draw | Self::Turns => None,
        }
    }
}
