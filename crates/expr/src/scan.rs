//! Tokens of the text, with their positions.
//!
//! The text is read here before the CEL parser sees it. Signs that CEL lacks, or that CEL has but we do not use, are
//! refused with their exact position and a hint about what to write instead. Lengths and depths are bounded, so the
//! parser, which recurses, cannot exhaust the stack. The tokens also provide the positions of faults found later.

use std::ops::Range;

use super::fault::{ExprFault, nearest, quoted};

/// Longest expression, in bytes.
pub const LENGTH_MAX: usize = 2_000;

/// Maximum nesting of brackets, and maximum number of `?` in one expression.
pub const DEPTH_MAX: usize = 32;

/// The functions an expression may call.
pub(super) const FUNCTIONS: [&str; 3] = ["math.least", "math.greatest", "math.abs"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Number,
    Word,
    /// `(` or `[`, with the position of its partner among the tokens.
    Open(usize),
    /// `)` or `]`, with the position of its partner among the tokens.
    Close(usize),
    /// Any other sign.
    Sign,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

impl Token {
    pub(super) fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.range.clone()]
    }

    /// May a value end with this token?
    pub(super) fn ends_value(&self, text: &str) -> bool {
        match self.kind {
            TokenKind::Name => self.text(text) != "in",
            TokenKind::Number | TokenKind::Word | TokenKind::Close(_) => true,
            TokenKind::Open(_) | TokenKind::Sign => false,
        }
    }
}

/// Signs that CEL lacks, or that we do not use, with what to write instead. Longer ones first.
const WRONG_SIGNS: [(&str, &str); 14] = [
    ("===", "equality is written `==`"),
    ("=>", "at least is written `>=`"),
    ("=<", "at most is written `<=`"),
    ("<>", "inequality is written `!=`"),
    ("**", "there is no power operator: multiply with `*`"),
    ("=", "equality is written `==`"),
    ("&", "and is written `&&`"),
    ("|", "or is written `||`"),
    ("≤", "at most is written `<=`"),
    ("≥", "at least is written `>=`"),
    ("≠", "inequality is written `!=`"),
    ("×", "times is written `*`"),
    ("÷", "division is written `/`"),
    ("−", "minus is written `-`"),
];

const RIGHT_SIGNS: [&str; 18] =
    ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ",", "."];

