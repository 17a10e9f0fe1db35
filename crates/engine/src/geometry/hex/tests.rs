use grognard_rules::model::{DIRECTIONS, HexGrid, OFF_BOARD};

use super::{ahead, arc, distance, facing, heading, sector, sees, spine};
use crate::plane::{Arc, Heading, Point};

#[test]
fn spines_are_thirty_degrees_and_every_sixty_from_there() {
    for f in 0..6 {
        assert_eq!(spine(heading(f)), Some(f));
        assert_eq!(facing(heading(f)), f);
    }
    assert_eq!(heading(1), Heading::NORTH);
    assert_eq!(heading(4), Heading::NORTH.reversed());
    assert_eq!(spine(Heading::from_tenths(300)), None, "a side of the hex");
}

#[test]
fn the_sector_of_a_neighbour_is_its_arc() {
    for f in 0..6 {
        for (direction, (q, r)) in (0..6).zip(DIRECTIONS) {
            assert_eq!(sector(i32::from(q), i32::from(r), f), arc(direction, f), "direction {direction}, facing {f}");
        }
    }
}

#[test]
fn sectors_mirror_and_equal_shares_count_forward() {
    // The hex is north of a unit that faces north, two hexes away along the spine.
    assert_eq!(sector(1, -2, 1), Arc::Front);
    // Mirrored hexes are in the same sector; hexes on the line between two sectors count as the one nearer the front.
    for q in -6..=6_i32 {
        for r in -6..=6_i32 {
            // The mirror image that swaps east and west takes (q, r) to (-q - r, r) and facing f to 2 - f.
            for f in 0..6_u8 {
                assert_eq!(sector(q, r, f), sector(-q - r, r, (8 - f) % 6), "({q}, {r}) facing {f}");
                assert_eq!(ahead(q, r) >> f & 1 == 1, sector(q, r, f) == Arc::Front, "({q}, {r}) facing {f}");
            }
        }
    }
    let count = |wanted: Arc| {
        let ring = (-3..=3).flat_map(|q| (-3..=3).map(move |r| (q, r)));
        ring.filter(|&(q, r): &(i32, i32)| (q.abs() + r.abs() + (q + r).abs()) / 2 == 3)
            .filter(|&(q, r)| sector(q, r, 1) == wanted)
            .count()
    };
    assert_eq!((count(Arc::Front), count(Arc::Flank), count(Arc::Rear)), (6, 6, 6));
}

#[test]
fn a_grid_finds_its_hexes_again() {
    for (columns, rows, hexes) in [(13, 9, 113), (5, 3, 13), (3, 5, 13), (9, 7, 59)] {
        let grid = HexGrid::new(columns, rows);
        assert_eq!(grid.len(), hexes);
        for hex in 0..grid.len() as u8 {
            let (q, r) = grid.place(hex);
            assert_eq!(grid.at(q, r), hex);
            for (direction, (dq, dr)) in (0..6).zip(DIRECTIONS) {
                assert_eq!(grid.near(hex, direction), grid.at(q + i32::from(dq), r + i32::from(dr)));
            }
        }
        assert_eq!(grid.at(40, 0), OFF_BOARD);
    }
}

#[test]
fn two_hexes_away_one_open_hex_between_is_enough() {
    let grid = HexGrid::new(5, 5);
    let places: Vec<Point> = (0..grid.len() as u8).map(|hex| grid.place(hex)).map(|(x, y)| Point { x, y }).collect();
    for &eye in &places {
        for &goal in places.iter().filter(|&&goal| distance(eye, goal) == 2) {
            let between: Vec<u8> = (0..grid.len() as u8)
                .filter(|&hex| {
                    let (x, y) = grid.place(hex);
                    distance(eye, Point { x, y }) == 1 && distance(Point { x, y }, goal) == 1
                })
                .collect();
            let all: u128 = between.iter().map(|hex| 1 << hex).sum();
            assert!(sees(&grid, !all, eye, goal), "{eye:?} to {goal:?}");
            assert!(!sees(&grid, all, eye, goal), "{eye:?} to {goal:?}");
            for &open in &between {
                assert!(sees(&grid, !(1 << open), eye, goal), "{eye:?} to {goal:?} through {open}");
            }
        }
    }
}

#[test]
fn sight_along_a_side_is_closed_by_two_hexes_only() {
    let grid = HexGrid::new(13, 9);
    let bit = |q, r| 1_u128 << grid.at(q, r);
    let (eye, goal) = (Point { x: 0, y: 0 }, Point { x: 1, y: -2 });
    assert!(sees(&grid, 0, eye, goal));
    assert!(sees(&grid, bit(0, -1), eye, goal) && sees(&grid, bit(1, -1), eye, goal));
    assert!(!sees(&grid, bit(0, -1) | bit(1, -1), eye, goal));
    let straight = Point { x: 3, y: 0 };
    assert!(!sees(&grid, bit(1, 0), eye, straight));
    assert!(!sees(&grid, bit(2, 0), straight, eye));
}
