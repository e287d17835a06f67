// What the pages do beyond links and forms. Everything works without it, but for
// search while typing, copying, colours of code and keys.
"use strict";
(() => {
  const root = document.documentElement;
  try {
    const saved = localStorage.getItem("docent-theme");
    if (saved === "light" || saved === "dark") root.dataset.theme = saved;
  } catch { /* storage may be forbidden */ }

  // The one way from text to markup: hits, as the server made them.
  const policy = window.trustedTypes?.createPolicy("docent", { createHTML: (s) => s });
  const setHTML = (el, s) => { el.innerHTML = policy ? policy.createHTML(s) : s; };

  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const switchTheme = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("docent-theme", root.dataset.theme); } catch { /* then for this page only */ }
  };

  let toast, fading;
  const say = (text) => {
    toast.textContent = text;
    toast.classList.add("on");
    clearTimeout(fading);
    fading = setTimeout(() => toast.classList.remove("on"), 1600);
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // not over plain HTTP from another machine
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "sr";
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say("copied");
  };

  // fetchHTML fills an element with a part of a page, as the server made it.
  const fetchHTML = async (el, url, signal) => {
    try {
      const r = await fetch(url, { signal, headers: { Accept: "text/html" } }), html = await r.text();
      if (!r.ok) say("the server could not answer: " + r.status);
      if (!r.ok || r.headers.has("Refresh")) return false;
      setHTML(el, html);
      return true;
    } catch (e) {
      if (e.name !== "AbortError") say("the server does not answer");
      return false;
    }
  };

  // load fills in a part that was not computed yet when the page was made.
  const load = async (el, tries) => {
    if (await fetchHTML(el, el.dataset.part)) el.removeAttribute("data-part");
    else if (tries > 0) setTimeout(() => load(el, tries - 1), 1000);
  };

  window.docent = { copy, fetchHTML }; // content.js adds dress, which makes documents fit for use

  const follow = () => { // the contents mark the section that is being read
    const box = document.querySelector(".contents"), places = [];
    for (const link of document.querySelectorAll(".contents a")) {
      const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (heading) places.push([heading, link]);
    }
    if (!places.length) return;
    let now, due = false;
    const mark = () => {
      due = false;
      const end = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const line = end ? innerHeight : innerHeight / 4;
      const at = places.findLast(([h]) => h.getBoundingClientRect().top <= line)?.[1];
      if (at === now) return;
      now?.removeAttribute("aria-current");
      now = at;
      now?.setAttribute("aria-current", "location");
      if (now && box.scrollHeight > box.clientHeight) box.scrollTop = now.offsetTop - box.clientHeight / 2;
    };
    addEventListener("scroll", () => { if (!due) { due = true; requestAnimationFrame(mark); } }, { passive: true });
    mark();
  };

  document.addEventListener("DOMContentLoaded", () => {
    toast = document.querySelector(".toast");
    const help = document.querySelector("dialog.help");
    const details = document.querySelector("[data-contents]");
    if (details && matchMedia("(max-width: 80rem)").matches) details.open = false;
    window.docent.dress?.(document);
    follow();
    document.addEventListener("click", (e) => {
      const el = e.target.closest?.("[data-do],[data-copy],[data-copy-from]");
      if (!el || e.ctrlKey || e.metaKey || e.shiftKey) return;
      if (el.dataset.do === "theme") switchTheme();
      else if (el.dataset.do === "help") help.showModal();
      else if (el.dataset.do === "search") { if (window.docent.openSearch) { e.preventDefault(); window.docent.openSearch(); } }
      else if (el.dataset.copyFrom) {
        e.preventDefault();
        fetch(el.dataset.copyFrom).then((r) => r.ok ? r.text() : Promise.reject(r.status)).then(copy, () => { location.href = el.href; });
      } else copy(el.dataset.copy);
    });
    let before = "";
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName)) return;
      const last = before;
      before = e.key;
      const pages = { s: "/", m: "/map", h: "/health", i: "/index" };
      if (e.key === "?") help.showModal();
      else if (last === "g" && pages[e.key]) location.href = [...document.querySelectorAll(".bar nav a")].find((a) => a.pathname === pages[e.key])?.href || pages[e.key];
      else if (e.key === "[" || e.key === "]") document.querySelector(`.turn [rel=${e.key === "[" ? "prev" : "next"}]`)?.click();
      else if (e.key === "a") (document.querySelector("form[data-search] [name=view]") || document.querySelector("[data-toggle]"))?.click();
    });
    for (const part of document.querySelectorAll("[data-part]")) load(part, 30);
  });
})();
