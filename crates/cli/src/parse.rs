//! Parses the values of flags: counts, seeds, shares.

use std::time::Duration;

use grognard_lab::RUNS_MAX;
use grognard_lab::runner::Keep;
use grognard_source::Path;
use grognard_stats::Level;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::failure::Failure;

/// A count of battles: `250000`, `250_000`, `250,000`, `1e6` or `2.5e5`; at least 1.
pub(crate) fn runs(text: &str) -> Result<u64, String> {
    let number = text.parse::<f64>().ok();
    match count(text) {
        None if number.is_some_and(|number| number > RUNS_MAX as f64) => Err(too_many()),
        None if number.is_some_and(|number| number < 1.0) => Err("ask for at least 1 battle".to_owned()),
        None => Err("write a count such as 250000, 250_000 or 1e6".to_owned()),
        Some(0) => Err("ask for at least 1 battle".to_owned()),
        Some(runs) if runs > RUNS_MAX => Err(too_many()),
        Some(runs) => Ok(runs),
    }
}

fn too_many() -> String {
    format!("{RUNS_MAX} battles in each cell is the limit")
}

/// Which battles to keep: `all`, `none` or a count.
pub(crate) fn keep(text: &str) -> Result<Keep, String> {
    match text {
        "all" => Ok(Keep::All),
        "none" => Ok(Keep::None),
        _ => count(text).map(Keep::First).ok_or_else(|| "write all, none, or a count such as 10_000".to_owned()),
    }
}

/// The number of a battle, from 0.
pub(crate) fn battle(text: &str) -> Result<u64, String> {
    count(text).ok_or_else(|| "battles are numbered from 0: write a number such as 17".to_owned())
}

/// The number of a cell, from 0.
pub(crate) fn cell(text: &str) -> Result<u32, String> {
    let cell = count(text).and_then(|cell| u32::try_from(cell).ok());
    cell.ok_or_else(|| "cells are numbered from 0: write a number such as 18".to_owned())
}

/// The seed on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seed {
    /// This number.
    Given(u64),
    /// A random one.
    Random,
}

impl Seed {
    /// The seed's number. A random one has at most ten digits, so that it can be copied by hand.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn draw(self) -> Result<u64, Failure> {
        match self {
            Self::Given(seed) => Ok(seed),
            Self::Random => SysRng
                .try_next_u32()
                .map(u64::from)
                .map_err(|error| Failure::unfinished(format!("the system provides no random seed: {error}"))),
        }
    }
}

/// A seed: a number, or `random`.
pub(crate) fn seed(text: &str) -> Result<Seed, String> {
    if text == "random" {
        return Ok(Seed::Random);
    }
    let number = count(text).filter(|&seed| i64::try_from(seed).is_ok());
    number.map(Seed::Given).ok_or_else(|| format!("write a number from 0 to {}, or random", i64::MAX))
}

/// Half the width of an interval, as a share of battles: `0.005` or `0.5%`.
pub(crate) fn precision(text: &str) -> Result<f64, String> {
    let half_width = share(text).filter(|half_width| *half_width > 0.0 && *half_width < 0.5);
    half_width.ok_or_else(|| "write a share between 0 and 0.5, such as 0.005 or 0.5%".to_owned())
}

/// A share of battles that may be left out: `1e-6` or `0.01%`.
pub(crate) fn prune(text: &str) -> Result<f64, String> {
    let most = share(text).filter(|most| (0.0..1.0).contains(most));
    most.ok_or_else(|| "write a share from 0 up to, but not including, 1, such as 1e-6".to_owned())
}

/// A count of states: `20_000_000` or `2e7`; at least 1.
pub(crate) fn states(text: &str) -> Result<u64, String> {
    count(text).filter(|&states| states > 0).ok_or_else(|| "write a count such as 20_000_000 or 2e7".to_owned())
}

/// Memory in bytes: `512M` or `8G`.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40)];
    let (digits, unit) =
        units.into_iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit))).unwrap_or((text, 1));
    let bytes = count(digits).and_then(|count| count.checked_mul(unit)).filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| "write a number of bytes such as 512M or 8G".to_owned())
}

