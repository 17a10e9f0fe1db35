//! The engine of an exported studio page.
//!
//! The page's worker shares memory with it: the worker asks for [`room`], writes a message there, calls a function and
//! reads the answer at [`said`]. The messages are those of the studio's server: [`grognard_studio::Ask`] and lines of
//! the answer. `recipes/module/build` compiles this crate for WebAssembly. On other targets nothing is exported, and
//! the functions are used by tests only.
//!
//! ```
//! // A question is refused before a study is open, and the answer says why.
//! assert_eq!(grognard_module::ask(), 0);
//! assert!(grognard_module::said_bytes() > 0);
//! ```

use std::cell::{Cell, RefCell};

use grognard_source::Sources;
use grognard_studio::{Answering, Ask, Fault, Package, Studio};

/// The open study and the answer in progress.
#[derive(Default)]
struct Module {
    room: Vec<u8>,
    said: Vec<u8>,
    studio: Option<Studio<'static>>,
    answering: Option<Answering>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Makes room for a message of this many bytes, and returns its address.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "room"))]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.room = vec![0; bytes];
        module.room.as_mut_ptr()
    })
}

/// The address of the last answer.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "said"))]
pub extern "C" fn said() -> *const u8 {
    MODULE.with_borrow(|module| module.said.as_ptr())
}

/// The length of the last answer, in bytes.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "said_bytes"))]
pub extern "C" fn said_bytes() -> usize {
    MODULE.with_borrow(|module| module.said.len())
}

/// Opens the study of a [`Package`]. Returns 1 and answers with its sheet, or 0 and the faults.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "open"))]
pub extern "C" fn open() -> u32 {
    MODULE.with_borrow_mut(|module| {
        let opened = Package::read(&module.room).and_then(|package| {
            // A page has one study while it is open.
            let sources = Box::leak(Box::new(Sources::new()));
            package.open(sources)
        });
        let opened = opened.map(|studio| {
            let sheet = studio.sheet().json().to_owned();
            module.studio = Some(studio);
            sheet
        });
        module.say(opened)
    })
}

/// Begins to answer an [`Ask`]. Returns 1, and [`look`] continues; or 0 and answers with the faults.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "ask"))]
pub extern "C" fn ask() -> u32 {
    MODULE.with_borrow_mut(|module| {
        let begun = module.asked().and_then(|(studio, ask)| studio.begin(&ask));
        let begun = begun.map(|answering| {
            module.answering = Some(answering);
            String::new()
        });
        module.say(begun)
    })
}

/// Answers with the next line of battles. Returns 0 if there is none: then [`solve`] continues.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "look"))]
pub extern "C" fn look() -> u32 {
    MODULE.with_borrow_mut(|module| module.line(|studio, answering| studio.next(answering, &|| true)))
}

/// Answers with the next line of odds, for cells whose odds are computed exactly. Returns 0 if there is none.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "solve"))]
pub extern "C" fn solve() -> u32 {
    MODULE.with_borrow_mut(|module| {
        let line = module.line(|studio, answering| studio.solve(answering, &|| true));
        if line == 0 {
            module.answering = None;
        }
        line
    })
}

/// Draws a battle of a cell with the changes of an [`Ask`]. Returns 1 and answers with a page, or 0 and the faults.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "battle"))]
pub extern "C" fn battle(cell: u32, battle: u32) -> u32 {
    MODULE.with_borrow_mut(|module| {
        let drawn = module.asked().and_then(|(studio, ask)| studio.battle(&ask, cell as usize, u64::from(battle)));
        module.say(drawn)
    })
}

/// Finds the noteworthy battles of a cell with the changes of an [`Ask`]. Returns 1 and answers with their numbers, or 0 and the faults.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "odd"))]
pub extern "C" fn odd(cell: u32) -> u32 {
    MODULE.with_borrow_mut(|module| {
        let found = module.asked().and_then(|(studio, ask)| studio.odd(&ask, cell as usize));
        module.say(found)
    })
}

/// How often the solver of a battle may ask whether its answer is still wanted, which takes a few seconds at most.
const PATIENCE: u32 = 2_000;

/// Judges a battle of a cell with the changes of an [`Ask`]. Returns 1 and answers with the judgement, or 0 and the faults.
#[cfg_attr(target_family = "wasm", unsafe(export_name = "judge"))]
pub extern "C" fn judge(cell: u32, battle: u32) -> u32 {
    MODULE.with_borrow_mut(|module| {
        // A module has no clock.
        let asked = Cell::new(0);
        let solves = || asked.replace(asked.get() + 1) < PATIENCE;
        let (cell, battle) = (cell as usize, u64::from(battle));
        let judged = module.asked().and_then(|(studio, ask)| studio.judge(&ask, cell, battle, &solves, &|| true));
        module.say(judged)
    })
}

