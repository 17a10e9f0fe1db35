//! One battle, with custom players, witnesses and dice.

use std::fmt;

use grognard_dice::{Address, Decision, Dice, SeededDice, Shown};
use grognard_engine::timeline::{Recorder, Timeline};
use grognard_engine::{Asked, Narrator, Player, Scene, Side, Unwitnessed, Witness, fight, fight_as};

use super::{Battle, StudyCell};
use crate::error::Error;

/// One battle of a cell, before it is fought: see [`StudyCell::battle`].
///
/// Players, witnesses and dice can be the program's own types. If a study is fought both ways, the sides exchange
/// roles in every battle with an odd number. A [`Player`] still plays for the side with its name in the study, and
/// a [`Witness`] sees the battle as it is fought.
///
/// ```
/// use std::collections::BTreeMap;
/// use grognard_kit::{Event, Scene, Study, Witness};
///
/// /// Counts what happens.
/// #[derive(Default)]
/// struct Counts(BTreeMap<&'static str, u32>);
///
/// impl Witness for Counts {
///     fn see(&mut self, _scene: Scene<'_>, event: &Event) {
///         *self.0.entry(event.name()).or_default() += 1;
///     }
/// }
///
/// let mut counts = Counts::default();
/// let battle = Study::load("square-vs-line")?.cell(18)?.battle(4).witness(&mut counts).run()?;
/// assert_eq!(counts.0["over"], 1);
/// assert!(counts.0["half-turn"] >= u32::from(battle.outcome().turns));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[must_use = "nothing is fought before `run`"]
pub struct Bout<'a, W = Unwitnessed, D = SeededDice> {
    cell: &'a StudyCell,
    number: u64,
    player: Option<&'a mut dyn Player>,
    witness: W,
    dice: D,
}

impl<'a> Bout<'a> {
    pub(super) fn new(cell: &'a StudyCell, number: u64, seed: u64) -> Self {
        let mut dice = SeededDice::new(seed);
        dice.battle(cell.inner().bout(number).dice);
        Self { cell, number, player: None, witness: Unwitnessed, dice }
    }
}

