//! Syntax: turns text into CEL's tree, with a position for every node and a plain message for every mistake.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use cel::common::ast::{CallExpr, Expr as Cel, IdedExpr, SourceInfo, operators};
use cel::parser::{ParseError, Parser};

use super::Remembered;
use super::fault::{ExprFault, quoted};
use super::scan::{Token, TokenKind, scan, spelt_sign};

/// More than [`scan`] allows (brackets within `?`), so that the parser's own limit is never reached.
const PARSER_DEPTH: u16 = 100;

/// How deep operations may be nested. A chain such as `a + b + c` nests one level deeper with each operator; `&&` and
/// `||` do not.
const NESTING_MAX: usize = 64;

/// A cache of up to 4,096 parse trees; packs have hundreds of expressions.
static TREES: LazyLock<Remembered<String, Tree>> = LazyLock::new(|| Remembered::new(4_096, |_| 1));

/// A text that is valid CEL, though its meaning is not yet checked.
pub(super) struct Parsed<'a> {
    pub(super) text: &'a str,
    tree: Arc<Tree>,
}

/// The parts of a text that do not depend on a scope.
struct Tree {
    root: IdedExpr,
    tokens: Vec<Token>,
    info: SourceInfo,
}

/// Parses `text`. If its syntax is broken, reports only the first error: anything after it is guesswork.
pub(super) fn parse(text: &str) -> Result<Parsed<'_>, Vec<ExprFault>> {
    Ok(Parsed { text, tree: TREES.of(text.to_owned(), |text| parse_anew(text))? })
}

fn parse_anew(text: &str) -> Result<Tree, Vec<ExprFault>> {
    let tokens = scan(text)?;
    let parser = Parser::new().max_recursion_depth(PARSER_DEPTH);
    match parser.parse_with_source_info(text) {
        Ok((root, info)) if nesting(&root) <= NESTING_MAX => Ok(Tree { root, tokens, info }),
        Ok(_) => {
            let message = format!("operations are nested more than {NESTING_MAX} deep");
            Err(vec![ExprFault::error(0..text.len(), message).help("split it into several rows")])
        }
        Err(failure) => Err(vec![explain(text, &tokens, &failure.errors)]),
    }
}

impl Parsed<'_> {
    pub(super) fn root(&self) -> &IdedExpr {
        &self.tree.root
    }

    /// The bytes of the text for `node`.
    pub(super) fn range(&self, node: &IdedExpr) -> Range<usize> {
        self.tokens_of(node).map_or(0..self.text.len(), |tokens| {
            let tokens = self.with_brackets(tokens);
            self.tree.tokens[tokens.start].range.start..self.tree.tokens[tokens.end - 1].range.end
        })
    }

    /// The node's own words, between backticks.
    pub(super) fn quote(&self, node: &IdedExpr) -> String {
        quoted(&self.text[self.range(node)])
    }

    /// The characters of a number, without its sign.
    pub(super) fn number(&self, literal: &IdedExpr) -> &str {
        self.token_at(literal.id).map_or("", |at| self.tree.tokens[at].text(self.text))
    }

    /// The token that the parser remembered for a node: an operator, a bracket, a name, a literal.
    fn token_at(&self, id: u64) -> Option<usize> {
        let (start, _) = self.tree.info.offset_for(id)?;
        self.tree.tokens.binary_search_by_key(&(start as usize), |token| token.range.start).ok()
    }

    /// The tokens from the node's first to its last, as far as its parts show.
    fn tokens_of(&self, node: &IdedExpr) -> Option<Range<usize>> {
        let own = self.token_at(node.id)?;
        let mut range = own..own + 1;
        match &node.expr {
            Cel::Select(select) => {
                range.start = self.tokens_of(&select.operand)?.start;
                range.end = (own + 2).min(self.tree.tokens.len());
            }
            Cel::Call(CallExpr { target, args, .. }) => {
                for part in target.iter().map(|target| &**target).chain(args) {
                    let part = self.tokens_of(part)?;
                    range = range.start.min(part.start)..range.end.max(part.end);
                }
            }
            Cel::Literal(_) if self.tree.tokens[own].kind == TokenKind::Number && self.signed(own) => range.start -= 1,
            _ => {}
        }
        Some(range)
    }

    /// Does a minus sign before token `at` belong to it rather than subtract?
    fn signed(&self, at: usize) -> bool {
        let minus = at.checked_sub(1).is_some_and(|minus| self.tree.tokens[minus].text(self.text) == "-");
        minus && !at.checked_sub(2).is_some_and(|before| self.tree.tokens[before].ends_value(self.text))
    }

    /// Widens a range of tokens until it contains both brackets of each pair or neither.
    fn with_brackets(&self, mut range: Range<usize>) -> Range<usize> {
        let mut at = range.start;
        while at < range.end {
            if let TokenKind::Open(partner) | TokenKind::Close(partner) = self.tree.tokens[at].kind {
                if partner < range.start {
                    range.start = partner;
                    at = partner;
                }
                range.end = range.end.max(partner + 1);
            }
            at += 1;
        }
        range
    }
}