impl Module {
    fn asked(&self) -> Result<(&Studio<'static>, Ask), Fault> {
        let studio = self.studio.as_ref().ok_or_else(|| Fault::new("no study is open"))?;
        Ok((studio, Ask::read(&self.room)?))
    }

    /// Answers with a line of the answer in progress, if there is one.
    fn line(&mut self, next: impl FnOnce(&Studio<'static>, &mut Answering) -> Option<String>) -> u32 {
        let line =
            self.studio.as_ref().zip(self.answering.as_mut()).and_then(|(studio, answering)| next(studio, answering));
        let has_one = line.is_some();
        self.said = line.unwrap_or_default().into_bytes();
        u32::from(has_one)
    }

    fn say(&mut self, result: Result<String, Fault>) -> u32 {
        let is_good = result.is_ok();
        self.said = result.unwrap_or_else(|fault| fault.json()).into_bytes();
        u32::from(is_good)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use grognard_source::Sources;
    use grognard_studio::{Package, Studio};

    use super::*;

    /// Writes a message as a page does, and calls a function.
    fn call(message: &str, function: impl Fn() -> u32) -> (u32, String) {
        MODULE.with_borrow_mut(|module| module.room = message.as_bytes().to_vec());
        let good = function();
        (good, MODULE.with_borrow(|module| String::from_utf8(module.said.clone()).expect("text")))
    }

    /// The module answers a page's requests as the studio itself does.
    #[test]
    fn a_page_is_answered_as_by_the_studio() {
        assert_eq!(call("{}", || ask()).0, 0, "nothing is open yet");
        assert!(call("{}", || open()).1.contains("not the study of an exported page"));
        let mut sources = Sources::new();
        let study =
            grognard_lab::library::load(Path::new("risk-dice"), &Default::default(), &mut sources).expect("built in");
        let studio = Studio::open(&study, &mut sources, 1, Default::default(), 256, "risk-dice").expect("it opens");
        let package = Package::of(&studio, &study, "risk-dice").expect("it can be asked");
        let (good, sheet) = call(&package.json(), || open());
        assert_eq!((good, sheet.as_str()), (1, studio.sheet().json()));
        let asked = r#"{ "changes": { "victory.broken": 50000 } }"#;
        assert_eq!(call(asked, || ask()), (1, String::new()));
        let mut lines = Vec::new();
        studio
            .answer(&Ask::read(asked.as_bytes()).expect("a question"), &|| true, &|| true, &mut |line| lines.push(line))
            .expect("it is answered");
        let (fought, solved) = lines.split_at(4);
        assert!(!solved.is_empty(), "32, 64, 128 and 256 battles, and odds");
        for line in fought {
            assert_eq!(call("", || look()), (1, line.clone()));
        }
        assert_eq!(call("", || look()).0, 0);
        // The number of cells solved at a time depends on the number of threads; the results of all cells together do
        // not.
        let lines: Vec<String> =
            std::iter::from_fn(|| Some(call("", || solve())).filter(|told| told.0 == 1)).map(|told| told.1).collect();
        assert_eq!(lines.last(), solved.last());
        let (good, drawn) = call(asked, || battle(0, 5));
        assert!(good == 1 && drawn.contains("<svg"), "{drawn}");
        assert_eq!(call(asked, || battle(10_000, 0)).0, 0);
        let own = studio.odd(&Ask::read(asked.as_bytes()).expect("a question"), 0).expect("there is a cell");
        assert_eq!(call(asked, || odd(0)), (1, own));
        assert_eq!(call(asked, || odd(10_000)).0, 0);
        let asks = Ask::read(asked.as_bytes()).expect("a question");
        let own = studio.judge(&asks, 0, 5, &|| true, &|| true).expect("there is a battle");
        assert_eq!(call(asked, || judge(0, 5)), (1, own));
        assert_eq!(call(asked, || judge(10_000, 5)).0, 0);
        let (good, fault) = call(r#"{ "off": ["nothing"] }"#, || ask());
        assert!(good == 0 && fault.contains("no rule `nothing`"), "{fault}");
        let other = package.json().replacen("seed = ", "seed = 9", 1);
        let (good, fault) = call(&other, || open());
        assert!(good == 0 && fault.contains("does not reproduce the battles"), "{fault}");
    }
}
