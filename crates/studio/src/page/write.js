// Write: the files in an editor, with the results of `grognard check` as you type.

import { at, made, task, told } from "./parts.js";

/** The pause in typing after which the text is checked, in milliseconds. */
const PAUSE = 40;
/** How long the mouse must rest before a word is explained, in milliseconds. */
const REST = 250;
/** The height of a line and the width of a tab, as in the style sheet. */
const LINE = 20;
const TAB = 4;

let files = [];
/** The files being edited, by number: the text, the text on disk, its hash, and the messages about it. */
const open = new Map();
let current = null;
let checks = 0;
let waiting = null;

const text = () => at("text");
const isChanged = (file) => file.text !== file.saved;
const unsaved = () => [...open].filter(([, file]) => isChanged(file));

/** Lists the files, and opens one of them. */
async function openDesk(number) {
  if (files.length === 0) {
    const { json, faults } = await task({ do: "list" });
    if (faults) return refuse(faults);
    files = json.files;
  }
  const first = files.findIndex((file) => file.kept === null);
  await openFile(files[number] ? number : Math.max(0, first));
}

async function openFile(number) {
  if (!open.has(number)) {
    const { json, faults } = await task({ do: "open", file: number });
    if (faults) return refuse(faults);
    open.set(number, { text: json.text, saved: json.text, hash: json.hash, said: [] });
  }
  current = number;
  const file = open.get(number);
  const { name, kept } = files[number];
  text().value = file.text;
  text().readOnly = kept !== null;
  at("file-name").textContent = name;
  at("kept").textContent = kept ?? "";
  at("kept").hidden = kept === null;
  at("file-faults").replaceChildren();
  text().setSelectionRange(0, 0);
  text().scrollTop = 0;
  closeOffers();
  show();
  if (kept === null) check();
  explain();
}

function refuse(faults) {
  at("file-faults").replaceChildren(...told(faults));
}

function show() {
  const file = open.get(current);
  const focused = at("files").contains(document.activeElement);
  at("files").replaceChildren(...files.map(({ name, kept }, number) => {
    const changed = open.has(number) && isChanged(open.get(number));
    const words = `${name}${changed ? ", not saved" : ""}${kept ? ", cannot be changed" : ""}`;
    const button = made("button", { type: "button", onclick: () => choose(number), className: kept ? "kept" : "" }, `${name}${changed ? " ●" : ""}`);
    button.ariaLabel = words;
    if (number === current) button.setAttribute("aria-current", "true");
    return made("li", {}, button);
  }));
  if (focused) at("files").querySelector("[aria-current]").focus();
  at("save").disabled = !isChanged(file);
  at("reopen").disabled = unsaved().length > 0;
  showLines();
}

let choose = openFile;

/** Calls `then` when another file is chosen. */
function onChoice(then) {
  choose = then;
}

/** Shows the line numbers, and marks the lines that have messages. */
function showLines() {
  const { said } = open.get(current);
  const count = text().value.split("\n").length;
  const own = said.filter(({ file, line }) => file === current && line !== null);
  const worst = new Map();
  for (const { line, warning } of own) worst.set(line, worst.get(line) === "wrong" || !warning ? "wrong" : "odd");
  at("lines").replaceChildren(...Array.from({ length: count }, (_, at) => made("div", { className: worst.get(at + 1) ?? "" }, String(at + 1))));
  at("marks").replaceChildren(...[...worst].map(([line, kind]) => {
    const mark = made("div", { className: kind });
    mark.style.top = `${(line - 1) * LINE}px`;
    return mark;
  }));
  scroll();
}

function scroll() {
  at("lines").style.transform = `translateY(${-text().scrollTop}px)`;
  at("marks").style.transform = `translateY(${-text().scrollTop}px)`;
}

