//! The checks of `figures.md` section 4, on its standard line S6: 3.0" by 0.5", front at the origin, facing north.

use grognard_rules::model::Footprint;

use super::{Arc, Circle, Heading, Point, Rect};

fn s6() -> Rect {
    Rect::new(Point { x: 0, y: 0 }, Heading::NORTH, 300, 50)
}

fn inches(x: f64, y: f64) -> Point {
    Point { x: (x * 100.0).round() as i32, y: (y * 100.0).round() as i32 }
}

#[test]
fn arcs_of_the_standard_line() {
    for (x, y, arc) in [
        (0.0, 5.0, Arc::Front),
        (6.0, -0.25, Arc::Flank),
        (-6.0, -0.25, Arc::Flank),
        (0.0, -5.0, Arc::Rear),
        (5.0, 0.25, Arc::Flank),
        (3.0, 0.2, Arc::Flank),
        (1.5, 0.2, Arc::Front),
        (2.0, -2.5, Arc::Rear),
        (2.5, -2.5, Arc::Flank),
        (3.0, 5.0, Arc::Front),
        (4.0, 5.0, Arc::Flank),
    ] {
        assert_eq!(s6().arc_of(inches(x, y), 220), arc, "({x}, {y})");
    }
}

#[test]
fn arcs_turn_with_the_unit() {
    let centre = Point { x: 1000, y: -700 };
    for tenths in (0..3600).step_by(70) {
        let rect = Rect::new(centre, Heading::from_tenths(tenths), 300, 50);
        assert_eq!(rect.arc_of(rect.at(300, 500), 220), Arc::Front);
        assert_eq!(rect.arc_of(rect.at(400, 500), 220), Arc::Flank);
        assert_eq!(rect.arc_of(rect.at(200, -250), 220), Arc::Rear);
        assert_eq!(rect.arc_of(rect.at(250, -250), 220), Arc::Flank);
    }
}

#[test]
fn wheels_cost_the_arc_of_the_outer_corner() {
    for (width, degrees, cost) in [(200, 45, 157), (300, 30, 157), (300, 90, 471), (600, 45, 471)] {
        let rect = Rect::new(s6().front, Heading::NORTH, width, 50);
        assert_eq!(rect.wheel_cost(degrees * 10), cost);
    }
    assert_eq!(s6().wheel_within(800), 1527, "8 inches turn a 3 inch line 152.8 degrees, rounded down to a tenth");
}

#[test]
fn a_wheel_keeps_its_pivot() {
    for tenths in [-900, -300, 150, 450, 900] {
        let wheeled = s6().wheeled(tenths);
        let (before, after) =
            if tenths >= 0 { (s6().at(150, 0), wheeled.at(150, 0)) } else { (s6().at(-150, 0), wheeled.at(-150, 0)) };
        assert!((before.x - after.x).abs() <= 1 && (before.y - after.y).abs() <= 1, "{tenths}: {before:?} {after:?}");
        assert_eq!(wheeled.heading().tenths(), Heading::from_tenths(tenths).tenths());
    }
    let right = s6().wheeled(900);
    assert_eq!((right.front.x, right.front.y), (150, 150), "a quarter wheel to the right ends ahead of the pivot");
}

#[test]
fn distances_and_contact() {
    let ahead = Rect::new(Point { x: 0, y: 400 }, Heading::NORTH.reversed(), 300, 50);
    assert_eq!(s6().distance(&ahead), 400);
    assert_eq!(s6().march_to_contact(&ahead), Some(400));
    assert!(!s6().overlaps(&ahead));
    assert!(s6().overlaps(&s6().marched(20)));
    assert!(!s6().overlaps(&s6().marched(50)), "touching edges share no ground");
    let aside = Rect::new(Point { x: 300, y: 400 }, Heading::NORTH, 300, 50);
    assert_eq!(s6().march_to_contact(&aside), None, "it passes by, flank along flank");
    let overlapping_aside = Rect::new(Point { x: 295, y: 400 }, Heading::NORTH, 300, 50);
    assert_eq!(s6().march_to_contact(&overlapping_aside), Some(350));
    let diagonal = Rect::new(Point { x: 450, y: 400 }, Heading::NORTH, 300, 50);
    assert_eq!(s6().distance(&diagonal), 380, "corner (1.5, 0) to corner (3.0, 3.5)");
}

