//! A source file that contains all of its mutants. Each is switched on by its number.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::LineColumn;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprStruct, ExprUnary, ImplItemFn, ItemFn, ReturnType, Stmt, TraitItemFn, Type,
};

use crate::listed::{Genre, Mutant};

/// The beginning of the call that asks whether a mutant is on.
const CALL: &str = "crate::mutant::on(";

/// A source text with all the mutants that have a place in it.
pub(crate) struct Schema {
    /// The text to compile.
    pub(crate) text: String,
    /// The insertions, in the order of the text: the position and the place of each.
    pieces: Vec<(Range<usize>, usize)>,
    /// For each place, the range of its pieces, and its mutants.
    places: Vec<(Range<usize>, Vec<u32>)>,
}

impl Schema {
    /// Inserts these mutants of a file.
    ///
    /// # Errors
    /// The text is not valid Rust.
    pub(crate) fn new(source: &str, mutants: &[&Mutant]) -> syn::Result<Self> {
        let file = syn::parse_file(source)?;
        let mut wanted: BTreeMap<_, Vec<&Mutant>> = BTreeMap::new();
        for mutant in mutants {
            wanted.entry((mutant.genre, mutant.span.start.line, mutant.span.start.column)).or_default().push(mutant);
        }
        let mut visitor = Visitor { source, wanted, edits: Vec::new(), places: Vec::new() };
        visitor.visit_file(&file);
        Ok(visitor.render())
    }

    /// The mutants that have a place in the text.
    pub(crate) fn mutants(&self) -> impl Iterator<Item = u32> {
        self.places.iter().flat_map(|(_, mutants)| mutants.iter().copied())
    }

    /// The mutants that may be to blame for a fault at this byte: the one whose change begins there or before, or all
    /// those of the innermost place around it.
    pub(crate) fn blamed(&self, byte: usize) -> Vec<u32> {
        if let Some((piece, place)) = self.pieces.iter().find(|(piece, _)| piece.contains(&byte)) {
            let upto = (byte + CALL.len()).min(piece.end);
            let numbers = self.text[piece.start..piece.end].match_indices(CALL);
            let before = numbers.take_while(|(at, _)| piece.start + at < upto).last();
            let number = before.map(|(at, call)| &self.text[piece.start + at + call.len()..]);
            let number = number.and_then(|rest| rest.split_once(')')).and_then(|(number, _)| number.parse().ok());
            return number.map_or_else(|| self.places[*place].1.clone(), |number| vec![number]);
        }
        let around = self.places.iter().filter(|(place, _)| place.contains(&byte));
        around.min_by_key(|(place, _)| place.len()).map(|(_, mutants)| mutants.clone()).unwrap_or_default()
    }
}

/// A text that replaces another, which may be empty.
struct Edit {
    at: Range<usize>,
    text: String,
    place: usize,
    /// Whether it ends its place; of several places that end at the same byte, the innermost one ends first.
    ends: bool,
}

struct Visitor<'a> {
    source: &'a str,
    wanted: BTreeMap<(Genre, usize, usize), Vec<&'a Mutant>>,
    edits: Vec<Edit>,
    places: Vec<Vec<u32>>,
}

/// The call that asks whether a mutant is on.
fn on(mutant: &Mutant) -> String {
    format!("{CALL}{})", mutant.number)
}

