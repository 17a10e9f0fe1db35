//! Marches along random roads with one to four bends (clauses 8.61, 8.63).

use grognard_engine::plane::{Heading, Point};
use grognard_engine::{Shape, TerrainPlan};

use crate::common::{Game, Men, Words, deployment, drill, unit};

/// The number of random roads.
const ROADS: u64 = 400;

/// The most that rounding may add, in hundredths of an inch.
const ROUNDING: f64 = 10.0;

/// The centre line of a road.
struct Road(Vec<Point>);

fn length(a: Point, b: Point) -> f64 {
    (a.square_distance(b) as f64).sqrt()
}

impl Road {
    /// A road that does not come near itself: bends of at most 120 degrees, alternately to the left and to the right, and legs of
    /// at least an inch and a half.
    fn random(words: &mut Words) -> Self {
        let (mut at, mut heading) = (Point { x: 0, y: 0 }, Heading::from_tenths(words.between(0, 3599)));
        let mut points = vec![at];
        let mut side = 1;
        for leg in 0..words.between(2, 5) {
            let far = if leg == 0 { words.between(900, 1400) } else { words.between(150, 600) };
            at = at.moved(heading, far);
            points.push(at);
            heading = heading
                .turned(side * [150, 300, 450, 600, 900, 1200, words.between(60, 900)][words.between(0, 6) as usize]);
            side = -side;
            heading = heading.turned(words.between(-20, 20));
        }
        // The middle of the table is about halfway along the road.
        let (first, last) = (points[0], points[points.len() - 1]);
        let away = ((first.x + last.x) / 2, (first.y + last.y) / 2);
        Self(points.into_iter().map(|point| Point { x: point.x - away.0, y: point.y - away.1 }).collect())
    }

    fn legs(&self) -> impl DoubleEndedIterator<Item = (Point, Point)> + '_ {
        self.0.windows(2).map(|ends| (ends[0], ends[1]))
    }

    fn length(&self) -> f64 {
        self.legs().map(|(a, b)| length(a, b)).sum()
    }

    /// The point this far along the road, and the direction of the road there.
    fn at(&self, mut along: f64) -> (Point, Heading) {
        for (a, b) in self.legs() {
            if along <= length(a, b) {
                let way = Heading::between(a, b);
                return (a.moved(way, along as i32), way);
            }
            along -= length(a, b);
        }
        panic!("not so far");
    }

    /// How far a point is from the road, and how far along the road it is.
    fn place(&self, point: Point) -> (f64, f64) {
        let mut before = 0.0;
        let places = self.legs().map(|(a, b)| {
            let whole = length(a, b);
            let (x, y) = (f64::from(b.x - a.x) / whole, f64::from(b.y - a.y) / whole);
            let (dx, dy) = (f64::from(point.x - a.x), f64::from(point.y - a.y));
            let along = (dx * x + dy * y).clamp(0.0, whole);
            let off = (dx - along * x).hypot(dy - along * y);
            before += whole;
            (off, before - whole + along)
        });
        places.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a leg")
    }

    /// The road's legs as a study may write them, each in either direction.
    fn terrain(&self, words: &mut Words) -> Vec<TerrainPlan> {
        let mut piece = |(a, b): (Point, Point)| {
            let (from, to) = if words.between(0, 1) == 0 { (a, b) } else { (b, a) };
            let shape = Shape::Line { from: (from.x, from.y), to: (to.x, to.y), thickness: None };
            TerrainPlan { ground: "road".into(), shape }
        };
        let mut pieces: Vec<_> = self.legs().map(&mut piece).collect();
        if words.between(0, 1) == 0 {
            pieces.reverse();
        }
        pieces
    }
}

/// A column follows the road to its end, or until it is two gun lengths away from guns, measured along the road.
#[test]
fn columns_follow_any_road_and_keep_their_distance_from_guns() {
    let (mut held, mut free) = (0, 0);
    for number in 0..ROADS {
        let mut words = Words::new(number);
        let road = Road::random(&mut words);
        let whole = road.length();
        let from = f64::from(words.between(200, 500));
        let guns_at = f64::from(words.between(from as i32 + 820, whole as i32 + 800));
        let put = |unit: Men, along: f64| {
            let (at, heading) = road.at(along);
            unit.at(f64::from(at.x) / 100.0, f64::from(at.y) / 100.0).facing(f64::from(heading.tenths()) / 10.0)
        };
        let mut units = vec![put(unit("line-battalion").figures(6).formation("road-column"), from)];
        if guns_at < whole {
            units.push(put(unit("field-battery").formation("limbered"), guns_at));
        }
        let enemy = unit("line-battalion").figures(1).at(34.0, 22.0).facing(180.0);
        let mut plan = deployment(("road", &units), ("hold", &[enemy]));
        plan.terrain = road.terrain(&mut words);
        (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
        let mut game = Game::planned(drill(), &plan);
        if guns_at < whole {
            game.battle.units[1].doctrine = drill().doctrine("hold").expect("a doctrine");
        }
        game.phase("move", &[]);
        let (off, along) = road.place(game.first().front);
        let name = format!("road {number}: {:?}, {from}, {guns_at} of {whole}: {off}, {along}", road.0);
        assert!(off <= ROUNDING, "{name}");
        let goal = if guns_at < whole { guns_at - 800.0 } else { whole };
        *(if guns_at < whole { &mut held } else { &mut free }) += 1;
        let goal = goal.min(from + 2400.0);
        assert!((goal - along).abs() <= ROUNDING, "{name}, not {goal}");
        assert!(guns_at >= whole || along <= guns_at - 800.0 + 4.0, "{name}");
    }
    assert!(held > 50 && free > 50, "{held}, {free}");
}
