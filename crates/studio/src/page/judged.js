// The choices in a battle: what each option would have been worth, what the actual choices gave away, and the sum including luck.

import { judgement } from "./carrier.js";
import { at, gone, made, told } from "./parts.js";

let asking = null;

/** A share of battles in per cent, with one decimal. */
const share = (value) => (100 * value).toFixed(1);

function signed(points) {
  const text = Math.abs(points).toFixed(1);
  return text === "0.0" ? text : `${points < 0 ? "−" : "+"}${text}`;
}

/** An option with its value, and its interval if battles were fought for it. */
function option({ option: name, value, low, high }, isTaken) {
  const words = low < high ? ` ${share(value)} (${share(low)}–${share(high)})` : ` ${share(value)}`;
  return made("li", { className: isTaken ? "taken" : "" }, made(isTaken ? "strong" : "span", {}, name), made("span", { className: "of" }, words));
}

/** A row for each choice; `go` shows its turn in the drawing. */
function choices({ decisions, sides }, go) {
  const rows = decisions.map(({ turn, phase, unit, options, taken, lost, mark }) => made("tr", { className: mark ? "bad" : "" },
    made("th", { scope: "row" }, made("button", { type: "button", onclick: () => go(turn) }, `Turn ${turn}`), ` ${phase}`),
    made("td", {}, unit),
    made("td", {}, made("ul", {}, ...options.map((one) => option(one, one.option === taken)))),
    made("td", {}, lost > 0 ? `${share(lost)} ${mark}` : "–")));
  const head = ["When", "Unit", `Choices, with the ${sides[0]}’s score in per cent`, "Gives away"].map((words) => made("th", { scope: "col" }, words));
  return made("table", {}, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...rows));
}

/** Where the outcome comes from: the start, the dice, and both sides' choices. */
function sum({ sides, sum: { start, luck, decisions, outcome } }) {
  const [first, second] = decisions.map((value) => signed(100 * value));
  return `The ${sides[0]} begins with ${share(start)} % and ends with ${share(outcome)} %: dice ${signed(100 * luck)}, `
    + `choices of the ${sides[0]} ${first}, choices of the ${sides[1]} ${second}.`;
}

function method({ method, fights, sides }) {
  const score = `The score is the share of battles that the ${sides[0]} wins, and half of the draws`;
  if (method === "best") return `${score}, if both sides play perfectly from there: exact.`;
  if (method === "doctrines") return `${score}, if both sides follow their doctrines from there: exact.`;
  return `${score}, in ${fights} battles that the doctrines fight from each choice. Intervals are simultaneous at 95 %; a choice is marked only if another is clearly better.`;
}

/** Removes the judgement of another battle, and stops any judging in progress. */
function clearJudged() {
  asking?.abort();
  at("judged").hidden = true;
  at("judged").replaceChildren();
  at("judge-status").replaceChildren();
  at("judge-stop").disabled = true;
}

/** Judges the battle that is shown. */
async function showJudged(question, cell, battle, go) {
  clearJudged();
  const own = (asking = new AbortController());
  at("judge-stop").disabled = false;
  at("judge-status").textContent = "Computing …";
  try {
    const found = await judgement(question, cell, battle, own.signal);
    if (own.signal.aborted) return;
    const parts = [made("p", {}, sum(found)), made("p", { className: "key" }, method(found))];
    if (found.decisions.length > 0) parts.push(choices(found, go));
    at("judged").replaceChildren(...parts);
    at("judged").hidden = false;
    at("judge-status").textContent = found.decisions.length > 0 ? "" : "No side had a choice.";
    at("judged").focus();
  } catch (error) {
    if (!own.signal.aborted) at("judge-status").replaceChildren(...told((error.faults ? error : gone).faults));
  }
  if (own === asking) at("judge-stop").disabled = true;
}

export { clearJudged, showJudged };
