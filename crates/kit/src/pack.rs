//! Packs.

use std::path::Path;
use std::sync::Arc;

use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Diagnostics, Document, Sources, Value};

use crate::Error;

/// A rule pack, read and compiled.
///
/// ```
/// use grognard_kit::Pack;
///
/// let pack = Pack::load("napoleonic-figures")?;
/// let square = "roll.shock.modifier.square-against-cavalry.add";
/// assert!(pack.numbers().iter().any(|(path, _)| path == square));
/// assert!(Pack::load("napoleonic-figurs").unwrap_err().to_string().contains("did you mean `napoleonic-figures`?"));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pack {
    pub(crate) inner: Arc<Inner>,
}

/// The source of a pack.
#[derive(Debug)]
enum Origin {
    Name(String),
    Files(Vec<(String, String)>),
}

impl Origin {
    fn read(&self, sources: &mut Sources) -> Result<library::Pack, Diagnostics> {
        match self {
            Self::Name(name) => library::load(name, None, sources),
            Self::Files(files) => library::from_files(files.iter().cloned(), sources),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Inner {
    origin: Origin,
    pub(crate) pack: library::Pack,
    /// The texts in which its values are located.
    pub(crate) sources: Sources,
    rules: Rules,
}

impl Pack {
    /// Reads a pack: a built-in one by its name (`grognard packs` lists them), or any other by the path of its folder.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Pack::load("risk")?.name(), "risk");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: there is no pack with that name, or it has errors, all of which are listed.
    pub fn load(name: impl AsRef<Path>) -> Result<Self, Error> {
        Self::of(Origin::Name(name.as_ref().to_string_lossy().into_owned()))
    }

    /// The names of the built-in packs.
    ///
    /// ```
    /// assert!(grognard_kit::Pack::built_in().contains(&"risk"));
    /// ```
    #[must_use]
    pub fn built_in() -> Vec<&'static str> {
        library::PACKS.iter().map(|pack| pack.name).collect()
    }

    /// A pack from texts in memory, each with the name of its file; one of them is `pack.toml`. If it extends another
    /// pack, it gives the name of a built-in one or the path of a folder.
    ///
    /// ```
    /// use grognard_kit::{Pack, Side, Study};
    ///
    /// let variant = r#"
    ///     pack = "softer-squares"
    ///     extends = "napoleonic-figures"
    ///     [[roll.shock.modifier]]
    ///     id = "square-against-cavalry"
    ///     add = 3
    /// "#;
    /// let pack = Pack::from_files([("pack.toml", variant)])?;
    /// let study = Study::load("square-vs-line")?.with_pack(pack);
    /// let answer = study.fight().runs(1_000).run()?;
    /// assert_eq!(answer.pack(), "softer-squares");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: there is no `pack.toml`, or the texts have errors, all of which are listed with line and
    /// column.
    pub fn from_files<N: Into<String>, T: Into<String>>(
        files: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Self, Error> {
        let files = files.into_iter().map(|(name, text)| (name.into(), text.into()));
        Self::of(Origin::Files(files.collect()))
    }

    fn of(origin: Origin) -> Result<Self, Error> {
        let mut sources = Sources::new();
        let read = origin.read(&mut sources).and_then(|pack| Ok((pack.compile(&sources)?, pack)));
        let (rules, pack) = read.map_err(|faults| Error::faults(&faults, &sources))?;
        Ok(Self { inner: Arc::new(Inner { origin, pack, sources, rules }) })
    }

    /// Loads the pack again, and adds its texts to these sources.
    pub(crate) fn read_into(&self, sources: &mut Sources) -> Result<library::Pack, Diagnostics> {
        self.inner.origin.read(sources)
    }

    /// Its name, as studies use it. The name of a pack in memory is in its `pack.toml`.
    ///
    /// ```
    /// # let pack = grognard_kit::Pack::load("risk")?;
    /// assert_eq!(pack.name(), "risk");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.pack.name
    }

    /// Its title.
    ///
    /// ```
    /// assert!(!grognard_kit::Pack::load("risk")?.title().is_empty());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn title(&self) -> &str {
        &self.inner.rules.title
    }

    /// Its version.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Pack::load("risk")?.version().split('.').count(), 3);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn version(&self) -> &str {
        &self.inner.rules.version
    }

    /// Its files and those of the packs that it extends: names and texts.
    ///
    /// ```
    /// let pack = grognard_kit::Pack::load("risk")?;
    /// assert!(pack.files().any(|(name, text)| name.ends_with("pack.toml") && text.contains("risk")));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.inner.pack.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Every number of the pack with the path by which it can be set and varied.
    ///
    /// ```
    /// let numbers = grognard_kit::Pack::load("risk")?.numbers();
    /// assert!(numbers.contains(&("victory.broken".to_owned(), 100.0)));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn numbers(&self) -> Vec<(String, f64)> {
        let number = |value: &Value| match value {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        let numbers = self.document().numbers().into_iter();
        numbers.filter_map(|(path, node)| Some((path.to_string(), number(&node.value)?))).collect()
    }

    /// The merged document of its files and everything that it extends.
    ///
    /// ```
    /// assert!(grognard_kit::Pack::load("risk")?.document().root.get("roll").is_some());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.inner.pack.document
    }

    /// The compiled tables that the engine uses.
    ///
    /// ```
    /// assert!(!grognard_kit::Pack::load("risk")?.rules().phases.is_empty());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}