/// The depth of the tree, not counting `&&` and `||`.
fn nesting(node: &IdedExpr) -> usize {
    match &node.expr {
        Cel::Call(call) => {
            let deepest = call.target.iter().map(|target| &**target).chain(&call.args).map(nesting).max().unwrap_or(0);
            deepest + usize::from(!matches!(call.func_name.as_str(), operators::LOGICAL_AND | operators::LOGICAL_OR))
        }
        Cel::Select(select) => nesting(&select.operand) + 1,
        Cel::List(list) => list.elements.iter().map(nesting).max().unwrap_or(0) + 1,
        _ => 0,
    }
}

/// Puts the parser's first complaint into plain words.
fn explain(text: &str, tokens: &[Token], errors: &[ParseError]) -> ExprFault {
    // The grammar's complaints come before those about single nodes, which are often only a consequence.
    let grammar = errors.iter().find(|error| error.msg.starts_with("Syntax error"));
    let place = grammar.or(errors.first()).map_or(text.len(), |error| byte_at(text, error.pos));
    let at = tokens.iter().position(|token| token.range.end > place).unwrap_or(tokens.len());
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let word = |token: &Token| quoted(token.text(text));
    let missing_operator = |second: &Token, first: &Token| {
        let message = format!("{} follows {} directly", word(second), word(first));
        ExprFault::error(second.range.clone(), message).help(spelt_operator(first.text(text), second.text(text)))
    };
    let Some(token) = tokens.get(at) else {
        return match before {
            None => ExprFault::error(0..text.len(), "there is no expression")
                .help("write a condition such as `self.arm == 'horse'`, or a number"),
            Some(last) if last.ends_value(text) => {
                ExprFault::error(text.len()..text.len(), "the expression ends too early")
                    .help("a choice is written `condition ? value : other value`")
            }
            Some(last) => {
                let fault = ExprFault::error(last.range.clone(), format!("nothing follows {}", word(last)));
                match tokens {
                    // Rulebooks print `4+` for a score of 4 or more.
                    [number, plus] if number.kind == TokenKind::Number && plus.text(text) == "+" => {
                        fault.help(format!("write {}", number.text(text)))
                    }
                    _ => fault.help("put a value after it"),
                }
            }
        };
    };
    let starts_value = matches!(token.kind, TokenKind::Number | TokenKind::Word | TokenKind::Open(_) | TokenKind::Name)
        && token.text(text) != "in";
    if grammar.is_none() {
        let message = format!("{} cannot stand here", word(token));
        return ExprFault::error(token.range.clone(), message).help("CEL reserves this word");
    }
    match before {
        Some(before) if starts_value && before.ends_value(text) => missing_operator(token, before),
        Some(before) if !starts_value && !before.ends_value(text) => {
            let message = format!("a value is missing between {} and {}", word(before), word(token));
            ExprFault::error(token.range.clone(), message).help("put a name, a number or a word in quotes there")
        }
        None if !starts_value => ExprFault::error(token.range.clone(), format!("nothing comes before {}", word(token)))
            .help("put a value before it"),
        _ => {
            let help = match token.text(text) {
                "?" => "put the inner choice in parentheses",
                ":" => "a choice is written `condition ? value : other value`",
                _ => "check the operators and parentheses before it",
            };
            ExprFault::error(token.range.clone(), format!("{} is not expected here", word(token))).help(help)
        }
    }
}

/// The remedy for a value that follows another without an operator.
fn spelt_operator(first: &str, second: &str) -> &'static str {
    spelt_sign(second).or(spelt_sign(first)).unwrap_or("put an operator such as `==`, `&&` or `+` between them")
}

/// The byte that the parser means by a line and column, both counted from 1, in characters.
fn byte_at(text: &str, (line, column): (isize, isize)) -> usize {
    let skipped = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(skipped).map(str::len).sum();
    let column = usize::try_from(column).unwrap_or(1).saturating_sub(1);
    text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at)
}
