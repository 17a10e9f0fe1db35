// The worker of an exported page: it holds the engine and answers one question at a time.

/** How long an answer is improved, and the maximum length of a look, in milliseconds. */
const SHARPENS = 2000;
const LOOK = 600;

let engine;
let newest = 0;

/** Writes bytes into the engine's memory. */
function write(bytes) {
  const place = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
}

/** The engine's last message. */
const said = () => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.said(), engine.said_bytes()));

const moment = () => new Promise((resolve) => { setTimeout(resolve, 0); });

async function answer({ number, text }) {
  write(new TextEncoder().encode(text));
  if (!engine.ask()) return postMessage({ number, good: false, text: said() });
  const started = performance.now();
  let took = 0;
  // Each look fights as many battles as all earlier looks together.
  while (performance.now() - started + 2 * took < SHARPENS && 2 * took < LOOK) {
    const before = performance.now();
    if (!engine.look()) break;
    postMessage({ number, good: true, text: said() });
    took = performance.now() - before;
    // Gives a newer question the chance to arrive.
    await moment();
    if (number !== newest) return;
  }
  // Exact odds, for cells where they take no longer than a few more battles.
  while (engine.solve()) {
    postMessage({ number, good: true, text: said() });
    await moment();
    if (number !== newest) return;
  }
  postMessage({ number, over: true });
}

onmessage = async ({ data }) => {
  if (data.do === "open") {
    engine = (await WebAssembly.instantiate(data.module, {})).instance.exports;
    write(new Uint8Array(data.study));
    postMessage({ number: data.number, good: Boolean(engine.open()), text: said() });
  } else if (data.do === "ask") {
    newest = data.number;
    answer(data);
  } else if (data.do === "battle") {
    write(new TextEncoder().encode(data.text));
    postMessage({ number: data.number, good: Boolean(engine.battle(data.cell, data.battle)), text: said() });
  } else if (data.do === "odd") {
    write(new TextEncoder().encode(data.text));
    postMessage({ number: data.number, good: Boolean(engine.odd(data.cell)), text: said() });
  } else if (data.do === "judge") {
    write(new TextEncoder().encode(data.text));
    postMessage({ number: data.number, good: Boolean(engine.judge(data.cell, data.battle)), text: said() });
  }
};