/// Reads the tokens of `text`.
pub(super) fn scan(text: &str) -> Result<Vec<Token>, Vec<ExprFault>> {
    if text.len() > LENGTH_MAX {
        let fault = ExprFault::error(0..text.len(), format!("the expression has {} bytes", text.len()))
            .help(format!("at most {LENGTH_MAX} are allowed: split it into several rows"));
        return Err(vec![fault]);
    }
    let mut scanner = Scanner { text, at: 0, tokens: Vec::new(), faults: Vec::new(), torn: false };
    while let Some(next) = scanner.rest().chars().next() {
        scanner.token(next);
    }
    if !scanner.torn {
        scanner.pair_brackets();
        scanner.check_neighbours();
    }
    if scanner.faults.is_empty() { Ok(scanner.tokens) } else { Err(scanner.faults) }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    faults: Vec<ExprFault>,
    /// Was a part of the text skipped?
    torn: bool,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by `length` bytes and returns their range.
    fn take(&mut self, length: usize) -> Range<usize> {
        let start = self.at;
        self.at += length;
        start..self.at
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let range = self.take(length);
        self.tokens.push(Token { kind, range });
    }

    fn refuse(&mut self, length: usize, message: impl Into<String>, help: &str) {
        let range = self.take(length);
        self.faults.push(ExprFault::error(range, message).help(help));
    }

    fn token(&mut self, next: char) {
        let rest = self.rest();
        match next {
            ' ' | '\t' | '\n' | '\r' | '\u{c}' => self.at += 1,
            '/' if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            '0'..='9' => self.number(),
            _ if is_name_part(next) || next.is_alphabetic() => self.name(),
            '\'' | '"' => self.word(next),
            '‘' | '’' | '“' | '”' => self.curly(next),
            // The partner is found once all brackets are known.
            '(' | '[' => self.push(TokenKind::Open(usize::MAX), 1),
            ')' | ']' => self.push(TokenKind::Close(usize::MAX), 1),
            '{' | '}' => self.refuse(1, format!("`{next}` has no meaning here"), "there are no maps or records"),
            _ => self.sign(next),
        }
    }

    fn sign(&mut self, next: char) {
        let rest = self.rest();
        if let Some(sign) = RIGHT_SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            let mistaken = WRONG_SIGNS.iter().any(|(wrong, _)| wrong.len() > sign.len() && rest.starts_with(wrong));
            if !mistaken {
                return self.push(TokenKind::Sign, sign.len());
            }
        }
        if let Some((sign, help)) = WRONG_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            return self.refuse(sign.len(), format!("`{sign}` is not an operator"), help);
        }
        let strange = |letter: char| !letter.is_ascii_graphic() && !letter.is_whitespace() && !letter.is_alphabetic();
        let length = if strange(next) { run(rest, strange) } else { next.len_utf8() };
        let message = format!("{} cannot be read", quoted(&rest[..length]));
        self.refuse(length, message, "remove it, or put a word in quotes");
    }

    fn name(&mut self) {
        let rest = self.rest();
        let length = run(rest, |letter| is_name_part(letter) || letter.is_alphanumeric());
        if rest[..length].is_ascii() {
            return self.push(TokenKind::Name, length);
        }
        let message = format!("{} is not a name", quoted(&rest[..length]));
        self.refuse(length, message, "names have letters from a to z; put words in quotes");
    }

    fn number(&mut self) {
        let rest = self.rest();
        let length = run(rest, |letter| is_name_part(letter) || letter == '.');
        let number = &rest[..length];
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(decimals) {
            let message = format!("{} is not a number", quoted(number));
            return self.refuse(length, message, "write a number like `12`, a length in inches like `1.5`");
        }
        // Sixteen digits fit the parser's integers; the checker knows the limits where the number is used.
        if whole.len() > 16 {
            return self.refuse(length, "the number is too large", "numbers reach 2147483647");
        }
        self.push(TokenKind::Number, length);
    }

    fn word(&mut self, quote: char) {
        let rest = self.rest();
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let Some(length) = line[1..].find(quote).map(|at| at + 2) else {
            return self.refuse_line(line.len(), line.len(), "the quote is never closed");
        };
        let prefix = self.tokens.last().filter(|token| token.kind == TokenKind::Name && token.range.end == self.at);
        if line[..length].contains('\\') {
            self.refuse_line(length, line.len(), "words cannot contain `\\` escapes");
        } else if prefix.is_some_and(|token| token.text(self.text) != "in") {
            self.refuse_line(length, line.len(), "there is a letter directly before the quote");
        } else if line[length..].starts_with(quote) {
            self.refuse_line(length + 1, line.len(), "there is one quote too many");
        } else {
            self.push(TokenKind::Word, length);
        }
    }

    /// Refuses a word and continues with the next line, because the extent of words is no longer clear.
    fn refuse_line(&mut self, length: usize, line: usize, message: &str) {
        self.refuse(length, message, "write a word in plain quotes, as in 'line'");
        self.at += line - length;
        self.torn = true;
    }

    fn curly(&mut self, quote: char) {
        let rest = self.rest();
        let closing = |letter: char| matches!(letter, '’' | '”');
        let after = quote.len_utf8();
        let line = rest.find('\n').unwrap_or(rest.len());
        let length = rest[after..line].find(closing).map_or(after, |at| at + after + '’'.len_utf8());
        self.refuse(length, "the quotes are curly", "use straight quotes, as in 'line'");
    }

    /// Finds each bracket's partner; refuses those without one and those nested too deep.
    fn pair_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.tokens.len() {
            let range = self.tokens[at].range.clone();
            let sign = self.tokens[at].text(self.text);
            match self.tokens[at].kind {
                TokenKind::Open(_) => {
                    open.push(at);
                    if open.len() == DEPTH_MAX + 1 {
                        let message = format!("brackets are nested more than {DEPTH_MAX} deep");
                        self.faults.push(ExprFault::error(range, message).help("split it into several rows"));
                    }
                }
                TokenKind::Close(_) => {
                    let wanted = if sign == ")" { "(" } else { "[" };
                    match open.pop() {
                        Some(partner) if self.tokens[partner].text(self.text) == wanted => {
                            self.tokens[partner].kind = TokenKind::Open(at);
                            self.tokens[at].kind = TokenKind::Close(partner);
                        }
                        Some(partner) => {
                            let other = self.tokens[partner].text(self.text);
                            let message = format!("`{sign}` cannot close `{other}`");
                            self.faults.push(ExprFault::error(range, message).help("close the brackets in order"));
                        }
                        None => {
                            let message = format!("`{sign}` closes nothing");
                            let help = format!("omit it, or put a `{wanted}` before it");
                            self.faults.push(ExprFault::error(range, message).help(help));
                        }
                    }
                }
                _ => {}
            }
        }
        for at in open {
            let token = &self.tokens[at];
            let sign = token.text(self.text);
            let message = format!("`{sign}` is never closed");
            let help = format!("put a `{}` after it", if sign == "(" { ")" } else { "]" });
            self.faults.push(ExprFault::error(token.range.clone(), message).help(help));
        }
    }

    /// Refuses tokens that are wrong next to each other.
    fn check_neighbours(&mut self) {
        let mut questions = 0;
        for at in 0..self.tokens.len() {
            let token = &self.tokens[at];
            let sign = token.text(self.text);
            let before = at.checked_sub(1).map(|before| &self.tokens[before]);
            let after = self.tokens.get(at + 1).map(|after| after.text(self.text));
            let fault = match (token.kind, sign) {
                (TokenKind::Name, name) if after == Some("(") && name != "in" => self.unknown_function(at),
                (TokenKind::Open(_), "[") if before.is_none_or(|before| before.text(self.text) != "in") => {
                    let fault = ExprFault::error(token.range.clone(), "a list is allowed only after `in`");
                    Some(fault.help("as in `self.arm in ['horse', 'foot']`"))
                }
                (TokenKind::Sign, "!") if after == Some("!") => {
                    let range = token.range.start..self.tokens[at + 1].range.end;
                    Some(ExprFault::error(range, "two `!` cancel each other out").help("omit both"))
                }
                (TokenKind::Sign, "-")
                    if after == Some("-") && before.is_none_or(|before| !before.ends_value(self.text)) =>
                {
                    let range = token.range.start..self.tokens[at + 1].range.end;
                    Some(ExprFault::error(range, "two `-` cancel each other out").help("omit both"))
                }
                (TokenKind::Sign, "?") => {
                    questions += 1;
                    (questions == DEPTH_MAX + 1).then(|| {
                        let message = format!("there are more than {DEPTH_MAX} `?` in one expression");
                        ExprFault::error(token.range.clone(), message).help("split it into several rows")
                    })
                }
                _ => None,
            };
            self.faults.extend(fault);
        }
    }

    /// The fault for the call whose name ends at token `at`, unless it is one of the [`FUNCTIONS`].
    fn unknown_function(&self, at: usize) -> Option<ExprFault> {
        let mut first = at;
        let mut name = self.tokens[at].text(self.text).to_owned();
        while first >= 2
            && self.tokens[first - 1].text(self.text) == "."
            && self.tokens[first - 2].kind == TokenKind::Name
        {
            first -= 2;
            name = format!("{}.{name}", self.tokens[first].text(self.text));
        }
        if FUNCTIONS.contains(&name.as_str()) {
            return None;
        }
        let range = self.tokens[first].range.start..self.tokens[at].range.end;
        let help = match (spelt_sign(&name), nearest(&name, FUNCTIONS.into_iter())) {
            (Some(sign), _) => sign.to_owned(),
            (None, Some(meant)) => format!("did you mean `{meant}`?"),
            (None, None) => "the functions are `math.least(a, b)`, `math.greatest(a, b)` and `math.abs(a)`".to_owned(),
        };
        Some(ExprFault::error(range, format!("there is no function {}", quoted(&name))).help(help))
    }
}

/// The operator to write instead of a word.
pub(super) fn spelt_sign(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "and" => Some("and is written `&&`"),
        "or" => Some("or is written `||`"),
        "not" => Some("not is written `!`, as in `!self.routed` or `self.arm != 'horse'`"),
        "is" | "equals" => Some("equality is written `==`"),
        "if" | "then" | "else" => Some("a choice is written `condition ? value : other value`"),
        _ => None,
    }
}

fn is_name_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The length in bytes of the run of such characters at the start of `text`.
fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}
