// The page of the studio: controls become a question, and the lines of its answer become a table.

import { answers, oddBattles, openSheet, showDrawn } from "./carrier.js";
import { clearJudged, showJudged } from "./judged.js";
import { at, drawn, gone, made, task, told } from "./parts.js";
import { buildPublish } from "./publish.js";
import { buildDesk, onChoice, onReopened, openDesk } from "./write.js";

/** Thousandths as a printed number. */
const written = (thousandths) => String(thousandths / 1000).replace("-", "−");

let sheet;
/** The changes. They are stored in the address, so that links contain them and the browser's history can undo them. */
let state;
const numbers = new Map();
const rules = new Map();
const rows = [];
let asking = null;
let sent = 0;

const VIEWS = ["ask", "write", "publish"];
const nothing = () => ({ changes: new Map(), off: new Set(), metric: "", hidden: new Set(), only: false, view: "ask", file: null, cell: null, battle: 0 });

function ofAddress() {
  const read = nothing();
  const words = new URLSearchParams(location.hash.slice(1));
  for (const word of words.getAll("n")) {
    const cut = word.lastIndexOf("=");
    const [key, value] = [word.slice(0, cut), Math.round(Number(word.slice(cut + 1)) * 1000)];
    if (numbers.has(key) && Number.isFinite(value) && value !== numbers.get(key).value) read.changes.set(key, value);
  }
  for (const key of words.getAll("off")) if (rules.has(key)) read.off.add(key);
  if (sheet.metrics.some((metric) => metric.name === words.get("metric"))) read.metric = words.get("metric");
  read.only = words.has("only");
  if (VIEWS.includes(words.get("view")) && !("alone" in document.documentElement.dataset)) read.view = words.get("view");
  if (/^\d+$/.test(words.get("cell")) && sheet.cells[words.get("cell")]) read.cell = Number(words.get("cell"));
  if (/^\d+$/.test(words.get("battle"))) read.battle = Number(words.get("battle"));
  if (/^\d+$/.test(words.get("file"))) read.file = Number(words.get("file"));
  for (const word of words.getAll("hide")) if (/^\d+\.\d+$/.test(word)) read.hidden.add(word);
  return read;
}

/** The requests in the address that this page cannot fulfil. */
function notFollowed() {
  const words = new URLSearchParams(location.hash.slice(1));
  const faults = [];
  const seed = words.get("seed");
  if (seed !== null && Number(seed) !== sheet.seed) {
    faults.push({ message: `The link is to battles with seed ${seed}, but these have seed ${sheet.seed}.`, help: `Start the studio with --seed ${seed} to see the same battles.` });
  }
  const keys = words.getAll("n").map((word) => word.slice(0, word.lastIndexOf("=")));
  const unused = [...keys.filter((key) => !numbers.has(key)), ...words.getAll("off").filter((key) => !rules.has(key))];
  for (const key of unused) {
    faults.push({ message: `The link changes ${key}, which the first ${sheet.looked} battles of each cell do not use.`, help: "The page lists what they use. Other players may use more: start the studio with --set SIDE.doctrine=NAME." });
  }
  return faults;
}

function toAddress() {
  const words = new URLSearchParams();
  for (const [key, value] of state.changes) words.append("n", `${key}=${value / 1000}`);
  for (const key of state.off) words.append("off", key);
  if (state.metric) words.append("metric", state.metric);
  if (state.only) words.append("only", "1");
  for (const word of state.hidden) words.append("hide", word);
  if (state.view !== "ask") words.append("view", state.view);
  if (state.file !== null) words.append("file", state.file);
  if (state.cell !== null) words.append("cell", state.cell);
  if (state.cell !== null) words.append("battle", state.battle);
  return `#${words}`;
}

const depth = () => history.state?.depth ?? 0;
let deepest = 0;

/** Makes a change in a single step that can be undone. */
function change(make) {
  make(state);
  deepest = depth() + 1;
  history.pushState({ depth: deepest }, "", toAddress());
  show();
}

/** Goes to a view or a file; this is also a step in the browser's history. */
function visit(place) {
  Object.assign(state, place);
  deepest = depth() + 1;
  history.pushState({ depth: deepest }, "", toAddress());
  at("undo").disabled = false;
  at("redo").disabled = true;
  return showView();
}

function shownCells() {
  const hidden = (cell) => cell.values.some((value, axis) => state.hidden.has(`${axis}.${value}`));
  return sheet.cells.map((cell, place) => [cell, place]).filter(([cell]) => !hidden(cell)).map(([, place]) => place);
}

