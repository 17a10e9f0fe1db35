// Publish: a report on the study with the changes, its charts as files, and a link that contains the changes.

import { at, gone, made, told } from "./parts.js";

let running = null;
let question;
let sheet;

/** Requests a report, and shows its progress. */
async function publish() {
  running = new AbortController();
  const battles = Number(at("published-battles").value);
  const all = battles * sheet.cells.length;
  at("publish-faults").replaceChildren();
  at("published").replaceChildren();
  show(true);
  at("progress").max = all;
  at("progress").value = 0;
  at("publish-status").textContent = "Fighting the battles.";
  try {
    const answer = await fetch("publish", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ask: question(), battles }),
      signal: running.signal,
    });
    if (!answer.ok) throw await answer.json();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    let ready = null;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      let end;
      while ((end = text.indexOf("\n")) >= 0) {
        const line = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (line.fought) at("progress").value = line.fought;
        if (line.fought >= all) at("publish-status").textContent = "Writing the report.";
        if (line.faults) throw line;
        if (line.ready) ready = line;
      }
    }
    if (ready === null) throw gone;
    at("publish-status").textContent = `A report on ${ready.battles.toLocaleString("en")} battles of each cell.`;
    list(ready);
  } catch (error) {
    at("publish-status").textContent = error.name === "AbortError" ? "Stopped." : "";
    if (error.name !== "AbortError") at("publish-faults").replaceChildren(...told((error.faults ? error : gone).faults));
  }
  show(false);
}

function show(busy) {
  at("publish-now").disabled = busy;
  at("publish-stop").disabled = !busy;
  at("progress").hidden = !busy;
}

function list({ ready, charts }) {
  const file = (name, end, words, where) => made("a", { href: where, download: `${name}.${end}`, ariaLabel: `${words} of ${name}` }, words);
  const open = made("a", { href: `report?of=${ready}`, target: "_blank", rel: "noopener" }, "Open the report");
  const keep = made("a", { href: `report?of=${ready}`, download: "report.html" }, "Save the report");
  at("published").replaceChildren(
    made("p", { className: "bar" }, open, keep),
    ...charts.map(({ name, finding }, nth) => made("figure", {},
      made("img", { src: `chart?of=${ready}&nth=${nth}`, alt: finding }),
      made("figcaption", { className: "bar" }, file(name, "svg", "SVG", `chart?of=${ready}&nth=${nth}`), file(name, "png", "PNG", `chart?of=${ready}&nth=${nth}&png=true`)))),
  );
}

/** Prepares the view; `ask` returns the question that a report answers. */
function buildPublish(own, ask) {
  sheet = own;
  question = ask;
  at("publish-now").addEventListener("click", publish);
  at("publish-stop").addEventListener("click", () => running?.abort());
}

export { buildPublish };