function showSaid() {
  const { said } = open.get(current);
  at("said").replaceChildren(...said.map((one) => {
    const place = one.line === null ? "" : `${one.file === current ? "" : `${one.name} `}line ${one.line}`;
    const words = [one.warning ? "Warning: " : "", place ? `${place}: ` : "", one.message];
    const more = [one.help, ...one.notes].filter(Boolean).flatMap((help) => [made("br"), made("span", { className: "of" }, help)]);
    const button = made("button", { type: "button", onclick: () => goTo(one) }, ...words, ...more);
    return made("li", { className: one.warning ? "odd" : "wrong" }, button);
  }));
  const wrong = said.filter(({ warning }) => !warning).length;
  const warnings = said.length - wrong;
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const none = files[current].kept === null ? "No problems found." : "";
  at("verdict").textContent = said.length === 0 ? none : [wrong && count(wrong, "error"), warnings && count(warnings, "warning")].filter(Boolean).join(", ") + ".";
  showLines();
}

async function goTo({ file, line, column }) {
  if (file === null) return;
  if (file !== current) await choose(file);
  const lines = text().value.split("\n");
  const before = lines.slice(0, (line ?? 1) - 1).reduce((length, own) => length + own.length + 1, 0);
  const place = before + [...(lines[(line ?? 1) - 1] ?? "")].slice(0, (column ?? 1) - 1).join("").length;
  text().focus();
  text().setSelectionRange(place, place);
  text().scrollTop = Math.max(0, ((line ?? 1) - 4) * LINE);
  explain();
}

/** Checks the text, together with the other unsaved files. */
async function check(started = performance.now()) {
  const nth = ++checks;
  const number = current;
  const others = unsaved().filter(([other]) => other !== number).map(([other, file]) => [other, file.text]);
  const { json, faults } = await task({ do: "check", texts: [...others, [number, open.get(number).text]] });
  if (nth !== checks || number !== current) return;
  if (faults) return refuse(faults);
  open.get(number).said = json.said;
  showSaid();
  document.documentElement.dataset.checked = `${nth} ${performance.now() - started}`;
}

function typed() {
  const file = open.get(current);
  file.text = text().value;
  at("file-status").textContent = "";
  show();
  closeOffers();
  clearTimeout(waiting);
  waiting = setTimeout(check, PAUSE, performance.now());
}

const assist = async (place) => (await task({ do: "assist", file: current, text: text().value, at: place })).json;

/** Explains the word at the caret. */
let explaining = 0;
async function explain() {
  const nth = ++explaining;
  const found = await assist(text().selectionStart);
  if (nth === explaining) at("about").replaceChildren(...meaning(found));
}

const meaning = (found) => (found?.path ? [made("b", {}, found.path), ...found.about.flatMap((about) => [" ", about])] : []);

/** The completions offered in the list box: the arrow keys select one, and Enter inserts it. */
let offers = null;

async function complete() {
  if (text().readOnly) return;
  const found = await assist(text().selectionStart);
  if (!found) return;
  offers = { ...found, chosen: 0 };
  const box = at("offers");
  box.replaceChildren(...found.offers.map(({ word, kind, about }, nth) => {
    const option = made("li", { id: `offer-${nth}`, onclick: () => take(nth) }, made("code", {}, word), kind ? ` ${kind}. ` : " ", about);
    option.setAttribute("role", "option");
    return option;
  }));
  box.hidden = found.offers.length === 0;
  at("file-status").textContent = found.offers.length === 0 ? "No completions here." : `${found.offers.length} completion${found.offers.length === 1 ? "" : "s"}. Arrow keys select, Enter inserts, Escape closes.`;
  if (found.offers.length === 0) offers = null;
  text().focus();
  choice();
}

function choice() {
  [...at("offers").children].forEach((option, nth) => option.setAttribute("aria-selected", String(nth === offers?.chosen)));
  if (!offers) return text().removeAttribute("aria-activedescendant");
  text().setAttribute("aria-activedescendant", `offer-${offers.chosen}`);
  at(`offer-${offers.chosen}`).scrollIntoView({ block: "nearest" });
}

function closeOffers() {
  offers = null;
  at("offers").hidden = true;
  at("offers").replaceChildren();
  text().removeAttribute("aria-activedescendant");
}

function take(nth) {
  const { word } = offers.offers[nth];
  text().focus();
  text().setSelectionRange(offers.start, offers.end);
  closeOffers();
  // This way, the browser's own undo includes the change.
  if (!document.execCommand("insertText", false, word)) {
    text().setRangeText(word, text().selectionStart, text().selectionEnd, "end");
    typed();
  }
  explain();
}

