"use strict";
// Plays battles. Each player on the page is a section with the pieces of its drawing, a list of what happened and the steps as JSON.
for (const root of document.querySelectorAll(".player")) {
  const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const find = (name) => root.querySelector(name);
  const layer = (name) => find(".map ." + name);
  const slider = find(".slider"), now = find(".now"), play = find("[data-act=play]");
  const items = Array.from(root.querySelectorAll(".narration li"));
  const narration = find(".narration");
  const groups = new Map();
  const SVG = "http://www.w3.org/2000/svg";
  let step = -1, timer = 0, chosen = -1;

  const copy = (piece) => {
    const group = document.getElementById(root.id + "-" + piece).cloneNode(true);
    group.removeAttribute("id");
    return group;
  };
  const fill = (name, pieces) => layer(name).replaceChildren(...pieces.map(copy));
  const element = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };

  // A unit keeps its group, so that the focus stays on it while its picture changes.
  const showUnits = (units) => {
    const here = new Set(units.map(([unit]) => unit));
    for (const [unit, group] of groups) {
      if (!here.has(unit)) { group.remove(); groups.delete(unit); }
    }
    for (const [unit, piece, state] of units) {
      let group = groups.get(unit);
      if (!group) {
        group = document.createElementNS(SVG, "g");
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.dataset.unit = unit;
        groups.set(unit, group);
        layer("units").append(group);
      }
      if (group.dataset.piece !== String(piece)) {
        group.dataset.piece = piece;
        const halo = document.createElementNS(SVG, "rect");
        halo.setAttribute("class", "halo");
        group.replaceChildren(copy(piece), halo);
        const box = group.firstChild.getBBox();
        const sizes = { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6 };
        for (const name in sizes) halo.setAttribute(name, sizes[name]);
      }
      group.setAttribute("aria-label", data.states[state]);
      group.setAttribute("aria-pressed", String(unit === chosen));
      group.classList.toggle("chosen", unit === chosen);
    }
  };

  const showUnit = () => {
    const panel = find("section.unit");
    if (chosen < 0) return;
    const standing = data.steps[step].units.find(([unit]) => unit === chosen);
    const name = element("p", "");
    name.append(element("strong", data.units[chosen]));
    const state = element("p", standing ? data.states[standing[2]] : "Not on the table now.");
    const list = document.createElement("ul");
    data.steps.forEach((other, nth) => {
      if (!other.text || !other.about.includes(chosen)) return;
      const button = element("button", data.halves[other.half][0] + ": " + other.text);
      button.type = "button";
      button.addEventListener("click", () => show(nth));
      if (nth === step) button.setAttribute("aria-current", "step");
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    });
    panel.replaceChildren(name, state, list);
  };

  const show = (to) => {
    to = Math.max(0, Math.min(data.steps.length - 1, to));
    if (to === step) return;
    step = to;
    const { half, under, over, labels, units, text, dice, clauses } = data.steps[step];
    fill("under", [under]);
    fill("over", [over]);
    fill("labels", labels);
    showUnits(units);
    slider.value = step;
    const where = data.halves[half][0];
    slider.setAttribute("aria-valuetext", where + ", event " + step + " of " + (data.steps.length - 1));
    now.textContent = text ? where + ": " + text : where;
    find(".dice").replaceChildren(...dice.map((face) => {
      const die = element("span", face);
      die.className = "die";
      return die;
    }));
    const known = clauses.filter((clause) => clause in data.clauses);
    find(".clauses").replaceChildren(
      ...known.flatMap((clause) => [element("dt", clause), element("dd", data.clauses[clause])]));
    for (const item of items) item.removeAttribute("aria-current");
    const item = items[step];
    if (item) {
      item.setAttribute("aria-current", "step");
      narration.scrollTop = item.offsetTop - narration.clientHeight / 3;
    }
    showUnit();
  };

  const pause = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    now.setAttribute("aria-live", "polite");
  };
  const start = () => {
    if (step >= data.steps.length - 1) show(0);
    play.textContent = "Pause";
    now.setAttribute("aria-live", "off");
    timer = setInterval(() => {
      if (step >= data.steps.length - 1) pause(); else show(step + 1);
    }, Number(find(".speed").value));
  };
  const half = (by) => {
    const at = data.steps[step].half;
    const begins = data.halves[at][1];
    // Back goes to the beginning of this half-turn first.
    const to = by > 0 ? at + 1 : step > begins ? at : at - 1;
    if (to >= data.halves.length) show(data.steps.length - 1); else show(data.halves[Math.max(0, to)][1]);
  };
  const acts = {
    "first": () => show(0), "last": () => show(data.steps.length - 1),
    "back": () => show(step - 1), "on": () => show(step + 1),
    "half-back": () => half(-1), "half-on": () => half(1),
    "play": () => (timer ? pause() : start()),
  };
  const choose = (unit) => {
    chosen = unit === chosen ? -1 : unit;
    showUnits(data.steps[step].units);
    if (chosen < 0) {
      find("section.unit").replaceChildren(element("p", "Choose a unit on the map to see its history."));
    } else showUnit();
  };

  root.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]");
    const unit = event.target.closest("[data-unit]");
    const item = event.target.closest(".narration li");
    if (act) { if (act !== play) pause(); acts[act.dataset.act](); }
    else if (unit) choose(Number(unit.dataset.unit));
    else if (item) { pause(); show(Number(item.dataset.step)); }
  });
  slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
  find(".speed").addEventListener("change", () => { if (timer) { pause(); start(); } });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
    const unit = event.target.closest("[data-unit]");
    if (unit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(Number(unit.dataset.unit));
      return;
    }
    const by = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    const slides = event.target === slider && !event.shiftKey;
    if (by && !slides) {
      event.preventDefault();
      pause();
      acts[event.shiftKey && by === "back" ? "half-back" : event.shiftKey && by === "on" ? "half-on" : by]();
    } else if (event.key === " " && !event.target.matches("button")) {
      event.preventDefault();
      acts.play();
    }
  });

  // The page that embeds this one asks for a turn.
  window.addEventListener("message", (event) => {
    const turn = Number.isInteger(event.data?.turn) ? event.data.turn : -1;
    const half = data.halves.find(([title]) => title.startsWith("Turn " + turn + ","));
    if (half) { pause(); show(half[1]); }
  });

  fill("ground", [Number(root.dataset.ground)]);
  show(0);
}
