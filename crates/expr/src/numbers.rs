//! The numbers in the text of an expression.

use std::ops::Range;

use super::scan::{Token, TokenKind, scan};

/// The positions of numbers in the text of an expression, each with its sign: in `margin >= -7 && turn > 2` these are
/// `-7` and `2`.
///
/// Empty for a text that is not an expression, and for one that is only a number or a name: only numbers in
/// comparisons and arithmetic are numbers of the rules.
#[must_use]
pub fn numbers(text: &str) -> Vec<Range<usize>> {
    let Ok(tokens) = scan(text) else { return Vec::new() };
    let reckons = |token: &Token| {
        let sign = token.text(text);
        token.kind == TokenKind::Sign && !matches!(sign, "-" | "." | "," | ":")
    };
    let spaced = |token: &Token| token.text(text) == "-" && text[token.range.end..].starts_with(' ');
    let calls = |token: &Token| matches!(token.kind, TokenKind::Open(_));
    if !tokens.iter().any(|token| reckons(token) || spaced(token) || calls(token)) {
        return Vec::new();
    }
    let negative = |at: usize| {
        let minus = at.checked_sub(1).filter(|&before| tokens[before].text(text) == "-")?;
        let unary = minus.checked_sub(1).is_none_or(|before| !tokens[before].ends_value(text));
        unary.then(|| tokens[minus].range.start)
    };
    let place = |(at, token): (usize, &Token)| {
        let start = negative(at).unwrap_or(token.range.start);
        (token.kind == TokenKind::Number).then_some(start..token.range.end)
    };
    tokens.iter().enumerate().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_with_their_signs() {
        let found = |text: &'static str| numbers(text).into_iter().map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(found("margin >= -7 && turn > 2"), ["-7", "2"]);
        assert_eq!(found("self.figures - 3 >= 0.5"), ["3", "0.5"]);
        assert_eq!(found("self.arm == 'gun-6' && (-1) < self.lost"), ["-1"]);
        assert_eq!(found("math.least(self.figures, 3)"), ["3"]);
    }

    #[test]
    fn words_dice_and_names_have_none() {
        for text in ["2d6", "6-pounder", "line", "7.64", "9.50-G", "Turn 1: charge", "", "'6 + 1'"] {
            assert_eq!(numbers(text), Vec::<Range<usize>>::new(), "{text}");
        }
    }
}
