// Asks the engine through the loopback server. An exported page has `carrier-worker.js` instead.

/** Resolves to what can be changed. */
async function openSheet() {
  return (await fetch("sheet")).json();
}

/** Yields the lines of an answer as they come. Throws a fault with its messages. */
async function* answers(question, signal) {
  const answer = await fetch("ask", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
  if (!answer.ok) throw await answer.json();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    let end;
    while ((end = text.indexOf("\n")) >= 0) {
      yield JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
    }
  }
}

/** Shows a battle of a cell, with the changes of a question, in a frame. */
function showDrawn(frame, question, cell, battle) {
  frame.src = `battle?${new URLSearchParams({ ask: JSON.stringify(question), cell, battle })}`;
}

/** Finds the noteworthy battles of a cell with the changes of a question. Throws a fault with its messages. */
async function oddBattles(question, cell) {
  const answer = await fetch(`odd?${new URLSearchParams({ ask: JSON.stringify(question), cell })}`);
  const json = await answer.json();
  if (!answer.ok) throw json;
  return json;
}

/** Judges a battle of a cell, with the changes of a question. Throws a fault with its messages. */
async function judgement(question, cell, battle, signal) {
  const answer = await fetch(`judge?${new URLSearchParams({ ask: JSON.stringify(question), cell, battle })}`, { signal });
  const json = await answer.json();
  if (!answer.ok) throw json;
  return json;
}

export { answers, judgement, oddBattles, openSheet, showDrawn };
