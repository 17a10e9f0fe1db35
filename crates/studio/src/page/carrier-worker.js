// Asks the engine inside an exported page, in a worker whose script is stored in the page.

import { told } from "./parts.js";

/** Unpacks bytes that are stored in the page. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

let worker;
/** For each message, by number, the function that receives the worker's answers. */
const waiting = new Map();
let number = 0;

function send(message, hear, parts = []) {
  number += 1;
  waiting.set(number, hear);
  worker.postMessage({ ...message, number }, parts);
  return number;
}

/** Opens the study; resolves to what can be changed. */
async function openSheet() {
  const [module, study] = await Promise.all([unpacked(packed.module), unpacked(packed.study)]);
  worker = new Worker(URL.createObjectURL(new Blob([packed.inside], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => waiting.get(data.number)?.(data);
  worker.onerror = ({ message }) => {
    const text = JSON.stringify({ faults: [{ message: `The engine in this page has stopped: ${message}`, help: "Load the page again." }] });
    for (const [number, hear] of [...waiting]) hear({ number, good: false, text });
  };
  return new Promise((resolve, reject) => {
    send({ do: "open", module, study }, ({ good, text }) => (good ? resolve(JSON.parse(text)) : reject(JSON.parse(text))), [module, study]);
  });
}

/** Yields the lines of an answer as they come. Throws a fault with its messages. */
async function* answers(question, signal) {
  const heard = [];
  let wake = () => {};
  const own = send({ do: "ask", text: JSON.stringify(question) }, (data) => { heard.push(data); wake(); });
  const stop = () => { heard.push({ over: true }); wake(); };
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      while (heard.length === 0) await new Promise((resolve) => { wake = resolve; });
      const { good, text, over } = heard.shift();
      if (over) return;
      if (!good) throw JSON.parse(text);
      yield JSON.parse(text);
    }
  } finally {
    waiting.delete(own);
    signal.removeEventListener("abort", stop);
  }
}

/** Shows a battle of a cell, with the changes of a question, in a frame. */
function showDrawn(frame, question, cell, battle) {
  send({ do: "battle", text: JSON.stringify(question), cell, battle }, ({ number, good, text }) => {
    waiting.delete(number);
    frame.srcdoc = good ? text : faulty(JSON.parse(text).faults);
  });
}

/** A page with messages. */
function faulty(faults) {
  const page = document.implementation.createHTMLDocument("No battle");
  page.body.append(...told(faults));
  return page.documentElement.outerHTML;
}

/** Returns the single answer to a message. Throws a fault with its messages. */
function answer(message) {
  return new Promise((resolve, reject) => {
    send(message, ({ number, good, text }) => {
      waiting.delete(number);
      (good ? resolve : reject)(JSON.parse(text));
    });
  });
}

/** Finds the noteworthy battles of a cell with the changes of a question. */
const oddBattles = (question, cell) => answer({ do: "odd", text: JSON.stringify(question), cell });

/** Judges a battle of a cell, with the changes of a question. The worker cannot be stopped, so it always answers. */
const judgement = (question, cell, battle) => answer({ do: "judge", text: JSON.stringify(question), cell, battle });

export { answers, judgement, oddBattles, openSheet, showDrawn };