#[test]
fn turning_about_the_centre_keeps_the_centre() {
    for tenths in (0..3600).step_by(130) {
        let turned = s6().turned_about_centre(Heading::from_tenths(tenths));
        let (a, b) = (s6().centre(), turned.centre());
        assert!((a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1);
    }
}

#[test]
fn sight_lines_cross_what_stands_between() {
    let (eye, goal) = (inches(0.0, -3.0), inches(0.0, 3.0));
    assert!(s6().crossed_by(eye, goal));
    assert!(!s6().crossed_by(inches(1.6, -3.0), inches(1.6, 3.0)), "passing the flank");
    assert!(!s6().crossed_by(eye, inches(0.0, -1.0)), "ending short of it");
    assert!(s6().crossed_by(inches(-2.0, -0.6), inches(2.0, 0.1)), "aslant through both flanks");
}

/// Parallel rectangles have a special fast path; a tenth of a degree away from parallel, the general path must agree
/// with it.
#[test]
fn the_short_way_for_parallel_rectangles_agrees_with_the_long_one() {
    for quarter in [0, 900, 1800, 2700] {
        for x in (-900..=900).step_by(90) {
            for y in (-700..=700).step_by(70) {
                let at = Point { x, y };
                let exact = Rect::new(at, Heading::from_tenths(quarter), 200, 120);
                let nearly = Rect::new(at, Heading::from_tenths(quarter + 1), 200, 120);
                let (short, long) = (s6().distance(&exact), s6().distance(&nearly));
                assert!((short - long).abs() <= 2, "{at:?} {quarter}: {short} {long}");
                if let (Some(short), Some(long)) = (s6().march_to_contact(&exact), s6().march_to_contact(&nearly)) {
                    assert!((short - long).abs() <= 2, "{at:?} {quarter}: contact after {short}, {long}");
                }
            }
        }
    }
}

#[test]
fn the_aspect_of_an_attack_is_that_of_its_figures_one_by_one() {
    for tenths in (0..3600).step_by(130) {
        for bases in 1..10 {
            let first = Point { x: 400, y: -600 }.moved(Heading::from_tenths(tenths), 350);
            let last = first.moved(Heading::from_tenths(tenths * 7), 60 * (bases - 1));
            let (mut front, mut all_rear) = (false, true);
            for base in 0..bases {
                let step = |a: i32, b: i32| a + (b - a) * base / (bases - 1).max(1);
                let arc = s6().arc_of(Point { x: step(first.x, last.x), y: step(first.y, last.y) }, 220);
                front |= arc == Arc::Front;
                all_rear &= arc == Arc::Rear;
            }
            let expected = if front {
                Arc::Front
            } else if all_rear {
                Arc::Rear
            } else {
                Arc::Flank
            };
            assert_eq!(s6().aspect_of(first, last, bases, 220), expected, "{tenths} {bases}");
        }
    }
}

/// The example of 7.13: base centres at 3.0", 3.5", 4.0" and 4.5" to the right and 0.2" ahead; then with the first at
/// 1.5".
#[test]
fn one_figure_in_the_front_arc_makes_an_attack_frontal() {
    let file = |first: f64| {
        let ground = Rect::new(inches(first - 0.25, 0.2), Heading::from_tenths(2700), 50, 200);
        let footprint = Footprint { width: 50, depth: 200, front: 1, ranks: 4 };
        s6().aspect(&ground, footprint, 4, 220)
    };
    assert_eq!(file(3.0), Arc::Flank);
    assert_eq!(file(1.5), Arc::Front);
}

/// Eight figures as 3 + 3 + 2: the two of the last rank stand in the middle.
#[test]
fn every_rank_of_an_attack_counts() {
    let footprint = Footprint { width: 150, depth: 150, front: 3, ranks: 3 };
    for tenths in (0..3600).step_by(70) {
        for (x, y) in [(2.0, 0.8), (2.6, 1.5), (-2.2, 1.0), (1.9, -2.0), (-2.5, -2.2), (0.5, -2.5)] {
            let ground = Rect::new(inches(x, y), Heading::from_tenths(tenths), 150, 150);
            let centres = [(-50, 0), (0, 0), (50, 0), (-50, 1), (0, 1), (50, 1), (-25, 2), (25, 2)]
                .map(|(across, rank)| s6().arc_of(ground.at(across, -25 - 50 * rank), 220));
            let expected = if centres.contains(&Arc::Front) {
                Arc::Front
            } else if centres.iter().all(|arc| *arc == Arc::Rear) {
                Arc::Rear
            } else {
                Arc::Flank
            };
            assert_eq!(s6().aspect(&ground, footprint, 8, 220), expected, "({x}, {y}) facing {tenths}");
        }
    }
}

/// A rectangle is in front if any of its points is in front. Checks this against a fine grid of points.
#[test]
fn any_part_in_the_front_arc_is_in_front() {
    let column = Rect::new(inches(0.0, 0.0), Heading::NORTH, 100, 200);
    let mut missed_by_corners = 0;
    for tenths in (0..3600).step_by(110) {
        for x in (-900..=900).step_by(60) {
            for y in (-200..=500).step_by(50) {
                let other = Rect::new(Point { x, y }, Heading::from_tenths(tenths), 600, 50);
                if other.overlaps(&column) {
                    continue;
                }
                // Points are at whole hundredths, so those within a hundredth of an inch of the edge are left out.
                let inside = |across: i32, behind: i32| {
                    column.arc_of(other.at(-298 + across * 4, -2 - behind * 2), 220) == Arc::Front
                };
                let any = (0..=149).any(|across| (0..=23).any(|behind| inside(across, behind)));
                let says = column.has_in_front(&other, 220, 0);
                let corners = other.corners().into_iter().chain([other.centre()]);
                missed_by_corners +=
                    u32::from(any && !corners.into_iter().any(|at| column.arc_of(at, 220) == Arc::Front));
                assert!(!any || says, "{other:?} has a point in front");
                // The grid may miss a sliver: in that case, a rectangle a tenth of an inch larger has a point there.
                let grown = Rect::new(other.at(0, 10), other.heading(), 620, 70);
                let near = |across: i32, behind: i32| {
                    column.arc_of(grown.at(-310 + across * 5, -behind * 5), 220) == Arc::Front
                };
                let nearly = (0..=124).any(|across| (0..=14).any(|behind| near(across, behind)));
                assert!(!says || nearly, "{other:?} has no point in front");
            }
        }
    }
    assert!(missed_by_corners > 0, "some have their middle and all corners outside the arc");
}

/// Distances are the same in both directions, and do not change if the table is rotated or mirrored.
#[test]
fn distances_are_the_same_from_either_end() {
    for tenths in (0..3600).step_by(45) {
        for (x, y) in [(731, 12), (-402, 388), (95, -611), (-333, -333), (0, 501)] {
            for turn in [0, 450, 900, 1337, 1800, 2700] {
                let one = Rect::new(Point { x: 17, y: -5 }, Heading::from_tenths(tenths), 301, 55);
                let other = Rect::new(Point { x, y }, Heading::from_tenths(tenths + turn), 175, 133);
                let distance = one.distance(&other);
                assert_eq!(distance, other.distance(&one), "{one:?} {other:?}");
                let half_turned = |rect: Rect| {
                    let front = Point { x: -rect.front.x, y: -rect.front.y };
                    Rect::new(front, rect.heading().reversed(), rect.width, rect.depth)
                };
                let mirrored = |rect: Rect| {
                    let heading = Heading::from_tenths(-i32::from(rect.heading().tenths()));
                    Rect::new(Point { x: -rect.front.x, ..rect.front }, heading, rect.width, rect.depth)
                };
                assert_eq!(distance, half_turned(one).distance(&half_turned(other)), "{one:?} {other:?} turned");
                assert_eq!(distance, mirrored(one).distance(&mirrored(other)), "{one:?} {other:?} mirrored");
                let march = one.march_to_contact(&other);
                assert_eq!(march, half_turned(one).march_to_contact(&half_turned(other)), "{one:?} {other:?} turned");
                assert_eq!(march, mirrored(one).march_to_contact(&mirrored(other)), "{one:?} {other:?} mirrored");
            }
        }
    }
}

/// Random pairs of rectangles, near and far apart, of all shapes and headings.
fn pairs() -> impl Iterator<Item = (Rect, Rect)> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut number = move |most: i32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % (most as u64 + 1)) as i32
    };
    (0..20_000).map(move |_| {
        let mut rect = |spread: i32| {
            let front = Point { x: number(2 * spread) - spread, y: number(2 * spread) - spread };
            Rect::new(front, Heading::from_tenths(number(3599)), 1 + number(600), 1 + number(400))
        };
        (rect(300), rect(1500))
    })
}

