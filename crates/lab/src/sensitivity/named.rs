//! Numbers of the rules and of the deployment, by name.

use grognard_source::{Diagnostic, Diagnostics, Path};

use crate::study::{Number, Variants};

/// The numbers that a study may ask about.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// Numbers, or all numbers below these paths; if empty, all numbers of the packs, and those of the deployment that
    /// the study varies.
    pub paths: Vec<Path>,
}

impl Named {
    /// The numbers at these paths, and how many of them the study itself varies.
    ///
    /// # Errors
    /// The first path at which there is no number, with the paths that have one.
    pub fn numbers(&self, variants: &Variants<'_>) -> Result<(Vec<Number>, usize), Unnamed> {
        let (mut all, varied) = variants.of_packs();
        all.extend(variants.of_varied());
        if self.paths.is_empty() {
            return Ok((all, varied));
        }
        all.extend(variants.of_deployment());
        let below = |number: &Number, path: &Path| number.path.segments().starts_with(path.segments());
        for path in &self.paths {
            if !all.iter().any(|number| below(number, path)) {
                let known = all.iter().map(|number| number.path.clone()).collect();
                return Err(Unnamed { path: path.clone(), varied: variants.differs(path), known });
            }
        }
        let meant = all.into_iter().filter(|number| self.paths.iter().any(|path| below(number, path)));
        Ok((meant.collect(), 0))
    }
}

/// A path at which there is no number to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no number `{path}`")]
pub struct Unnamed {
    /// The path.
    pub path: Path,
    /// Whether the study itself varies it.
    pub varied: bool,
    /// The paths that have a number.
    pub known: Vec<Path>,
}

impl From<Unnamed> for Diagnostic {
    fn from(unnamed: Unnamed) -> Self {
        if unnamed.varied {
            let fault = Self::new(format!("the study varies `{}` itself", unnamed.path));
            return fault.help("its cells already show the effect; name another number");
        }
        let known: Vec<String> = unnamed.known.iter().map(Path::to_string).collect();
        Self::unknown("number", &unnamed.path.to_string(), known.iter().map(String::as_str))
    }
}

/// The single number that a text names: a path, or `PATH[2]`, the second number in the formula there.
///
/// # Errors
/// It names no number, several numbers, or one that the study varies.
pub fn number(variants: &Variants<'_>, text: &str) -> Result<Number, Diagnostics> {
    let wrong = || {
        let fault = Diagnostic::new(format!("`{text}` is not the name of a number"));
        Diagnostics::from(fault.help("write a path, or PATH[2] for the second number of a formula"))
    };
    let (path, nth) = match text.trim().strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((path, nth)) => (path, Some(nth.parse::<usize>().ok().filter(|&nth| nth > 0).ok_or_else(wrong)?)),
        None => (text.trim(), None),
    };
    let path = Path::parse(path).map_err(|_| wrong())?;
    if variants.differs(&path) {
        let fault = Diagnostic::new(format!("the study varies `{path}` itself"));
        return Err(fault.help(format!("give it one value first: --set {path}=VALUE")).into());
    }
    let (numbers, _) = Named { paths: vec![path.clone()] }.numbers(variants).map_err(Diagnostic::from)?;
    let own: Vec<&Number> = numbers.iter().filter(|number| number.path == path).collect();
    match (own.as_slice(), nth) {
        ([only], None | Some(1)) => Ok((*only).clone()),
        ([], _) => {
            let known: Vec<String> = numbers.iter().map(|number| number.path.to_string()).collect();
            Err(Diagnostic::unknown("number", &path.to_string(), known.iter().map(String::as_str)).into())
        }
        (several, nth) => {
            let meant = several.iter().find(|number| number.nth.is_some() && number.nth == nth.map(|nth| nth - 1));
            if let Some(number) = meant {
                return Ok((*number).clone());
            }
            let each = several
                .iter()
                .map(|number| format!("{} ({})", number.place(), number.within.as_deref().unwrap_or_default()));
            let each: Vec<String> = each.collect();
            let several =
                if several.len() == 1 { "is 1 number".to_owned() } else { format!("are {} numbers", several.len()) };
            let fault = Diagnostic::new(format!("there {several} in the formula at `{path}`"));
            Err(fault.help(format!("name one of them: {}", each.join(", "))).into())
        }
    }
}

/// The numbers that several texts name: paths with everything below them, and single numbers of formulas as `PATH[2]`.
#[derive(Clone, Debug, Default)]
pub struct Meant {
    whole: Vec<Path>,
    single: Vec<Number>,
}

impl Meant {
    /// Reads the texts. Without any, all numbers are included.
    ///
    /// # Errors
    /// A text is not a path, or does not name a number of a formula.
    pub fn of<T: AsRef<str>>(texts: &[T], variants: &Variants<'_>) -> Result<Self, Diagnostics> {
        let mut meant = Self::default();
        for text in texts.iter().map(AsRef::as_ref) {
            if text.trim_end().ends_with(']') {
                meant.single.push(number(variants, text)?);
                continue;
            }
            let wrong = |fault: Diagnostic| fault.help("write a path, or PATH[2] for the second number of a formula");
            meant.whole.push(Path::parse(text).map_err(|error| wrong(Diagnostic::new(error.to_string())))?);
        }
        Ok(meant)
    }

    /// All numbers at or below the paths that were named, including other numbers of the same formulas.
    #[must_use]
    pub fn named(&self) -> Named {
        Named { paths: self.whole.iter().chain(self.single.iter().map(|number| &number.path)).cloned().collect() }
    }

    /// Whether a number is among them.
    #[must_use]
    pub fn means(&self, number: &Number) -> bool {
        let below = |path: &Path| number.path.segments().starts_with(path.segments());
        let all = self.whole.is_empty() && self.single.is_empty();
        all || self.whole.iter().any(below) || self.single.contains(number)
    }

    /// Whether a search for a change may change a number: one of those named, or, if none is, one that the pack does
    /// not mark as `fixed`. No search changes a number that the study varies.
    #[must_use]
    pub fn may_change(&self, number: &Number, variants: &Variants<'_>) -> bool {
        let named = !(self.whole.is_empty() && self.single.is_empty());
        !number.varied && self.means(number) && (named || !variants.is_fixed(number))
    }
}