function pressed(event) {
  if (event.ctrlKey && event.code === "Space") {
    event.preventDefault();
    complete();
  } else if (offers && ["ArrowDown", "ArrowUp"].includes(event.key)) {
    event.preventDefault();
    const count = offers.offers.length;
    offers.chosen = (offers.chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    choice();
  } else if (offers && event.key === "Enter") {
    event.preventDefault();
    take(offers.chosen);
  } else if (offers && event.key === "Escape") {
    event.preventDefault();
    closeOffers();
  }
}

async function save() {
  const number = current;
  const file = open.get(number);
  if (!isChanged(file)) return;
  const written = file.text;
  const { json, faults } = await task({ do: "save", file: number, text: written, hash: file.hash });
  if (faults) return refuse(faults);
  Object.assign(file, { hash: json.hash, saved: written });
  at("file-faults").replaceChildren();
  at("file-status").textContent = `Saved ${files[number].name}. Ask still uses the files as they were when the studio opened them.`;
  show();
}

/** Makes the studio open the files as they are on disk, and reloads the page. */
async function reopen() {
  const opened = async () => (await (await fetch("opened")).json()).opened;
  try {
    const before = await opened();
    const { faults } = await task({ do: "reopen" });
    if (faults) return refuse(faults);
    at("file-status").textContent = "Reopening the files.";
    for (let tries = 0; tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if ((await opened().catch(() => before)) !== before) return reload();
    }
  } catch {
    // Reported below.
  }
  refuse([{ message: "The studio does not answer.", help: "Start `grognard studio` again and open the address that it prints." }]);
}

let reload = () => location.reload();

function onReopened(then) {
  reload = then;
}

/** Explains the word under the mouse, and shows what is wrong in its line. */
let resting = null;
function rest(event) {
  clearTimeout(resting);
  at("tip").hidden = true;
  const { clientX, clientY } = event;
  resting = setTimeout(() => tip(clientX, clientY), REST);
}

async function tip(x, y) {
  const box = text().getBoundingClientRect();
  const ruler = at("ruler").getBoundingClientRect().width / 100;
  const line = Math.floor((y - box.top + text().scrollTop) / LINE);
  const lines = text().value.split("\n");
  if (line < 0 || line >= lines.length) return;
  const wanted = (x - box.left - parseFloat(getComputedStyle(text()).paddingLeft) + text().scrollLeft) / ruler;
  let [column, place] = [0, 0];
  for (const letter of lines[line]) {
    column += letter === "\t" ? TAB - (column % TAB) : 1;
    if (column > wanted) break;
    place += letter.length;
  }
  const said = open.get(current).said.filter((one) => one.file === current && one.line === line + 1);
  const before = lines.slice(0, line).reduce((length, own) => length + own.length + 1, 0);
  const found = place < lines[line].length ? await assist(before + place) : null;
  const words = [...said.map(({ message }) => made("p", { className: "wrong" }, message)), ...(found?.path ? [made("p", {}, ...meaning(found))] : [])];
  at("tip").replaceChildren(...words);
  at("tip").hidden = words.length === 0;
  at("tip").style.top = `${(line + 1) * LINE - text().scrollTop}px`;
}

function buildDesk() {
  text().addEventListener("input", typed);
  text().addEventListener("scroll", scroll);
  text().addEventListener("keydown", pressed);
  text().addEventListener("keyup", ({ key }) => { if (/^(Arrow|Home|End|Page)/.test(key) && !offers) explain(); });
  text().addEventListener("click", () => { closeOffers(); explain(); });
  text().addEventListener("mousemove", rest);
  text().addEventListener("mouseleave", () => { clearTimeout(resting); at("tip").hidden = true; });
  at("save").addEventListener("click", save);
  at("complete").addEventListener("click", complete);
  at("reopen").addEventListener("click", reopen);
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || at("write").hidden) return;
    event.preventDefault();
    save();
  });
  addEventListener("beforeunload", (event) => { if (unsaved().length > 0) event.preventDefault(); });
}

export { buildDesk, onChoice, onReopened, openDesk };