#[test]
fn circles_tell_nothing_that_is_not_so() {
    let (mut beyond, mut near) = (0, 0);
    for (a, b) in pairs() {
        let distance = a.distance(&b);
        for reach in
            [0, 40, distance - 12, distance - 1, distance, distance + 12, 600].into_iter().filter(|&reach| reach >= 0)
        {
            let (here, there) = (Circle::of(&a), Circle::of(&b));
            let (far, close) = (here.beyond(&there, reach), here.near(&there, reach));
            assert!(!far || distance > reach, "{a:?} {b:?} {distance} {reach}");
            assert!(!close || distance <= reach, "{a:?} {b:?} {distance} {reach}");
            (beyond, near) = (beyond + usize::from(far), near + usize::from(close));
        }
        assert!(!(Circle::of(&a).beyond(&Circle::of(&b), 0) && (a.overlaps(&b) || b.overlaps(&a))), "{a:?} {b:?}");
    }
    assert!(beyond > 10_000 && near > 2_000, "{beyond} {near}");
}

#[test]
fn a_line_crosses_what_it_has_a_point_inside() {
    let mut crossed = 0;
    for (rect, other) in pairs() {
        let [from, to] = [other.front, other.centre()].map(|end| Point { x: end.x / 3, y: end.y / 3 });
        let inside = |point: Point, slack: i64| {
            let (x, y) = rect.local(point);
            2 * x.abs() < i64::from(rect.width) - slack && y < -slack && y > slack - i64::from(rect.depth)
        };
        let mut between = (0..=100)
            .map(|part| Point { x: from.x + (to.x - from.x) * part / 100, y: from.y + (to.y - from.y) * part / 100 });
        let deep = between.clone().any(|point| inside(point, 8));
        let at_all = between.any(|point| inside(point, -40));
        let crosses = rect.crossed_by(from, to);
        assert!(!deep || crosses, "{rect:?} {from:?} {to:?}");
        assert!(!crosses || at_all, "{rect:?} {from:?} {to:?}");
        crossed += usize::from(crosses);
    }
    assert!(crossed > 1_000, "{crossed}");
}

