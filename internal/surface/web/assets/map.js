// The map: pan, zoom, what a circle is and what it is linked with, any page found and flown
// to, folders opened in place. The picture itself was drawn by the server. In a report, which
// has no server, only circles that are drawn are found.
"use strict";
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const plural = (n, w) => `${Number(n || 0).toLocaleString("en")} ${w}${Number(n) === 1 ? "" : "s"}`;
  const num = (el, name) => Number(el.getAttribute(name));

  // chart gives life to one map, and returns what the list beside it needs.
  const chart = (map, detailsAt) => {
    const svg = map.querySelector("svg"), near = svg.querySelector(".near"), group = svg.querySelector(".spots"), tip = map.querySelector(".map-tip");
    const spots = [...svg.querySelectorAll(".spot")], byPath = new Map(spots.map((s, i) => [s.dataset.path, i]));
    // Circles of a large map become links when their details are there.
    const linked = (s, url) => {
      const a = document.createElementNS("http://www.w3.org/2000/svg", "a");
      a.setAttribute("href", url);
      a.setAttribute("tabindex", "-1");
      s.replaceWith(a);
      a.append(s);
    };
    let to, from;
    const join = () => {
      to = spots.map((s) => s.dataset.to ? s.dataset.to.split(" ").map(Number) : []);
      from = spots.map(() => []);
      to.forEach((list, i) => list.forEach((j) => from[j].push(i)));
    };
    const details = (list) => list.forEach(({ url, ...d }, i) => {
      for (const k in d) spots[i].dataset[k] = d[k];
      if (d.path) byPath.set(d.path, i);
      if (url) linked(spots[i], url);
    });
    const loaded = (detailsAt ? fetch(detailsAt).then((r) => r.json()).then(details).catch(() => {}) : Promise.resolve()).then(join);

    const all = svg.viewBox.baseVal, home = [all.x, all.y, all.width, all.height];
    let view = [...home], flight = 0;
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
    const fly = (goal) => new Promise((done) => {
      const start = [...view], began = performance.now(), mine = ++flight;
      const step = (now) => {
        const t = still ? 1 : Math.min((now - began) / 450, 1), k = t * t * (3 - 2 * t);
        view = start.map((v, i) => v + (goal[i] - v) * k);
        show();
        if (t < 1 && mine === flight) requestAnimationFrame(step); else done();
      };
      requestAnimationFrame(step);
    });
    const flyTo = (i, room) => {
      const s = spots[i], r = num(s, "r"), w = Math.min(Math.max(Math.min(r * room, home[2] / 2), r * 3, 60), home[2]);
      return fly([num(s, "cx") - w / 2, num(s, "cy") - w / 2, w, w]);
    };
    const line = (a, b, name) => {
      const p = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const x1 = num(a, "cx"), y1 = num(a, "cy"), x2 = num(b, "cx"), y2 = num(b, "cy");
      p.setAttribute("d", `M${x1} ${y1}Q${(x1 + x2) / 2 + (y2 - y1) / 8} ${(y1 + y2) / 2 - (x2 - x1) / 8} ${x2} ${y2}`);
      p.setAttribute("class", name);
      near.append(p);
    };
    let pointed = -1;
    const clear = () => {
      pointed = -1;
      near.replaceChildren();
      group.classList.remove("faint");
      spots.forEach((s) => s.classList.remove("on"));
      tip.hidden = true;
    };
    const point = async (i) => {
      clear();
      pointed = i;
      const s = spots[i], d = s.dataset;
      group.classList.add("faint");
      s.classList.add("on");
      await loaded;
      if (pointed !== i) return;
      const title = document.createElement("b");
      title.textContent = d.title;
      const facts = [plural(d.in, "document") + " link here", "links to " + plural(d.out, "document")];
      if (Number(d.files) > 1) facts.unshift(plural(d.files, "file"));
      if (Number(d.broken)) facts.push(plural(d.broken, "broken link"));
      tip.replaceChildren(title, d.path, document.createElement("br"), facts.join(", "));
      tip.hidden = false;
      for (const j of to[i]) { line(s, spots[j], "out"); spots[j].classList.add("on"); }
      for (const j of from[i]) { line(spots[j], s, "in"); spots[j].classList.add("on"); }
    };
    const light = (hits) => {
      clear();
      group.classList.add("faint");
      hits.forEach((s) => s.classList.add("on"));
    };
    let held = null, moved = false;
    spots.forEach((s, i) => {
      s.addEventListener("pointerenter", () => { if (!held) point(i); });
      s.addEventListener("pointerleave", clear);
    });
    svg.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY, ...view]; moved = false; flight++; });
    svg.addEventListener("pointermove", (e) => {
      if (!held) return;
      const box = svg.getBoundingClientRect(), k = view[2] / Math.min(box.width, box.height);
      const dx = e.clientX - held[0], dy = e.clientY - held[1];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = true;
      svg.classList.add("drag");
      view = [held[2] - dx * k, held[3] - dy * k, view[2], view[3]];
      show();
    });
    addEventListener("pointerup", () => { held = null; svg.classList.remove("drag"); });
    svg.addEventListener("click", (e) => { if (moved) { e.preventDefault(); e.stopPropagation(); moved = false; } }, true);
    svg.addEventListener("dragstart", (e) => e.preventDefault());
    svg.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey && view[2] === home[2] && e.deltaY > 0) return; // let the page scroll on
      e.preventDefault();
      flight++;
      zoom(Math.exp(e.deltaY * 0.0015), ...at(e));
    }, { passive: false });
    for (const b of map.querySelectorAll("[data-map-zoom]")) b.addEventListener("click", () => {
      flight++;
      if (b.dataset.mapZoom === "all") { view = [...home]; show(); return; }
      zoom(b.dataset.mapZoom === "in" ? 0.7 : 1 / 0.7, view[0] + view[2] / 2, view[1] + view[3] / 2);
    });
    return { svg, spots, byPath, loaded, point, clear, light, flyTo };
  };

  const has = (s, q) => q.split(/\s+/).every((w) => ((s.dataset.path || "") + " " + (s.dataset.title || "")).toLowerCase().includes(w));

  // In a report, the field lights up the circles that have the words.
  const report = (map, find) => {
    const c = chart(map, "");
    find?.addEventListener("input", () => {
      const q = find.value.trim().toLowerCase();
      if (q) c.light(c.spots.filter((s) => has(s, q))); else c.clear();
    });
  };

  // On the page, the field finds any page; choosing one opens the folder that shows it.
  const page = (root) => {
    const { fetchHTML } = window.docent;
    let c;
    const go = async (url, keep) => {
      const part = new URL(url, location.href);
      part.searchParams.set("part", "1");
      const box = document.createElement("div");
      for (let tries = 0; !await fetchHTML(box, part); tries++) {
        if (tries > 20) { location.href = url; return; }
        await new Promise((r) => setTimeout(r, 500));
      }
      root.replaceChildren(...box.childNodes);
      if (keep) history.pushState(null, "", url);
      start();
    };
    const start = () => {
      const parts = root.querySelector(".map-parts"), find = root.querySelector("[data-map-find]"), found = root.querySelector("[data-map-found]");
      c = chart(root.querySelector("[data-map]"), parts.dataset.details);
      let asked = find.value.trim();
      find.addEventListener("input", async () => {
        const q = asked = find.value.trim();
        if (!q) { found.replaceChildren(); c.clear(); return; }
        c.light(c.spots.filter((s) => has(s, q.toLowerCase())));
        const url = new URL(parts.dataset.find, location.href), box = document.createElement("div");
        url.searchParams.set("q", q);
        url.searchParams.set("part", "1");
        if (!await fetchHTML(box, url) || q !== asked) return;
        found.replaceChildren(...box.querySelector("[data-map-found]").childNodes);
      });
      find.addEventListener("keydown", (e) => { if (e.key === "Enter") { e.preventDefault(); found.querySelector("a")?.click(); } });
      for (const kind of ["focusin", "pointerover"]) parts.querySelector(".map-list").addEventListener(kind, (e) => {
        const i = c.byPath.get(e.target.closest("a")?.dataset.path ?? e.target.closest("a")?.dataset.at);
        if (i !== undefined) c.point(i);
      });
      const mine = c;
      mine.loaded.then(() => {
        const i = mine.byPath.get(parts.dataset.at);
        if (i !== undefined && c === mine) { c.flyTo(i, 14); c.point(i); }
      });
    };
    root.addEventListener("keydown", (e) => { // up and down through the list
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key], list = e.target.closest(".map-list");
      if (!step || !list) return;
      const stops = [...list.querySelectorAll("input[type=search], a")], to = stops[stops.indexOf(e.target) + step];
      if (to) { e.preventDefault(); to.focus(); }
    });
    root.addEventListener("click", async (e) => {
      const a = e.target.closest("a");
      if (!a || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey) return;
      const url = a.href.baseVal ?? a.href;
      if (new URL(url, location.href).pathname !== "/map") return;
      e.preventDefault();
      const spot = c.byPath.get(a.dataset.path ?? a.querySelector?.(".spot")?.dataset.path), inList = a.closest(".map-list");
      if (a.dataset.at && c.byPath.has(a.dataset.at)) { // it is drawn already
        history.pushState(null, "", url);
        const i = c.byPath.get(a.dataset.at);
        c.flyTo(i, 14);
        c.point(i);
        return;
      }
      if (spot !== undefined) await c.flyTo(spot, 2.2);
      await go(url, true);
      if (inList) root.querySelector("[data-map-list] a, [data-map-find]")?.focus();
    });
    addEventListener("popstate", () => go(location.href, false));
    start();
  };

  const root = document.querySelector("[data-map-page]");
  if (root) page(root);
  else for (const map of document.querySelectorAll("[data-map]")) report(map, document.querySelector("[data-map-find]"));
})();