/// A time: `90s`, `10m`, `1h30m`, or seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time such as 90s, 10m or 1h30m".to_owned();
    let (mut seconds, mut rest) = (0.0, text.trim());
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter != '.' && !letter.is_ascii_digit()).unwrap_or(rest.len());
        let number: f64 = rest[..end].parse().map_err(|_| wrong())?;
        let (unit, after) =
            rest[end..].char_indices().nth(1).map_or((&rest[end..], ""), |(at, _)| rest[end..].split_at(at));
        seconds += number
            * match unit {
                "" | "s" => 1.0,
                "m" => 60.0,
                "h" => 3_600.0,
                _ => return Err(wrong()),
            };
        rest = after;
    }
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| (0.001..=1e8).contains(&seconds));
    time.ok_or_else(wrong)
}

/// A path into the pack or the deployment.
pub(crate) fn path(text: &str) -> Result<Path, String> {
    Path::parse(text).map_err(|error| error.to_string())
}

/// A path, and the range of the number there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The path.
    pub(crate) path: Path,
    /// The minimum, in thousandths.
    pub(crate) low: i64,
    /// The maximum, in thousandths.
    pub(crate) high: i64,
}

/// A path and a range: `roll.shock.modifier.impetus.add=-2..4`.
pub(crate) fn bounds(text: &str) -> Result<Bounds, String> {
    let wrong = || "write PATH=LOW..HIGH, such as roll.shock.modifier.impetus.add=-2..4".to_owned();
    let (path, range) = text.rsplit_once('=').ok_or_else(wrong)?;
    let path = self::path(path.trim())?;
    let (low, high) = ends(range).ok_or_else(wrong)??;
    Ok(Bounds { path, low, high })
}

/// A range of numbers, in thousandths: `-2..4`.
pub(crate) fn range(text: &str) -> Result<(i64, i64), String> {
    ends(text).ok_or_else(|| "write LOW..HIGH, such as -2..4".to_owned())?
}

/// The ends of a range; `None` if the text is not a range.
fn ends(text: &str) -> Option<Result<(i64, i64), String>> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = thousandths(low).zip(thousandths(high))?;
    if low < high {
        Some(Ok((low, high)))
    } else {
        Some(Err("the first value of a range must not exceed the second".to_owned()))
    }
}

/// A step between two numbers, in thousandths: `0.5`. It must be positive.
pub(crate) fn step(text: &str) -> Result<i64, String> {
    thousandths(text).filter(|&step| step > 0).ok_or_else(|| "write a step such as 1 or 0.5".to_owned())
}

/// A number in thousandths; `None` if it is finer, or too large.
fn thousandths(text: &str) -> Option<i64> {
    let number: f64 = text.trim().parse().ok()?;
    let scaled = (number * 1e3).round();
    ((scaled / 1e3 - number).abs() < 1e-9 && scaled.abs() < 1e12).then_some(scaled as i64)
}

/// A confidence level: `0.95` or `95%`.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    let level = share(text).and_then(Level::new);
    level.ok_or_else(|| "write a level from 0.5 up to, but not including, 1, such as 0.95 or 99%".to_owned())
}

fn share(text: &str) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    match text.strip_suffix('%') {
        Some(percent) => number(percent.trim_end()).map(|percent| percent / 100.0),
        None => number(text),
    }
}

/// A whole number, possibly with thousands separators or a power of ten. It is exact: no float is involved.
fn count(text: &str) -> Option<u64> {
    let (digits, power) = match text.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power.parse::<u8>().ok().filter(|power| *power <= 18)?),
        None => (text, 0),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = together(whole)?;
    let given = decimals.len() as u32;
    let plain = whole.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !plain || given > u32::from(power) || digits.ends_with('.') {
        return None;
    }
    let number: u64 = format!("{whole}{decimals}").parse().ok()?;
    number.checked_mul(10_u64.checked_pow(u32::from(power) - given)?)
}

