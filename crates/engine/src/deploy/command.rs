//! Commands as a study describes them.

use grognard_rules::model::{CommandRules, Rules};

use crate::deploy::plan::{CommandPlan, Deployment, Misdeployment, SidePlan, unknown};
use crate::state::{COMMANDS_MAX, Command, SIDES_MAX, Side};

/// The commands of all sides, and the index of each side's first one: its unnamed command, followed by its named ones.
pub(super) struct Commands {
    pub(super) commands: Vec<Command>,
    firsts: [usize; SIDES_MAX],
}

impl Commands {
    /// Builds the commands of all sides.
    pub(super) fn of(rules: &Rules, plan: &Deployment, faults: &mut Vec<Misdeployment>) -> Self {
        let mut made = Self { commands: Vec::new(), firsts: [0; SIDES_MAX] };
        for &side in plan.sides.sides() {
            let side_plan = &plan.sides[side];
            made.firsts[side.index()] = made.commands.len();
            let says_something = |command: &CommandPlan| command.order.is_some() || command.mode.is_some();
            let Some(known) = &rules.command else {
                if rules.generals.is_some() {
                    made.add_plain(plan, side, faults);
                } else if !side_plan.commands.is_empty() || says_something(&side_plan.command) {
                    faults.push(Misdeployment {
                        path: side_plan.name.clone(),
                        message: format!("the pack {} has no commands", rules.name),
                        help: Some("omit `order`, `mode` and `commands`".into()),
                    });
                }
                continue;
            };
            let path = &side_plan.name;
            let all = std::iter::once((&side_plan.command, path.clone()))
                .chain(side_plan.commands.iter().map(|command| (command, format!("{path}.commands.{}", command.name))));
            for (command, path) in all {
                let command = make(known, side, command, &path, faults);
                made.push(command, path, faults);
            }
        }
        made
    }

    /// Adds the commands of a side in a pack whose commands have generals but nothing else. Adds none if no side has
    /// commands or generals.
    fn add_plain(&mut self, plan: &Deployment, side: Side, faults: &mut Vec<Misdeployment>) {
        let of_side = &plan.sides[side];
        let none = plan.sides.iter().all(|side| side.generals.is_empty() && side.commands.is_empty());
        let all = std::iter::once(&of_side.command).chain(&of_side.commands);
        for command in all {
            if command.order.is_some() || command.mode.is_some() {
                faults.push(Misdeployment {
                    path: of_side.name.clone(),
                    message: "the pack's commands have neither orders nor modes".into(),
                    help: Some("omit `order` and `mode`".into()),
                });
            }
            if none {
                continue;
            }
            let plain = Command { side, order: 0, mode: 0, unsettled: false, points: 0, busy: None };
            self.push(plain, of_side.name.clone(), faults);
        }
    }

    /// Adds a command if there is room for it. `path` is where the study names it.
    fn push(&mut self, command: Command, path: String, faults: &mut Vec<Misdeployment>) {
        if self.commands.len() < COMMANDS_MAX {
            self.commands.push(command);
        } else {
            faults.push(too_many(path));
        }
    }

    /// The command that a unit names.
    pub(super) fn find(
        &self,
        plan: &SidePlan,
        side: Side,
        name: Option<&str>,
        path: &str,
        faults: &mut Vec<Misdeployment>,
    ) -> u8 {
        let first = self.firsts[side.index()];
        let Some(name) = name else { return first as u8 };
        if let Some(index) = plan.commands.iter().position(|command| command.name == name) {
            return (first + 1 + index) as u8;
        }
        let names: Vec<&str> = plan.commands.iter().map(|command| command.name.as_str()).collect();
        faults.push(unknown(format!("{path}.command"), "command", name, &names));
        first as u8
    }
}

fn too_many(path: String) -> Misdeployment {
    Misdeployment {
        path,
        message: "there are too many commands".into(),
        help: Some(format!("at most {} on both sides together", COMMANDS_MAX - 2)),
    }
}

fn make(known: &CommandRules, side: Side, plan: &CommandPlan, path: &str, faults: &mut Vec<Misdeployment>) -> Command {
    let mut place = |key: &str, what: &str, name: &Option<String>, names: &[&str]| {
        let Some(name) = name else { return 0 };
        names.iter().position(|known| known == name).unwrap_or_else(|| {
            faults.push(unknown(format!("{path}.{key}"), what, name, names));
            0
        }) as u8
    };
    let orders: Vec<&str> = known.orders.iter().map(String::as_str).collect();
    let modes: Vec<&str> = known.modes.iter().map(|mode| mode.id.as_str()).collect();
    let order = place("order", "order", &plan.order, &orders);
    let mode = place("mode", "mode", &plan.mode, &modes);
    Command { side, order, mode, unsettled: known.modes[usize::from(mode)].unsettles, points: 0, busy: None }
}
