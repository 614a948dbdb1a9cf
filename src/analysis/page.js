"use strict";
(() => {
  const positions = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const graphs = [...document.querySelectorAll(".graph")];
  const rows = [...document.querySelectorAll("#moves tbody tr")];
  const [left, right, moves] = ["left", "right", "moves"].map((name) => Number(graphs[0].dataset[name]));
  let place = -1;
  let rest = 0;

  function show(wanted) {
    const next = Math.min(Math.max(wanted, 0), positions.length - 1);
    if (next === place) return;
    rows[place]?.classList.remove("here");
    place = next;
    const shown = positions[place];
    element("view").innerHTML = shown.board;
    for (const name of ["title", "rate", "ratings", "score", "playouts", "loss"]) {
      const slot = element(name);
      if (slot) slot.textContent = shown[name] || "–";
    }
    element("best").innerHTML = shown.best || "–";
    element("bar").style.width = `${shown.share ?? 50}%`;
    for (const cursor of document.querySelectorAll(".cursor")) {
      cursor.setAttribute("transform", `translate(${left + ((right - left) * place) / moves} 0)`);
    }
    const row = rows[place];
    row.classList.add("here");
    const list = document.querySelector(".moves");
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
    // Browsers complain about an address that changes with every step of a key held down.
    clearTimeout(rest);
    rest = setTimeout(() => history.replaceState(null, "", `#${place}`), 300);
  }

  element("first").onclick = () => show(0);
  element("back").onclick = () => show(place - 1);
  element("next").onclick = () => show(place + 1);
  element("last").onclick = () => show(positions.length - 1);
  for (const graph of graphs) {
    graph.onclick = (event) => {
      const box = graph.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * graph.viewBox.baseVal.width;
      show(Math.round(((x - left) / (right - left)) * moves));
    };
  }
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-place]");
    if (!target) return;
    show(Number(target.dataset.place));
    if (!target.closest("#moves")) element("view").scrollIntoView({ behavior: "smooth", block: "center" });
  });
  document.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -positions.length, End: positions.length };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(place + steps[event.key]);
  });
  show(Number(location.hash.slice(1)) || 0);
})();