/// Digits without their separators; `None` if these do not separate groups of three digits: `0,18` is not a number.
fn together(digits: &str) -> Option<String> {
    let groups: Vec<&str> = digits.split(['_', ',']).collect();
    let [first, others @ ..] = groups.as_slice() else { return None };
    let grouped = others.is_empty() || (1..=3).contains(&first.len()) && others.iter().all(|group| group.len() == 3);
    grouped.then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_be_written_as_people_do() {
        for (text, number) in [
            ("250000", 250_000),
            ("250_000", 250_000),
            ("250,000", 250_000),
            ("1e6", 1_000_000),
            ("2.5e5", 250_000),
            ("1E0", 1),
            ("1000000000000", RUNS_MAX),
        ] {
            assert_eq!(runs(text), Ok(number), "{text}");
        }
        for text in ["", "0", "-1", "+1", "1.5", "1.25e1", "1.", ".5e1", "e6", "1e", "1e-3", "1e99", "many", "1e13"] {
            assert!(runs(text).is_err(), "{text}");
        }
        for text in ["1,8", "1,5e3", "1,,000", "_100", "100_", "1000,000", "1_00"] {
            assert!(runs(text).is_err(), "{text}");
        }
        assert!(cell("0,18").is_err());
    }

    #[test]
    fn shares_may_be_per_cent() {
        assert_eq!(precision("0.005"), Ok(0.005));
        assert_eq!(precision("0.5%"), Ok(0.005));
        assert_eq!(level("99 %").map(Level::get), Ok(0.99));
        for text in ["", "0", "0.5", "-1%", "inf", "NaN", "half"] {
            assert!(precision(text).is_err(), "{text}");
        }
        for text in ["0.49", "1", "100%", "NaN"] {
            assert!(level(text).is_err(), "{text}");
        }
    }

    #[test]
    fn budgets() {
        assert_eq!([prune("0"), prune("1e-6"), prune("0.01%")], [Ok(0.0), Ok(1e-6), Ok(1e-4)]);
        assert_eq!([states("2e7"), states("1")], [Ok(20_000_000), Ok(1)]);
        assert_eq!([memory("512M"), memory("8G"), memory("100")], [Ok(512 << 20), Ok(8 << 30), Ok(100)]);
        assert!(prune("1").is_err() && prune("-1e-6").is_err() && prune("NaN").is_err());
        assert!(states("0").is_err() && memory("0G").is_err() && memory("8 GB").is_err() && memory("1e18T").is_err());
    }

    #[test]
    fn times_as_people_write_them() {
        let seconds = |text: &str| duration(text).map(|time| time.as_secs_f64());
        assert_eq!([seconds("90s"), seconds("10m"), seconds("1h30m")], [Ok(90.0), Ok(600.0), Ok(5_400.0)]);
        assert_eq!([seconds("45"), seconds("0.5h"), seconds("1m30s")], [Ok(45.0), Ok(1_800.0), Ok(90.0)]);
        for text in ["", "0", "m", "10d", "-1s", "1e9", "10 min", "9999999h", "ü", "1ü"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_of_numbers() {
        let path = Path::parse("roll.a.add").expect("a path");
        assert_eq!(bounds("roll.a.add=-2..4"), Ok(Bounds { path: path.clone(), low: -2_000, high: 4_000 }));
        assert_eq!(bounds("roll.a.add = 0.5 .. 2.25"), Ok(Bounds { path, low: 500, high: 2_250 }));
        for text in ["roll.a.add", "roll.a.add=3", "roll.a.add=4..2", "a..b=1..2", "a=x..2", "a=1..inf", "a=0..0.0001"]
        {
            assert!(bounds(text).is_err(), "{text}");
        }
        assert_eq!([range("-2..4"), range("0.5 .. 2.25")], [Ok((-2_000, 4_000)), Ok((500, 2_250))]);
        assert_eq!([step("1"), step("0.25")], [Ok(1_000), Ok(250)]);
        assert!(range("4..2").is_err() && range("4").is_err() && step("0").is_err() && step("-1").is_err());
    }

    #[test]
    fn seeds_and_keeping() {
        assert_eq!([seed("1815"), seed("random")], [Ok(Seed::Given(1815)), Ok(Seed::Random)]);
        assert_eq!(seed("9223372036854775807"), Ok(Seed::Given(i64::MAX.unsigned_abs())));
        assert!(seed("9223372036854775808").is_err() && seed("-1").is_err());
        assert_eq!([keep("all"), keep("none"), keep("1e4")], [Ok(Keep::All), Ok(Keep::None), Ok(Keep::First(10_000))]);
        assert!(keep("some").is_err());
        let told = |text: &str| runs(text).unwrap_err();
        assert_eq!([told("-5"), told("0")], ["ask for at least 1 battle"; 2]);
        assert_eq!([told("1e30"), told("1e15")], ["1000000000000 battles in each cell is the limit"; 2]);
    }
}
