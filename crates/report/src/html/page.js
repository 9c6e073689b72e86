"use strict";
(function () {
  const timeline = document.getElementById("timeline");
  if (!timeline) return;
  const rows = Array.from(timeline.querySelectorAll("tbody tr"));
  const now = document.getElementById("now");
  let current = -1;

  // What variables hold after a step, and where each thread is.
  function stateAt(index) {
    const values = new Map(), places = new Map();
    rows.slice(0, index + 1).forEach(row => {
      row.querySelectorAll("td.shared .set").forEach(set => values.set(set.dataset.name, set.dataset.value));
      if (row.dataset.who && row.dataset.line) places.set(row.dataset.who, row.dataset.file + "\n" + row.dataset.line);
    });
    return { values, places };
  }

  function lineOf(file, line) {
    const source = Array.from(document.querySelectorAll(".source")).find(it => it.dataset.file === file);
    return source && source.querySelector('li[data-line="' + line + '"]');
  }

  function show(index, move) {
    current = Math.max(0, Math.min(rows.length - 1, index));
    rows.forEach((row, place) => {
      if (place === current) row.setAttribute("aria-current", "step"); else row.removeAttribute("aria-current");
    });
    const row = rows[current];
    if (move) row.scrollIntoView({ block: "nearest" });
    const state = stateAt(current);
    document.querySelectorAll("li.here").forEach(line => line.classList.remove("here"));
    document.querySelectorAll(".who").forEach(mark => mark.remove());
    state.places.forEach((place, who) => {
      const [file, line] = place.split("\n");
      const target = lineOf(file, line);
      if (!target) return;
      const mark = document.createElement("span");
      mark.className = "who";
      mark.textContent = who;
      target.prepend(mark);
    });
    const here = row.dataset.line && lineOf(row.dataset.file, row.dataset.line);
    if (here) {
      here.classList.add("here");
      const list = here.parentElement;
      if (move) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    const act = row.querySelector("td.acts") || row.querySelector("td:not(.line):not(.shared)");
    const who = row.dataset.who ? row.dataset.who + ": " : "";
    const held = Array.from(state.values, ([name, value]) => name + " = " + value).join(", ");
    now.textContent = "Step " + row.querySelector("th").textContent + " of " + rows[rows.length - 1].querySelector("th").textContent +
      (act && act.textContent ? " — " + who + Array.from(act.childNodes, node => node.textContent).join(": ") : "") +
      (held ? ". Then " + held + "." : ".");
  }

  rows.forEach((row, index) => row.addEventListener("click", () => show(index, false)));
  document.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SUMMARY)$/.test(event.target.tagName)) return;
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10, Home: -rows.length, End: rows.length };
    if (!(event.key in steps) || (event.target.classList && event.target.classList.contains("text"))) return;
    event.preventDefault();
    show(current + steps[event.key], true);
  });

  // Arrows from who acts to those who are started or woken.
  function arrows() {
    timeline.querySelectorAll("svg.arrows").forEach(it => it.remove());
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("class", "arrows");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("width", timeline.scrollWidth);
    svg.setAttribute("height", timeline.scrollHeight);
    const first = timeline.querySelectorAll("td.line").length ? 2 : 1;
    rows.forEach(row => {
      (row.dataset.to || "").split(" ").filter(Boolean).forEach(to => {
        const from = row.cells[first + Number(row.dataset.actor)], target = row.cells[first + parseInt(to, 10)];
        if (!from || !target || !from.classList.contains("acts")) return;
        const right = target.offsetLeft > from.offsetLeft;
        const x1 = right ? from.offsetLeft + from.offsetWidth - 6 : from.offsetLeft + 4;
        const x2 = right ? target.offsetLeft + 2 : target.offsetLeft + target.offsetWidth - 4;
        const y = row.offsetTop + row.offsetHeight - 6, tip = right ? -6 : 6;
        const path = document.createElementNS(space, "path");
        path.setAttribute("d", "M" + x1 + " " + y + " H" + x2 + " m" + tip + " -4 l" + -tip + " 4 l" + tip + " 4");
        if (to.endsWith("~")) path.setAttribute("class", "woken");
        svg.append(path);
      });
    });
    timeline.append(svg);
  }
  arrows();
  window.addEventListener("resize", arrows);
  show(0, false);
})();