impl<'a> Visitor<'a> {
    /// Takes the mutants of a kind that begin here.
    fn take(&mut self, genre: Genre, LineColumn { line, column }: LineColumn) -> Vec<&'a Mutant> {
        self.wanted.remove(&(genre, line, column + 1)).unwrap_or_default()
    }

    /// A new place for these mutants.
    fn place(&mut self, mutants: &[&Mutant]) -> usize {
        self.places.push(mutants.iter().map(|mutant| mutant.number).collect());
        self.places.len() - 1
    }

    fn edit(&mut self, place: usize, at: Range<usize>, text: impl Into<String>, ends: bool) {
        self.edits.push(Edit { at, text: text.into(), place, ends });
    }

    /// Puts one text before these bytes, and another after them.
    fn around(&mut self, place: usize, bytes: Range<usize>, before: impl Into<String>, behind: impl Into<String>) {
        self.edit(place, bytes.start..bytes.start, before, false);
        self.edit(place, bytes.end..bytes.end, behind, true);
    }

    fn body(&mut self, block: &Block, returned: &ReturnType) {
        let Some(first) = block.stmts.first() else { return };
        let mut mutants = self.take(Genre::FnValue, first.span().start());
        // Two values of an `impl Iterator` must have the same type, so the only possible replacement is the original
        // with none of its items.
        let nothing = matches!(returned, ReturnType::Type(_, of) if matches!(**of, Type::ImplTrait(_)));
        mutants.retain(|mutant| !nothing || mutant.replacement == "::std::iter::empty()");
        if mutants.is_empty() {
            return;
        }
        if nothing {
            let Some(Stmt::Expr(last, None)) = block.stmts.last() else { return };
            let place = self.place(&mutants);
            let behind = format!(").take(if {} {{ 0 }} else {{ usize::MAX }})", on(mutants[0]));
            return self.around(place, last.span().byte_range(), "(", behind);
        }
        let place = self.place(&mutants);
        let returns = |mutant: &&Mutant| format!(" if {} {{ return {}; }}", on(mutant), mutant.replacement);
        let text: String = mutants.iter().map(returns).collect();
        let brace = block.brace_token.span.open().byte_range().end;
        self.edit(place, brace..brace, text, false);
    }

    fn binary(&mut self, node: &ExprBinary) {
        let operator = node.op.span();
        // A mutant of `let … && …` compiles only on its own.
        let mutants = if has_let(node) { Vec::new() } else { self.take(Genre::BinaryOperator, operator.start()) };
        if mutants.is_empty() {
            return visit::visit_expr_binary(self, node);
        }
        let place = self.place(&mutants);
        let (whole, left, right) =
            (node.span().byte_range(), node.left.span().byte_range(), node.right.span().byte_range());
        let between = left.end..right.start;
        let original = &self.source[operator.byte_range()];
        // The result that each mutant gives for two operands, and without a mutant that of the original.
        let each = |left: &str, right: &str| {
            let one = |mutant: &&Mutant| format!("if {} {{ {left} {} {right} }} else ", on(mutant), mutant.replacement);
            let mutants: String = mutants.iter().map(one).collect();
            format!("{mutants}{{ {left} {original} {right} }}")
        };
        match node.op {
            BinOp::And(_) | BinOp::Or(_) if mutants.len() == 1 => {
                let call = on(mutants[0]);
                let same = if matches!(node.op, BinOp::And(_)) { "!=" } else { "==" };
                self.edit(place, whole.start..whole.start, "(match ", false);
                self.edit(place, between, format!(" {{ m_left => if m_left {same} {call} {{ "), false);
                self.edit(place, whole.end..whole.end, " } else { m_left } })", true);
            }
            BinOp::Eq(_) | BinOp::Ne(_) if mutants.len() == 1 => {
                self.around(place, whole, "((", format!(") != {})", on(mutants[0])));
            }
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                self.edit(place, whole.start..whole.start, "(match (&(", false);
                self.edit(place, between, "), &(", false);
                let choice = each("*m_left", "*m_right");
                self.edit(place, whole.end..whole.end, format!(")) {{ (m_left, m_right) => {choice} }})"), true);
            }
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_) => {
                self.edit(place, whole.start..whole.start, "(match (", false);
                self.edit(place, between, ", ", false);
                let choice = each("m_left", "m_right");
                self.edit(place, whole.end..whole.end, format!(") {{ (m_left, m_right) => {choice} }})"), true);
            }
            _ => {
                // The left side is repeated in every branch, so no mutants can be put into it.
                let choice = each(&self.source[left], "m_right");
                self.edit(place, whole.start..right.start, "{ let m_right = ", false);
                self.edit(place, whole.end..whole.end, format!("; {choice} }}"), true);
                return self.visit_expr(&node.right);
            }
        }
        visit::visit_expr_binary(self, node);
    }

    fn render(self) -> Schema {
        let Self { source, mut edits, places, .. } = self;
        edits.sort_by_key(|edit| {
            let place = if edit.ends { usize::MAX - edit.place } else { edit.place };
            (edit.at.start, !edit.ends, place)
        });
        let (mut text, mut upto) = (String::new(), 0);
        let mut ranges = vec![Range::<usize>::default(); places.len()];
        let mut pieces = Vec::new();
        for edit in edits {
            text += &source[upto..edit.at.start];
            let piece = text.len()..text.len() + edit.text.len();
            text += &edit.text;
            upto = edit.at.end;
            let range = &mut ranges[edit.place];
            *range = if range.start == range.end { piece.clone() } else { range.start..piece.end };
            pieces.push((piece, edit.place));
        }
        text += &source[upto..];
        Schema { text, pieces, places: ranges.into_iter().zip(places).collect() }
    }
}

