//! The results of a battle as numbers.

use grognard_engine::{Outcome, Side};

/// A number that every battle has.
///
/// ```
/// use grognard_kit::{Metric, Side, Study};
///
/// let cell = Study::load("risk-dice")?.cell(0)?;
/// let battle = cell.battle(7).run()?;
/// assert_eq!(Metric::Turns.of(battle.outcome()), u32::from(battle.outcome().turns));
/// assert_eq!(Metric::Losses(Side::First).of(battle.outcome()), u32::from(battle.outcome().sides.first.losses));
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
    /// The turn in which the first unit of the side routed; 0 if none did.
    RoutTurn(Side),
}

impl Metric {
    /// All metrics, with their names.
    pub(crate) fn named(sides: &[String; 2]) -> Vec<(String, Self)> {
        let mut named = vec![("turns".to_owned(), Self::Turns), ("draw".to_owned(), Self::Draw)];
        for (name, side) in sides.iter().zip(Side::BOTH) {
            let of_side = [
                ("won", Self::Win(side)),
                ("losses", Self::Losses(side)),
                ("routed_units", Self::RoutedUnits(side)),
                ("shaken_units", Self::ShakenUnits(side)),
                ("rout_turn", Self::RoutTurn(side)),
            ];
            named.extend(of_side.map(|(key, metric)| (format!("{name}.{key}"), metric)));
        }
        named
    }

    /// Its value in a battle.
    ///
    /// ```
    /// # use grognard_kit::{Metric, Study};
    /// # let battle = Study::load("risk-dice")?.cell(0)?.battle(7).run()?;
    /// assert!(Metric::Draw.of(battle.outcome()) <= 1);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn of(self, outcome: &Outcome) -> u32 {
        match self {
            Self::Win(side) => u32::from(outcome.winner == Some(side)),
            Self::Draw => u32::from(outcome.winner.is_none()),
            Self::Turns => outcome.turns.into(),
            Self::Losses(side) => outcome.sides[side].losses.into(),
            Self::RoutedUnits(side) => outcome.sides[side].broken.into(),
            Self::ShakenUnits(side) => outcome.sides[side].shaken.into(),
            Self::RoutTurn(side) => outcome.sides[side].first_break.into(),
        }
    }
}
