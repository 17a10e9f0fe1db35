//! Generals and plans as a study describes them.

use grognard_rules::model::{Generals, Role, Rules};

use crate::deploy::arrival::put_off;
use crate::deploy::command::Commands;
use crate::deploy::plan::{Deployment, GeneralPlan, Misdeployment, SidePlan, cited, listed, unknown};
use crate::geometry::plane::Point;
use crate::mechanism::common::moving::is_off_table;
use crate::situation::view::View;
use crate::state::general::base;
use crate::state::{Arrives, Battle, GENERALS_MAX, General, Plan, Post, Setup, Side, UnitId};
use crate::step::scratch::Scratch;

fn fault(path: &str, message: impl Into<String>, help: impl Into<String>) -> Misdeployment {
    Misdeployment { path: path.to_owned(), message: message.into(), help: Some(help.into()) }
}

/// Adds the generals to a setup whose units are in position.
pub(super) fn appoint(
    rules: &Rules,
    plan: &Deployment,
    commands: &Commands,
    setup: &mut Setup,
    faults: &mut Vec<Misdeployment>,
) {
    for &side in plan.sides.sides() {
        let of_side = &plan.sides[side];
        let Some(generals) = rules.generals.as_deref() else {
            if !of_side.generals.is_empty() || of_side.plan.is_some() || !of_side.replans.is_empty() {
                let message = format!("the pack {} has no generals", rules.name);
                faults.push(fault(&of_side.name, message, "omit `generals`, `plan` and `replan`"));
            }
            continue;
        };
        let posts: Vec<_> = of_side
            .generals
            .iter()
            .filter_map(|plan| Some((plan, post(generals, side, of_side, plan, commands, faults)?)))
            .collect();
        keep_off(generals, side, &posts.iter().map(|(_, post)| post), setup);
        for (plan, post) in posts {
            appoint_one(rules, generals, of_side, plan, post, setup, faults);
        }
        check_ranks(generals, side, of_side, setup, faults);
        check_commands(rules, generals, side, of_side, setup, faults);
        setup.plans[side] = plans(generals, side, of_side, plan.turns, setup, faults);
    }
}

/// The post of a general; `None` if the pack has no such rank.
fn post(
    generals: &Generals,
    side: Side,
    of_side: &SidePlan,
    plan: &GeneralPlan,
    commands: &Commands,
    faults: &mut Vec<Misdeployment>,
) -> Option<Post> {
    let path = format!("{}.generals.{}", of_side.name, plan.name);
    let ranks: Vec<&str> = generals.ranks.iter().map(|rank| rank.id.as_str()).collect();
    let usual = generals.ranks.iter().position(|rank| rank.role == Role::Commands);
    let found = match &plan.rank {
        Some(name) => ranks.iter().position(|rank| rank == name),
        None => usual,
    };
    let Some(rank) = found else {
        faults.push(unknown(format!("{path}.rank"), "rank", plan.rank.as_deref().unwrap_or_default(), &ranks));
        return None;
    };
    let grades: Vec<&str> = generals.ranks[rank].grades.iter().map(|grade| grade.id.as_str()).collect();
    let grade = plan.grade.as_ref().and_then(|name| {
        let found = grades.iter().position(|grade| grade == name);
        if found.is_none() {
            faults.push(unknown(format!("{path}.grade"), "grade", name, &grades));
        }
        found
    });
    let command = commands.find(of_side, side, plan.command.as_deref(), &path, faults);
    let grade = grade.map(|grade| grade as u8);
    let arrives = plan.arrives.unwrap_or(1);
    Some(Post { name: plan.name.clone(), side, rank: rank as u8, grade, command, arrives })
}