/// Whether a pattern is matched in this chain of `&&`.
fn has_let(node: &ExprBinary) -> bool {
    let one = |side: &Expr| match side {
        Expr::Let(_) => true,
        Expr::Binary(side) => has_let(side),
        _ => false,
    };
    matches!(node.op, BinOp::And(_) | BinOp::Or(_)) && (one(&node.left) || one(&node.right))
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        self.body(&node.block, &node.sig.output);
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        self.body(&node.block, &node.sig.output);
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        if let Some(block) = &node.default {
            self.body(block, &node.sig.output);
        }
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        self.binary(node);
    }

    fn visit_expr_unary(&mut self, node: &'ast ExprUnary) {
        let mutants = self.take(Genre::UnaryOperator, node.op.span().start());
        if let [mutant] = mutants[..] {
            let place = self.place(&mutants);
            let operator = &self.source[node.op.span().byte_range()];
            let behind = format!(") {{ m_value => if {} {{ m_value }} else {{ {operator}m_value }} }})", on(mutant));
            let (whole, operand) = (node.span().byte_range(), node.expr.span().byte_range());
            self.edit(place, whole.start..operand.start, "(match (", false);
            self.edit(place, whole.end..whole.end, behind, true);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast ExprStruct) {
        for field in &node.fields {
            let mutants = self.take(Genre::StructField, field.span().start());
            let (Some(rest), [mutant]) = (&node.rest, &mutants[..]) else { continue };
            let (text, name) = (&self.source[rest.span().byte_range()], &self.source[field.member.span().byte_range()]);
            let rest = match text {
                "Default::default()" => format!("{}::default()", &self.source[node.path.span().byte_range()]),
                _ => text.to_owned(),
            };
            let place = self.place(&mutants);
            let (label, value) = (field.span().byte_range(), field.expr.span().byte_range());
            let before = format!("{name}: if {} {{ ({rest}).{name} }} else {{ ", on(mutant));
            self.edit(place, label.start..value.start, before, false);
            self.edit(place, value.end..value.end, " }", true);
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        let dropped = self.take(Genre::MatchArm, node.span().start());
        let guard = node.guard.as_ref().map(|(_, guard)| guard);
        let guarded = guard.map(|guard| self.take(Genre::MatchArmGuard, guard.span().start())).unwrap_or_default();
        let mutants = [dropped.clone(), guarded.clone()].concat();
        let plain = guard.is_none_or(|guard| !matches!(&**guard, Expr::Let(_)));
        if !mutants.is_empty() && plain {
            let place = self.place(&mutants);
            let dropped: Vec<String> = dropped.iter().map(|mutant| format!("!{}", on(mutant))).collect();
            if let Some(guard) = guard {
                let (mut never, mut always) = (String::new(), String::new());
                for mutant in guarded {
                    match mutant.replacement.as_str() {
                        "true" => always += &format!("{} || ", on(mutant)),
                        _ => never += &format!("!{} && ", on(mutant)),
                    }
                }
                let dropped: String = dropped.iter().map(|call| format!("{call} && ")).collect();
                let (before, behind) = (format!("{dropped}{never}({always}("), "))");
                self.around(place, guard.span().byte_range(), before, behind);
            } else {
                let end = node.pat.span().byte_range().end;
                self.edit(place, end..end, format!(" if {}", dropped.join(" && ")), true);
            }
        }
        visit::visit_arm(self, node);
    }
}
