// The map: pan, zoom, what a circle is and what it is linked with. The picture
// itself was drawn by the server.
"use strict";
for (const map of document.querySelectorAll("[data-map]")) {
  const svg = map.querySelector("svg"), near = svg.querySelector(".near"), group = svg.querySelector(".spots"), tip = map.querySelector(".map-tip");
  const spots = [...svg.querySelectorAll(".spot")];
  const to = spots.map((s) => s.dataset.to ? s.dataset.to.split(" ").map(Number) : []);
  const from = spots.map(() => []);
  to.forEach((list, i) => list.forEach((j) => from[j].push(i)));
  const all = svg.viewBox.baseVal, home = [all.x, all.y, all.width, all.height];
  let view = [...home];
  const show = () => svg.setAttribute("viewBox", view.join(" "));
  const at = (e) => {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [p.x, p.y];
  };
  const zoom = (by, x, y) => {
    const w = Math.min(Math.max(view[2] * by, 40), home[2]), k = w / view[2];
    view = [x - (x - view[0]) * k, y - (y - view[1]) * k, w, view[3] * k];
    if (w === home[2]) view = [...home];
    show();
  };
  const num = (el, name) => Number(el.getAttribute(name));
  const line = (a, b, name) => {
    const p = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const x1 = num(a, "cx"), y1 = num(a, "cy"), x2 = num(b, "cx"), y2 = num(b, "cy");
    p.setAttribute("d", `M${x1} ${y1}Q${(x1 + x2) / 2 + (y2 - y1) / 8} ${(y1 + y2) / 2 - (x2 - x1) / 8} ${x2} ${y2}`);
    p.setAttribute("class", name);
    near.append(p);
  };
  const plural = (n, w) => `${Number(n).toLocaleString("en")} ${w}${Number(n) === 1 ? "" : "s"}`;
  const clear = () => {
    near.replaceChildren();
    group.classList.remove("faint");
    spots.forEach((s) => s.classList.remove("on"));
    tip.hidden = true;
  };
  const point = (i) => {
    clear();
    const s = spots[i], d = s.dataset;
    group.classList.add("faint");
    s.classList.add("on");
    for (const j of to[i]) { line(s, spots[j], "out"); spots[j].classList.add("on"); }
    for (const j of from[i]) { line(spots[j], s, "in"); spots[j].classList.add("on"); }
    const title = document.createElement("b");
    title.textContent = d.title;
    const facts = [plural(d.in, "document") + " link here", "links to " + plural(d.out, "document")];
    if (Number(d.files) > 1) facts.unshift(plural(d.files, "file"));
    if (Number(d.broken)) facts.push(plural(d.broken, "broken link"));
    tip.replaceChildren(title, d.path, document.createElement("br"), facts.join(", "));
    tip.hidden = false;
  };
  spots.forEach((s, i) => {
    s.addEventListener("pointerenter", () => { if (!held) point(i); });
    s.addEventListener("pointerleave", () => { if (!find.value) clear(); });
  });
  let held = null, moved = false;
  svg.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY, ...view]; moved = false; });
  svg.addEventListener("pointermove", (e) => {
    if (!held) return;
    const k = view[2] / svg.getBoundingClientRect().width * Math.max(1, svg.getBoundingClientRect().width / svg.getBoundingClientRect().height);
    const dx = e.clientX - held[0], dy = e.clientY - held[1];
    if (!moved && Math.hypot(dx, dy) < 4) return;
    moved = true;
    svg.classList.add("drag");
    view = [held[2] - dx * k, held[3] - dy * k, view[2], view[3]];
    show();
  });
  addEventListener("pointerup", () => { held = null; svg.classList.remove("drag"); });
  svg.addEventListener("click", (e) => { if (moved) { e.preventDefault(); moved = false; } }, true);
  svg.addEventListener("dragstart", (e) => e.preventDefault());
  svg.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.metaKey && view[2] === home[2] && e.deltaY > 0) return; // let the page scroll on
    e.preventDefault();
    zoom(Math.exp(e.deltaY * 0.0015), ...at(e));
  }, { passive: false });
  for (const b of map.querySelectorAll("[data-map-zoom]")) b.addEventListener("click", () => {
    if (b.dataset.mapZoom === "all") { view = [...home]; show(); return; }
    zoom(b.dataset.mapZoom === "in" ? 0.7 : 1 / 0.7, view[0] + view[2] / 2, view[1] + view[3] / 2);
  });
  const find = map.querySelector("[data-map-find]");
  find.addEventListener("input", () => {
    clear();
    const q = find.value.trim().toLowerCase();
    if (!q) return;
    const hits = spots.filter((s) => (s.dataset.path + " " + s.dataset.title).toLowerCase().includes(q));
    group.classList.add("faint");
    hits.forEach((s) => s.classList.add("on"));
    tip.textContent = plural(hits.length, "match").replace("matchs", "matches") + (hits.length === 1 ? ": " + hits[0].dataset.path : "");
    tip.hidden = false;
  });
  find.addEventListener("keydown", (e) => {
    const on = spots.filter((s) => s.classList.contains("on"));
    if (e.key === "Enter" && on.length) { e.preventDefault(); on[0].closest("a")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })); }
  });
}