#[test]
fn the_middle_is_where_the_corners_say() {
    for (rect, other) in pairs().take(2_000) {
        let moved = [
            rect.marched(other.width),
            rect.wheeled(i32::from(other.heading().tenths()) - 1800),
            rect.turned_about_centre(other.heading()),
            rect.reshaped(other.width, other.depth),
        ];
        for there in moved {
            let again = Rect::new(there.front, there.heading(), there.width, there.depth);
            assert_eq!(there, again);
            assert_eq!(there.centre(), there.at(0, -there.depth / 2));
        }
    }
}

/// A rectangle with any heading, whether it overlaps another or is apart from it, is moved to touch it by the shortest
/// possible shift.
#[test]
fn a_rectangle_is_shifted_to_touch_by_the_smallest_shift() {
    let other = Rect::new(Point { x: 0, y: 75 }, Heading::NORTH, 150, 150);
    for (tenths, centre) in (0..3600).step_by(110).flat_map(|tenths| {
        [(90, 90), (-120, 40), (0, -110), (160, 10), (-140, -150), (30, 200)].map(|centre| (tenths, centre))
    }) {
        let heading = Heading::from_tenths(tenths);
        let (x, y) = centre;
        let rect = Rect::new(Point { x, y }, Heading::NORTH, 250, 100).turned_about_centre(heading);
        let moved = |(x, y): (i32, i32)| {
            Rect::new(Point { x: rect.front.x + x, y: rect.front.y + y }, heading, rect.width, rect.depth)
        };
        let shift = rect.shift_to_touch(&other);
        let end = moved(shift);
        let way = format!("{tenths} {centre:?}: {shift:?}");
        assert!(end.distance(&other) <= 2 && !end.inset(2).overlaps(&other), "{way}");
        let length = f64::from(shift.0).hypot(f64::from(shift.1));
        let apart = rect.distance(&other);
        if apart > 0 {
            assert!((length - f64::from(apart)).abs() <= 2.0, "{way}, {apart} apart");
        } else if length > 4.0 {
            for degrees in (0..360).step_by(5) {
                let (sine, cosine) = f64::from(degrees).to_radians().sin_cos();
                let less = ((length - 4.0) * sine, (length - 4.0) * cosine);
                assert!(moved((less.0 as i32, less.1 as i32)).overlaps(&other), "{way}, {degrees} degrees");
            }
        }
    }
}