const question = (cells) => ({
  changes: Object.fromEntries(state.changes),
  off: [...state.off],
  cells,
  metric: state.metric || sheet.metrics[0].name,
});

/** Shows the view that the address names. */
async function showView() {
  for (const view of VIEWS) at(view).hidden = view !== state.view;
  for (const button of document.querySelectorAll("[data-view]")) {
    if (button.dataset.view === state.view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  const changes = state.changes.size + state.off.size;
  at("publish-what").textContent = `A report on the study ${changes === 0 ? "as it is" : `with ${changes === 1 ? "one change" : `${changes} changes`}`}, as \`grognard run\` writes it.`;
  at("published-link").value = link();
  if (state.view === "write") await openDesk(state.file);
}

/** The page's address with the seed, so that it shows the same battles when opened elsewhere. */
function link() {
  const [page, words] = location.href.split("#");
  const all = new URLSearchParams(words);
  all.delete("view");
  all.delete("file");
  all.set("seed", sheet.seed);
  return `${page}#${all}`;
}

async function copyLink(status) {
  try {
    await navigator.clipboard.writeText(link());
    status.textContent = `The link is copied. It opens on this computer${"alone" in document.documentElement.dataset ? "." : " while the studio runs."}`;
  } catch {
    status.textContent = "Copy the link from the address bar.";
  }
}

/** Shows the state in the controls, and asks the question. */
function show() {
  showView();
  for (const [key, number] of numbers) {
    const value = state.changes.get(key) ?? number.value;
    if (document.activeElement !== number.input || Number(number.input.value) * 1000 !== value) number.input.value = value / 1000;
    if (document.activeElement !== number.slider || Number(number.slider.value) * 1000 !== value) number.slider.value = value / 1000;
    number.row.classList.toggle("changed", state.changes.has(key));
  }
  for (const [key, rule] of rules) {
    rule.input.checked = !state.off.has(key);
    rule.row.classList.toggle("changed", state.off.has(key));
  }
  at("only").checked = state.only;
  at("metric").value = state.metric || sheet.metrics[0].name;
  for (const box of at("axes").querySelectorAll("input")) box.checked = !state.hidden.has(box.value);
  at("undo").disabled = depth() === 0;
  at("redo").disabled = depth() >= deepest;
  at("reset").disabled = !isChanged();
  tellChanges();
  ask();
}

function tellChanges() {
  const back = (name, undo) => made("button", { type: "button", ariaLabel: `Put back ${name}`, onclick: () => change(undo) }, "Put back");
  const items = [];
  for (const [key, value] of state.changes) {
    const text = `${key}: ${written(numbers.get(key).value)} → ${written(value)} `;
    items.push(made("li", {}, text, back(key, (state) => state.changes.delete(key))));
  }
  for (const key of state.off) {
    items.push(made("li", {}, `${key}: off `, back(key, (state) => state.off.delete(key))));
  }
  at("changed").replaceChildren(...items);
  at("unchanged").hidden = items.length > 0;
  at("command").hidden = true;
  at("variant").hidden = items.length === 0;
  at("variant-faults").replaceChildren();
}

async function saveVariant(event) {
  event.preventDefault();
  at("variant-saved").replaceChildren();
  const { json, faults } = await task({ do: "variant", ask: question([]), name: at("variant-name").value.trim() });
  at("variant-faults").replaceChildren(...told(faults ?? []));
  if (!json) return;
  const words = made("p", {}, `Saved in ${json.folder}: ${json.files.join(", ")}. It fights the same battles:`);
  at("variant-saved").replaceChildren(words, made("pre", {}, json.command));
}

/** Shows the command that fights the same changes, if every one of them can be written with --set. */
function tellCommand(set) {
  const whole = set.length > 0 && state.off.size === 0 && set.every((text) => text !== "");
  const quoted = set.map((text) => `--set '${text.replaceAll("'", "'\\''")}'`);
  at("command").textContent = `grognard compare ${sheet.words} ${quoted.join(" ")}`;
  at("command").hidden = !whole;
}

/** Asks the question, and shows each line of the answer as it comes. A newer question cancels the previous one. */
async function ask() {
  asking?.abort();
  const own = (asking = new AbortController());
  const nth = ++sent;
  const cells = shownCells();
  rows.forEach((row, place) => {
    row.asked = cells.includes(place);
    hide(row);
  });
  at("faults").replaceChildren(...told(notFollowed()));
  if (cells.length === 0) {
    at("status").textContent = "No cells are shown.";
    return;
  }
  at("status").textContent = "Fighting battles …";
  const started = performance.now();
  try {
    let last = null;
    for await (const line of answers(question(cells), own.signal)) {
      if (nth !== sent) return;
      tell(line);
      if (last === null) document.documentElement.dataset.answered = `${nth} ${performance.now() - started}`;
      last = line;
    }
    if (nth === sent && last) at("status").textContent = `${last.battles.toLocaleString("en")} battles of each cell${exactly(last)}.`;
  } catch (error) {
    if (error.name === "AbortError" || nth !== sent) return;
    refused(error.faults ? error : gone);
  }
}

/** How many cells are computed exactly, in words. */
function exactly({ cells }) {
  const exact = cells.filter((cell) => cell.exact).length;
  return exact === 0 ? "" : `; ${exact === cells.length ? "all" : exact} computed exactly`;
}

const isChanged = () => state.changes.size + state.off.size > 0;

/** Hides a row if its cell is not asked about, or if only changed cells are wanted and it has not changed. */
function hide(row) {
  row.line.hidden = !row.asked || (state.only && isChanged() && row.same);
}

function refused({ faults }) {
  at("faults").replaceChildren(...told(faults));
  at("status").textContent = "The table still shows the previous change.";
}

const isShare = () => sheet.metrics.find((metric) => metric.name === (state.metric || sheet.metrics[0].name)).share;

/** A number with as many decimals as its interval supports. */
function number(value, width, sign) {
  const decimals = Math.max(0, Math.min(3, Math.ceil(-Math.log10(Math.max(width, 1e-9)))));
  const text = Math.abs(value).toFixed(decimals);
  const none = Number(text) === 0;
  return (none ? "" : value < 0 ? "−" : sign ? "+" : "") + text;
}

/** The point and the limits of an interval, in per cent if it is that of a share. */
function figures(interval, sign, exact) {
  const by = isShare() ? 100 : 1;
  const width = exact ? EXACT : (by * (interval[2] - interval[1])) / 2;
  return interval.map((value) => number(by * value, width, sign));
}

/** Exact numbers have two decimals. */
const EXACT = 0.01;

/** A number with its interval; exact odds have none. */
function estimate([point, low, high], between, exact, unit) {
  return exact ? [`${point}${unit}`] : [`${point}${unit}`, made("span", { className: "of" }, ` (${low}${between}${high})`)];
}

function tell(line) {
  const share = isShare();
  const top = share ? 1 : Math.max(1e-9, ...line.cells.flatMap((cell) => [cell.was[2], cell.now[2]]));
  for (const { cell, was, now, change, exact } of line.cells) {
    const row = rows[cell];
    const same = !isChanged();
    const sure = change[1] > 0 || change[2] < 0;
    row.same = change[0] === 0 && was.every((end, nth) => end === now[nth]);
    row.line.classList.toggle("same", row.same && !same);
    hide(row);
    row.change.className = sure ? `sure ${change[0] > 0 ? "up" : "down"}` : "";
    row.change.replaceChildren(...(same ? ["–"] : estimate(figures(change, true, exact), " to ", exact, "")));
    for (const [place, value] of [[row.now, now], [row.was, was]]) {
      place.replaceChildren(...estimate(figures(value, false, exact), "–", exact, share ? " %" : ""));
    }
    const x = (value) => (100 * value) / top;
    const set = (element, given) => Object.entries(given).forEach(([key, value]) => element.setAttribute(key, value));
    set(row.before, { x1: x(was[0]), x2: x(was[0]) });
    set(row.interval, { x: x(now[1]), width: Math.max(0.3, x(now[2]) - x(now[1])) });
    set(row.point, { x1: x(now[0]), x2: x(now[0]) });
  }
  at("promise").textContent = `${share ? "Per cent of battles, changes in percentage points. " : ""}${line.promise}`;
  tellCommand(line.set);
}

/** The changes before a slider began to move; null if none is moving. */
let held = null;

/** Shows the answer for the current position of a slider, which is not a change yet. */
function slide({ key, value: own }, value) {
  held ??= new Map(state.changes);
  if (value === own) state.changes.delete(key);
  else state.changes.set(key, value);
  show();
}

/** Turns the position at which a slider was released into a change. */
function slid({ key, value: own }) {
  if (held === null) return;
  const value = state.changes.get(key) ?? own;
  const before = held.get(key) ?? own;
  state.changes = held;
  held = null;
  if (value === before) show();
  else change((state) => (value === own ? state.changes.delete(key) : state.changes.set(key, value)));
}

function numberRow(given) {
  const id = `number-${numbers.size}`;
  const set = (value) => change((state) => {
    if (value === given.value) state.changes.delete(given.key);
    else state.changes.set(given.key, value);
  });
  const now = () => state.changes.get(given.key) ?? given.value;
  const input = made("input", { id, type: "number", step: given.pip / 1000, value: given.value / 1000 });
  input.addEventListener("change", () => {
    const value = Math.round(Number(input.value) * 1000);
    if (input.value === "" || !Number.isFinite(value)) input.value = now() / 1000;
    else if (value !== now()) set(value);
  });
  // Ten steps either way, keeping the sign of the pack's own value. The answer follows while the slider moves; releasing it is one change.
  const side = 10 * given.pip;
  const slider = made("input", {
    type: "range", ariaLabel: `Slide: ${given.name}`, step: given.pip / 1000,
    min: (given.value >= 0 ? Math.max(0, given.value - side) : given.value - side) / 1000,
    max: (given.value > 0 ? given.value + side : given.value < 0 ? Math.min(0, given.value + side) : side) / 1000,
    value: given.value / 1000,
  });
  slider.addEventListener("input", () => slide(given, Math.round(Number(slider.value) * 1000)));
  slider.addEventListener("change", () => slid(given));
  const step = (pips, sign) => made("button", { type: "button", ariaLabel: `${pips < 0 ? "Less" : "More"}: ${given.name}`, onclick: () => set(now() + pips * given.pip) }, sign);
  const words = given.varied ? `${given.name} (every cell’s own value moves by the same amount)` : given.name;
  const row = made("div", { className: "number", title: given.key }, made("label", { htmlFor: id }, words), slider, step(-1, "−"), input, step(1, "+"));
  numbers.set(given.key, { ...given, input, slider, row });
  return row;
}

function ruleRow(given) {
  const id = `rule-${rules.size}`;
  const input = made("input", { id, type: "checkbox", checked: true });
  input.addEventListener("change", () => change((state) => {
    if (input.checked) state.off.delete(given.key);
    else state.off.add(given.key);
  }));
  const row = made("div", { className: "rule" }, input, made("label", { htmlFor: id }, given.name));
  rules.set(given.key, { ...given, input, row });
  return row;
}

function cellRow(cell, place) {
  const chart = drawn("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  const row = {
    change: made("td"), now: made("td"), was: made("td"),
    interval: drawn("rect", { class: "interval", y: 2, height: 6, x: 0, width: 0 }),
    before: drawn("line", { class: "before", y1: 0, y2: 10 }),
    point: drawn("line", { class: "point", y1: 2, y2: 8 }),
  };
  chart.append(drawn("line", { class: "axis", x1: 0, x2: 100, y1: 5, y2: 5, "vector-effect": "non-scaling-stroke" }), row.interval, row.before, row.point);
  const watch = made("button", { type: "button", ariaLabel: `Watch a battle: ${cell.label}`, onclick: () => openBattle(place) }, "Watch");
  row.line = made("tr", {}, made("th", { scope: "row" }, cell.label || `cell ${place}`), row.change, row.now, row.was, made("td", { className: "chart" }, chart), made("td", {}, watch));
  rows.push(row);
  return row.line;
}

let watched = 0;

function openBattle(cell) {
  watched = cell;
  at("watch-title").textContent = sheet.cells[cell].label || "A battle";
  showBattle();
  at("watch").showModal();
}

/** Shows a noteworthy battle of the cell, if there is one. */
async function showOdd(oddity) {
  at("odd").textContent = "Searching …";
  try {
    const { among, battles } = await oddBattles(question([]), watched);
    const found = oddity in battles;
    if (found) {
      at("battle").value = battles[oddity];
      showBattle();
    }
    at("odd").textContent = `${found ? "Among" : "None among"} the first ${among.toLocaleString("en")} battles.`;
  } catch (error) {
    at("odd").replaceChildren(...told((error.faults ? error : gone).faults));
  }
}

function showBattle() {
  at("odd").textContent = "";
  const battle = Math.max(0, Math.floor(Number(at("battle").value) || 0));
  at("battle").value = battle;
  Object.assign(state, { cell: watched, battle });
  history.replaceState(history.state, "", toAddress());
  clearJudged();
  showDrawn(at("frame"), question([]), watched, battle);
}

/** Judges the choices of the battle that is shown; a turn's button shows that turn in the drawing. */
function judge() {
  const go = (turn) => at("frame").contentWindow.postMessage({ turn }, "*");
  showJudged(question([]), state.cell, state.battle, go);
}

function build() {
  document.title = `${sheet.title}: Grognard studio`;
  at("title").textContent = sheet.title;
  at("question").textContent = sheet.question;
  at("source").textContent = `${sheet.packs}, seed ${sheet.seed}`;
  at("metric").append(...sheet.metrics.map(({ name, title }) => made("option", { value: name }, title)));
  for (const [axis, { name, values }] of sheet.axes.entries()) {
    const boxes = values.map((value, nth) => made("label", {}, made("input", { type: "checkbox", checked: true, value: `${axis}.${nth}` }), " ", value));
    at("axes").append(made("fieldset", {}, made("legend", {}, name), ...boxes));
  }
  at("axes").addEventListener("change", ({ target }) => change((state) => {
    if (target.checked) state.hidden.delete(target.value);
    else state.hidden.add(target.value);
  }));
  for (const group of sheet.groups) {
    const count = made("span", { className: "count" }, ` ${group.numbers.length + group.rules.length}`);
    const box = made("details", {}, made("summary", {}, group.name, count));
    if (group.text) box.append(made("p", {}, group.text));
    box.append(...group.numbers.map(numberRow), ...group.rules.map(ruleRow));
    at("groups").append(box);
  }
  at("cells").append(...sheet.cells.map(cellRow));
  at("metric").addEventListener("change", ({ target }) => change((state) => { state.metric = target.value; }));
  at("only").addEventListener("change", ({ target }) => change((state) => { state.only = target.checked; }));
  at("undo").addEventListener("click", () => history.back());
  at("redo").addEventListener("click", () => history.forward());
  at("reset").addEventListener("click", () => change((state) => { state.changes.clear(); state.off.clear(); }));
  at("link").addEventListener("click", () => copyLink(at("status")));
  at("published-copy").addEventListener("click", () => copyLink(at("publish-status")));
  buildPublish(sheet, () => question([]));
  at("find").addEventListener("input", ({ target }) => find(target.value.toLowerCase().split(/\s+/).filter(Boolean)));
  at("battle").addEventListener("change", showBattle);
  at("next").addEventListener("click", () => { at("battle").value = Number(at("battle").value) + 1; showBattle(); });
  for (const button of document.querySelectorAll("[data-odd]")) {
    button.addEventListener("click", () => showOdd(button.dataset.odd));
  }
  at("judge").addEventListener("click", judge);
  at("judge-stop").addEventListener("click", clearJudged);
  at("close").addEventListener("click", () => at("watch").close());
  at("watch").addEventListener("close", clearJudged);
  at("variant").addEventListener("submit", saveVariant);
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => visit({ view: button.dataset.view }));
  }
  buildDesk();
  onChoice((file) => visit({ view: "write", file }));
  onReopened(() => { visit({ view: "ask" }); location.reload(); });
  addEventListener("popstate", () => { state = ofAddress(); show(); });
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.target.type !== "checkbox");
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || typing) return;
    event.preventDefault();
    if (event.shiftKey) history.forward();
    else if (depth() > 0) history.back();
  });
}

/** Shows only the controls that have all these words, with their clauses. */
function find(words) {
  let any = false;
  for (const box of at("groups").children) {
    const own = `${box.querySelector("summary").textContent} ${box.querySelector("p")?.textContent ?? ""}`.toLowerCase();
    let some = false;
    for (const row of box.querySelectorAll(".number, .rule")) {
      const text = `${own} ${row.title} ${row.textContent}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      some ||= !row.hidden;
    }
    box.hidden = !some;
    box.open = some && words.length > 0;
    any ||= some;
  }
  at("none").hidden = any;
}

try {
  sheet = await openSheet();
  build();
  state = ofAddress();
  if (history.state === null) history.replaceState({ depth: 0 }, "", location.href);
  deepest = depth();
  show();
  if (state.cell !== null) {
    at("battle").value = state.battle;
    openBattle(state.cell);
  }
} catch (error) {
  refused(error.faults ? error : gone);
}
