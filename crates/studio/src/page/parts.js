// Shared by the parts of the page.

const at = (id) => document.getElementById(id);

/** An element with attributes, properties and children. Text from a pack is never treated as markup. */
function made(name, given = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function drawn(name, given) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  return element;
}

const gone = { faults: [{ message: "The studio does not answer.", help: "Is `grognard studio` still running? Start it again and open the address that it prints." }] };

/** Requests a task on the files. Returns its result or the faults, and the status of the answer. */
async function task(what) {
  try {
    const answer = await fetch("task", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) });
    const json = await answer.json();
    return answer.ok ? { json, status: answer.status } : { faults: json.faults, status: answer.status };
  } catch {
    return { ...gone, status: 0 };
  }
}

/** Faults as paragraphs. */
const told = (faults) => faults.map(({ message, help }) => made("p", {}, message, ...(help ? [made("br"), help] : [])));

export { at, drawn, gone, made, task, told };