/// Keeps units whose general has yet to arrive off the table. A replacement who arrives later does not delay units:
/// they arrive with the first of their generals.
fn keep_off<'p>(generals: &Generals, side: Side, posts: &(impl Iterator<Item = &'p Post> + Clone), setup: &mut Setup) {
    for id in setup.start.side(side) {
        let command = setup.start.unit(id).command;
        let his = |post: &&Post| post.command == command && post.rank(generals).role == Role::Commands;
        if let Some(first) = posts.clone().filter(his).map(|post| post.arrives).min().filter(|&first| first > 1) {
            put_off(setup, id, Arrives::From(first));
        }
    }
}

/// Puts a general on the table.
fn appoint_one(
    rules: &Rules,
    generals: &Generals,
    of_side: &SidePlan,
    plan: &GeneralPlan,
    post: Post,
    setup: &mut Setup,
    faults: &mut Vec<Misdeployment>,
) {
    let path = format!("{}.generals.{}", of_side.name, plan.name);
    let Post { side, command, arrives, .. } = post;
    let with = plan.with.and_then(|number| {
        let unit = setup.start.side(side).find(|&id| u16::from(setup.start.unit(id).number) == number);
        let his = |id: UnitId| post.rank(generals).role == Role::Assists || setup.start.unit(id).command == command;
        let free = unit.filter(|&id| {
            !setup.start.unit(id).gone() && his(id) && setup.start.general_with(id).is_none() && arrives <= 1
        });
        if free.is_none() {
            let message = format!("general `{}` cannot start with unit {number}", plan.name);
            let help = match unit {
                Some(id) if !his(id) => "name a unit of his command",
                _ => "name a unit on the table that has no other general",
            };
            faults.push(fault(&format!("{path}.with"), message + &cited(&generals.source), help));
        }
        free
    });
    let at =
        if with.is_some() { Point { x: 0, y: 0 } } else { place(rules, generals, &setup.start, side, command, plan) };
    if with.is_none() && is_off_table(rules, &base(rules, at)) {
        let message = format!("general `{}` would be off the table", plan.name);
        faults.push(fault(&format!("{path}.at"), message + &cited(&rules.table_source), "give another `at`"));
    }
    if setup.start.generals.len() >= GENERALS_MAX {
        faults.push(fault(
            &path,
            "there are too many generals",
            format!("at most {GENERALS_MAX} on both sides together"),
        ));
        return;
    }
    setup.start.generals.push(General { at, with, lost: false, idle: 0 });
    setup.generals.push(post);
}

/// The starting place of a general: the place given in the study, or else behind the first unit of his command. If the
/// command has no units, he starts behind the first unit of the side.
fn place(rules: &Rules, generals: &Generals, battle: &Battle, side: Side, command: u8, plan: &GeneralPlan) -> Point {
    if let Some((x, y)) = plan.at {
        return Point { x, y };
    }
    let units = || battle.side(side).map(|id| battle.unit(id));
    let first = units().find(|unit| unit.command == command).or_else(|| units().next());
    first.map_or(Point { x: 0, y: 0 }, |unit| {
        let rect = unit.rect(rules);
        rect.at(0, -rect.depth - generals.post)
    })
}

fn check_ranks(generals: &Generals, side: Side, of_side: &SidePlan, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    for (index, rank) in generals.ranks.iter().enumerate() {
        let count = setup.generals.iter().filter(|post| post.side == side && usize::from(post.rank) == index).count();
        if rank.most.is_some_and(|most| count > usize::from(most)) {
            let path = format!("{}.generals", of_side.name);
            let message = format!(
                "side `{}` has {count} generals of the rank {}{}",
                of_side.name,
                rank.id,
                cited(&generals.command_source)
            );
            faults.push(fault(&path, message, format!("at most {}", rank.most.unwrap_or_default())));
        }
    }
}