impl<'a, W: Witness, D: Dice> Bout<'a, W, D> {
    /// Uses a player, who chooses for the sides that it plays instead of their doctrine.
    ///
    /// ```
    /// use grognard_kit::{Asked, Player, Scene, Side, Study};
    ///
    /// /// Does nothing if it may.
    /// struct Idle;
    ///
    /// impl Player for Idle {
    ///     fn plays(&self, side: Side) -> bool {
    ///         side == Side::First
    ///     }
    ///
    ///     fn choose(&mut self, _scene: Scene<'_>, asked: &Asked<'_>) -> usize {
    ///         asked.offers.iter().position(|offer| *offer == grognard_kit::Offer::Hold).unwrap_or(asked.doctrine)
    ///     }
    /// }
    ///
    /// let cell = Study::load("square-vs-line")?.cell(18)?;
    /// let battle = cell.battle(4).player(&mut Idle).run()?;
    /// assert_eq!(battle.outcome().sides.second.losses, 0, "cavalry that never charges");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn player(self, player: &'a mut dyn Player) -> Self {
        Self { player: Some(player), ..self }
    }

    /// Uses a witness, which sees every event: see [`Bout`] for an example.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// let mut narrator = grognard_kit::engine::Narrator::new();
    /// Study::load("square-vs-line")?.cell(18)?.battle(4).witness(&mut narrator).run()?;
    /// assert!(narrator.lines().len() > 10);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn witness<V: Witness>(self, witness: V) -> Bout<'a, V, D> {
        let Self { cell, number, player, dice, .. } = self;
        Bout { cell, number, player, witness, dice }
    }

    /// Uses dice other than those of the seed: a [`Script`](crate::Script), or the program's own. If the dice report
    /// that they do not fit the battle ([`Dice::fault`]), or give an outcome that a decision does not have,
    /// [`Bout::run`] returns an error.
    ///
    /// ```
    /// use grognard_kit::{Error, Script, Study};
    ///
    /// let cell = Study::load("risk-roll")?.cell(0)?;
    /// let short = cell.battle(0).dice(Script::new([6])).run().expect_err("one die is not enough");
    /// assert!(matches!(short, Error::Dice(_)), "{short}");
    /// assert!(short.to_string().starts_with("the dice: the script is used up at the 2nd die"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn dice<E: Dice>(self, dice: E) -> Bout<'a, W, E> {
        let Self { cell, number, player, witness, .. } = self;
        Bout { cell, number, player, witness, dice }
    }

    /// Fights the battle.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("risk-dice")?.cell(0)?;
    /// assert_eq!(cell.battle(17).run()?, cell.battle(17).run()?);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Dice`] and [`Error::Player`]: the program's own dice or player do not fit the battle.
    pub fn run(self) -> Result<Battle, Error> {
        let Self { cell, number, player, mut witness, dice } = self;
        let known = cell.inner();
        let bout = known.bout(number);
        let mut dice = Checked { dice, wrong: None };
        let outcome = match player {
            None => fight(&known.rules, bout.setup, &mut dice, &mut witness),
            Some(player) => {
                let mut player = Playing { player, swapped: bout.swapped, wrong: None };
                let outcome = fight_as(&known.rules, bout.setup, &mut dice, &mut witness, &mut player);
                if let Some(wrong) = player.wrong {
                    return Err(Error::Player(wrong));
                }
                outcome
            }
        };
        if let Some(wrong) = dice.wrong.or_else(|| dice.dice.fault()) {
            return Err(Error::Dice(wrong));
        }
        Ok(Battle::new(number, if bout.swapped { outcome.swap() } else { outcome }))
    }

    /// Fights and narrates the battle, like `grognard replay`: lines, each with its clauses.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("square-vs-line")?.cell(0)?;
    /// assert!(cell.battle(4).narrate()?.iter().any(|line| line.contains("charges")));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Bout::run`].
    pub fn narrate(self) -> Result<Vec<String>, Error> {
        let mut narrator = Narrator::new();
        self.witness(&mut narrator).run()?;
        Ok(narrator.lines().to_vec())
    }

    /// Fights and records the battle: every event with its sentence, clauses and dice, and the state of the units after
    /// it. Drawings are made from this. `None` if nothing happens in it.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("square-vs-line")?.cell(18)?;
    /// let timeline = cell.battle(4).timeline()?.expect("a battle");
    /// assert_eq!(timeline.units.len(), 2);
    /// assert!(timeline.moments.iter().any(|moment| !moment.clauses.is_empty()));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Bout::run`].
    pub fn timeline(self) -> Result<Option<Timeline>, Error> {
        let mut recorder = Recorder::new();
        self.witness(&mut recorder).run()?;
        Ok(recorder.timeline())
    }
}

impl<W, D> fmt::Debug for Bout<'_, W, D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cell, played) = (self.cell.number(), self.player.is_some());
        out.debug_struct("Bout").field("cell", &cell).field("number", &self.number).field("played", &played).finish()
    }
}

/// Dice whose outcomes are checked.
struct Checked<D> {
    dice: D,
    wrong: Option<String>,
}

impl<D: Dice> Dice for Checked<D> {
    #[inline]
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let (outcome, last) = (self.dice.decide(at, decision), decision.odds().below.len());
        if outcome > last {
            let says = || format!("outcome {outcome} of a decision with {}, at {at:?}", last + 1);
            self.wrong.get_or_insert_with(says);
            return 0;
        }
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        if self.wrong.is_some() { Vec::new() } else { self.dice.shown(at, decision, outcome) }
    }
}

/// A player whose choices are checked.
struct Playing<'a> {
    player: &'a mut dyn Player,
    swapped: bool,
    wrong: Option<String>,
}

impl Player for Playing<'_> {
    fn plays(&self, side: Side) -> bool {
        self.player.plays(if self.swapped { side.other() } else { side })
    }

    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize {
        let choice = self.player.choose(scene, asked);
        if choice >= asked.offers.len() {
            let (unit, turn, offers) = (scene.unit_name(asked.unit), scene.battle.turn, asked.offers.len());
            let says = || {
                format!("offer {choice} of {offers} was chosen for {unit} in turn {turn}; offers are numbered from 0")
            };
            self.wrong.get_or_insert_with(says);
            return asked.doctrine;
        }
        choice
    }
}
