//! Parses a text into a formula.

use super::pool::{Again, Faces, Pool, Read};
use super::{FormulaError, Operation, Part};

/// The limit on dice in one pool.
const DICE_MAX: i64 = 1_000;
/// The limit on faces of one die.
const FACES_MAX: i64 = 1_000;
/// The largest plain number.
const NUMBER_MAX: i64 = 1_000_000;
/// The limit on nesting.
const DEPTH_MAX: usize = 32;
/// The limit on characters of a formula.
const LENGTH_MAX: usize = 1_000;

/// Reads a formula.
pub(super) fn formula(text: &str) -> Result<Part, FormulaError> {
    if text.len() > LENGTH_MAX {
        let message = format!("the formula has more than {LENGTH_MAX} characters");
        return Err(FormulaError { message, help: "write a shorter one".to_owned(), at: 0..text.len() });
    }
    let mut reader = Reader { text, at: 0, depth: 0 };
    let part = reader.sum()?;
    reader.space();
    if reader.at < text.len() {
        return Err(reader.wrong("the formula should end here", "write one formula, such as 2d6+1"));
    }
    Ok(part)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Consumes a word if it is next.
    fn takes(&mut self, word: &str) -> bool {
        let found = self.rest().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if found {
            self.at += word.len();
        }
        found
    }

    fn wrong(&self, message: &str, help: &str) -> FormulaError {
        let letter = self.rest().chars().next().map_or(0, char::len_utf8);
        FormulaError { message: message.to_owned(), help: help.to_owned(), at: self.at..self.at + letter }
    }

    fn wrong_from(&self, start: usize, message: String, help: &str) -> FormulaError {
        FormulaError { message, help: help.to_owned(), at: start..self.at }
    }

    fn both(operation: Operation, one: Part, other: Part) -> Part {
        Part::Both(operation, Box::new([one, other]))
    }

    fn sum(&mut self) -> Result<Part, FormulaError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong("the brackets are nested too deeply", "use fewer brackets"));
        }
        let mut part = self.product()?;
        loop {
            self.space();
            if self.takes("+") {
                part = Self::both(Operation::Add, part, self.product()?);
            } else if self.takes("-") || self.takes("−") {
                part = Self::both(Operation::Subtract, part, self.product()?);
            } else {
                self.depth -= 1;
                return Ok(part);
            }
        }
    }

    fn product(&mut self) -> Result<Part, FormulaError> {
        let mut part = self.factor()?;
        loop {
            self.space();
            if self.takes("*") || self.takes("×") {
                part = Self::both(Operation::Multiply, part, self.factor()?);
            } else {
                return Ok(part);
            }
        }
    }

    fn factor(&mut self) -> Result<Part, FormulaError> {
        self.space();
        for (word, operation) in [("min", Operation::Least), ("max", Operation::Greatest)] {
            if self.takes(word) {
                self.bracket("(")?;
                let one = self.sum()?;
                self.bracket(",")?;
                let other = self.sum()?;
                self.bracket(")")?;
                return Ok(Self::both(operation, one, other));
            }
        }
        if self.takes("(") {
            let part = self.sum()?;
            self.bracket(")")?;
            return Ok(part);
        }
        if self.takes("-") || self.takes("−") {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err(self.wrong("there are too many signs", "write one"));
            }
            let part = self.factor()?;
            self.depth -= 1;
            return Ok(Self::both(Operation::Subtract, Part::Number(0), part));
        }
        let start = self.at;
        let count = self.number()?;
        if self.takes("d") {
            return self.dice(start, count);
        }
        match count {
            Some(number) if number <= NUMBER_MAX => Ok(Part::Number(number)),
            Some(_) => {
                Err(self.wrong_from(start, format!("numbers may be at most {NUMBER_MAX}"), "write a smaller one"))
            }
            None => Err(self.wrong("expected dice or a number here", "write dice such as 3d6, or a number")),
        }
    }

    fn bracket(&mut self, sign: &str) -> Result<(), FormulaError> {
        self.space();
        if self.takes(sign) {
            Ok(())
        } else {
            Err(self.wrong(&format!("`{sign}` is missing here"), "write max(2d6, d8), or close the bracket"))
        }
    }

    /// Reads digits; `None` if there are none.
    fn number(&mut self) -> Result<Option<i64>, FormulaError> {
        let start = self.at;
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(None);
        }
        self.at += digits;
        let number = self.text[start..self.at].parse().ok().filter(|number| *number <= 1_000_000_000);
        let wrong = || self.wrong_from(start, "the number is too large".to_owned(), "write a smaller one");
        Ok(Some(number.ok_or_else(wrong)?))
    }

    /// Reads dice after their number, if any, and the `d`.
    fn dice(&mut self, start: usize, count: Option<i64>) -> Result<Part, FormulaError> {
        let count = count.unwrap_or(1);
        if !(1..=DICE_MAX).contains(&count) {
            return Err(self.wrong_from(start, format!("{count} dice cannot be rolled"), "roll 1 to 1000 dice"));
        }
        let faces = if self.takes("%") {
            (1, 100)
        } else if self.takes("F") {
            (-1, 1)
        } else {
            let from = self.at;
            let Some(faces) = self.number()? else {
                return Err(self.wrong("the number of faces is missing", "write d6, d20, d% or dF"));
            };
            if !(1..=FACES_MAX).contains(&faces) {
                return Err(self.wrong_from(from, format!("a die cannot have {faces} faces"), "use 1 to 1000 faces"));
            }
            (1, faces)
        };
        let count = u32::try_from(count).unwrap_or(1);
        let read = Read::Sum { skip: 0, keep: count };
        let mut pool = Pool { count, faces, again: None, explodes: false, read };
        while self.modifier(&mut pool)? {}
        let every = (pool.faces.0..=pool.faces.1)
            .all(|face| pool.again.is_some_and(|again| !again.once && again.faces.holds(face)));
        if every {
            return Err(self.wrong_from(
                start,
                "every face is rerolled, so the roll never ends".to_owned(),
                "leave a face that is not rerolled",
            ));
        }
        if let Some(again) = pool.again
            && !(pool.faces.0..=pool.faces.1).any(|face| again.faces.holds(face))
        {
            return Err(self.wrong_from(
                start,
                "the die has none of the faces that are rerolled".to_owned(),
                "reroll a face that it has, or omit the reroll",
            ));
        }
        if let Read::Count(counted) = pool.read
            && !pool.explodes
            && !(pool.faces.0..=pool.faces.1).any(|face| counted.holds(face))
        {
            return Err(self.wrong_from(
                start,
                "each die is compared on its own, and none of its faces matches".to_owned(),
                "for the total of the dice, omit the comparison and read the column `or more`",
            ));
        }
        if pool.explodes && pool.faces.0 == pool.faces.1 {
            return Err(self.wrong_from(
                start,
                "a die with one face never stops exploding".to_owned(),
                "use more faces, or omit `!`",
            ));
        }
        Ok(Part::Dice(pool))
    }

    /// Reads an operator after dice. Returns whether there was one.
    fn modifier(&mut self, pool: &mut Pool) -> Result<bool, FormulaError> {
        let start = self.at;
        let all = Read::Sum { skip: 0, keep: pool.count };
        for (word, keeps, high) in
            [("kh", true, true), ("kl", true, false), ("dh", false, true), ("dl", false, false), ("k", true, true)]
        {
            if !self.takes(word) {
                continue;
            }
            let number = self.number()?.unwrap_or(1);
            if pool.read != all {
                return Err(self.wrong_from(
                    start,
                    "dice can be kept or counted only once".to_owned(),
                    "write one of kh, kl, dh, dl or a comparison",
                ));
            }
            let most = i64::from(pool.count);
            if !(0..=most).contains(&number) || keeps && number == 0 {
                return Err(self.wrong_from(
                    start,
                    format!("{number} of {most} dice cannot be kept or dropped"),
                    "keep or drop no more dice than are rolled",
                ));
            }
            let keep = u32::try_from(if keeps { number } else { most - number }).unwrap_or(0);
            // The highest dice stay if the highest are kept or the lowest are dropped.
            let skip = if keeps == high { 0 } else { pool.count - keep };
            pool.read = Read::Sum { skip, keep };
            return Ok(true);
        }
        if self.takes("!") {
            if pool.explodes {
                return Err(self.wrong_from(start, "these dice already explode".to_owned(), "write `!` once"));
            }
            pool.explodes = true;
            return Ok(true);
        }
        if self.takes("r") {
            let once = self.takes("o");
            let faces = match self.comparison(pool)? {
                Some(faces) => faces,
                None => {
                    let Some(face) = self.number()? else {
                        return Err(self.wrong("the faces to reroll are missing", "write r1 or r<=2"));
                    };
                    Faces { least: face, most: face }
                }
            };
            if pool.again.replace(Again { faces, once }).is_some() {
                return Err(self.wrong_from(
                    start,
                    "these dice already have a reroll".to_owned(),
                    "write one of r and ro, with a comparison for several faces",
                ));
            }
            return Ok(true);
        }
        // Players do not write `2d6 >= 9` to compare the sum, so a space ends the dice.
        let Some(faces) = self.comparison(pool)? else { return Ok(false) };
        if pool.read != all {
            return Err(self.wrong_from(
                start,
                "dice can be kept or counted only once".to_owned(),
                "write one of kh, kl, dh, dl or a comparison",
            ));
        }
        pool.read = Read::Count(faces);
        Ok(true)
    }

    /// The faces of a comparison; `None` if there are none.
    fn comparison(&mut self, pool: &Pool) -> Result<Option<Faces>, FormulaError> {
        let found = [">=", "<=", "≥", "≤", ">", "<", "="].into_iter().find(|sign| self.takes(sign));
        let Some(sign) = found else { return Ok(None) };
        let negative = self.takes("-") || self.takes("−");
        let Some(number) = self.number()? else {
            return Err(self.wrong("the comparison has no number", "write a number, such as 5d6>=4"));
        };
        let number = if negative { -number } else { number };
        // An exploding die may show more than its highest face.
        let most = if pool.explodes { i64::MAX } else { pool.faces.1.max(number) };
        let least = pool.faces.0.min(number);
        Ok(Some(match sign {
            ">=" | "≥" => Faces { least: number, most: i64::MAX },
            ">" => Faces { least: number + 1, most: i64::MAX },
            "<=" | "≤" => Faces { least, most: number },
            "<" => Faces { least, most: number - 1 },
            _ => Faces { least: number, most: number.min(most) },
        }))
    }
}