/// Checks that no command is larger than the pack allows, and that every command with units has its own general.
fn check_commands(
    rules: &Rules,
    generals: &Generals,
    side: Side,
    of_side: &SidePlan,
    setup: &Setup,
    faults: &mut Vec<Misdeployment>,
) {
    if of_side.generals.is_empty() {
        return;
    }
    let scratch = Scratch::new();
    let counts = |id: &UnitId| {
        let view = View::new(rules, setup, &setup.start, &scratch, *id, None);
        generals.counted.as_ref().is_none_or(|counted| counted.get(&view) != 0)
    };
    for command in 0..setup.start.commands.len() as u8 {
        let units: Vec<UnitId> = setup.start.side(side).filter(|&id| setup.start.unit(id).command == command).collect();
        let count = units.iter().filter(|id| counts(id)).count();
        if count > usize::from(generals.most) {
            let message = format!(
                "a command of side `{}` has {count} of the units whose number in a command is limited{}",
                of_side.name,
                cited(&generals.command_source)
            );
            let help = format!("at most {}: give the others another general", generals.most);
            faults.push(fault(&format!("{}.commands", of_side.name), message, help));
        }
        let led = setup
            .generals
            .iter()
            .any(|post| post.side == side && post.command == command && post.rank(generals).role == Role::Commands);
        if let Some(&first) = units.first().filter(|_| !led) {
            let number = setup.start.unit(first).number;
            let path = format!("{}.{number}.command", of_side.name);
            let message = format!("no general commands unit {number}{}", cited(&generals.purse_source));
            faults.push(fault(&path, message, "a side with generals needs one for each command that has units"));
        }
    }
}

fn plans(
    generals: &Generals,
    side: Side,
    of_side: &SidePlan,
    turns: u8,
    setup: &Setup,
    faults: &mut Vec<Misdeployment>,
) -> Vec<(u8, Plan)> {
    let commands = |post: &Post| post.side == side && post.rank(generals).role == Role::Commands;
    let names: Vec<&str> = setup.generals.iter().filter(|post| commands(post)).map(|post| post.name.as_str()).collect();
    let read = |path: String, turn: u8, listed_names: &[String], faults: &mut Vec<Misdeployment>| -> Plan {
        let mut plan: Vec<u8> = Vec::new();
        for name in listed_names {
            let found = setup.generals.iter().position(|post| commands(post) && post.name == *name);
            match found {
                Some(found) if plan.contains(&(found as u8)) => {
                    faults.push(fault(&path, format!("the plan names `{name}` twice"), "name each general once"));
                }
                Some(found) => plan.push(found as u8),
                None => faults.push(unknown(path.clone(), "commanding general", name, &names)),
            }
        }
        // A replacement takes the place of the general he replaces.
        let missing = setup.generals.iter().enumerate().find(|&(index, post)| {
            let first = commands(post) && setup.first_commander(generals, post.command) == Some(index);
            first && post.arrives <= turn && !plan.contains(&(index as u8))
        });
        if let Some((_, post)) = missing.filter(|_| !plan.is_empty() && plan.len() == listed_names.len()) {
            let message = format!("the plan leaves out `{}`{}", post.name, cited(&generals.plan.1));
            faults.push(fault(&path, message, format!("rank all generals in command: {}", listed(&names))));
        }
        (!plan.is_empty()).then_some(plan)
    };
    let first = of_side.plan.as_deref().unwrap_or_default();
    let mut plans = vec![(1, read(format!("{}.plan", of_side.name), 1, first, faults))];
    for (number, replan) in of_side.replans.iter().enumerate() {
        let path = format!("{}.replan.{number}", of_side.name);
        let plan = read(format!("{path}.plan"), replan.turn, &replan.plan, faults);
        let after = plans.last().map_or(1, |&(turn, _)| turn);
        if replan.turn <= after || replan.turn > turns {
            let message = format!("a plan cannot change in turn {}", replan.turn);
            let help = format!("give turns from {} to {turns}, in order", after + 1);
            faults.push(fault(&format!("{path}.turn"), message, help));
        }
        plans.push((replan.turn, plan));
    }
    if of_side.plan.is_none() && of_side.replans.is_empty() { Vec::new() } else { plans }
}
