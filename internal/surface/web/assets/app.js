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

  // Colours of code: comments, strings, numbers and the words most languages
  // share. It need not be right about everything, only quick and harmless.
  const words = new Set(("abstract and as assert async await begin break case catch class const continue def default defer del delete do elif else end enum " +
    "except export extends extern false final finally fn for from func function go if impl implements import in instanceof interface is lambda let local loop " +
    "match mod module mut namespace new nil none not null of or override package pass private protected pub public raise readonly ref return select self sealed " +
    "static struct super switch then this throw throws trait true try type typeof undefined union unless unsafe use using val var virtual void when where while with yield").split(" "));
  const hashes = new Set(["bash", "sh", "shell", "console", "zsh", "python", "py", "ruby", "rb", "yaml", "yml", "toml", "ini", "dockerfile", "make", "makefile", "perl", "r", "elixir", "conf", "nginx", "graphql"]);
  const dashes = new Set(["sql", "lua", "haskell", "elm", "ada"]);
  const plainLangs = new Set(["", "text", "txt", "plain", "markdown", "md", "output"]);
  const scanner = (lang) => {
    const comment = hashes.has(lang) ? "#[^\\n]*" : dashes.has(lang) ? "--[^\\n]*" :
      ["html", "xml", "svg", "vue", "svelte"].includes(lang) ? "<!--[\\s\\S]*?-->" : lang === "css" ? "/\\*[\\s\\S]*?\\*/" :
        lang === "json" ? "(?!)" : "//[^\\n]*|/\\*[\\s\\S]*?\\*/";
    const tag = ["html", "xml", "svg", "vue", "svelte", "jsx", "tsx"].includes(lang) ? "</?[A-Za-z][\\w:.-]*" : "(?!)";
    return new RegExp(`(${comment})|("(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\[\\s\\S])*\`)|(\\b\\d[\\w.]*\\b|#[0-9a-fA-F]{3,8}\\b)|(${tag})|([A-Za-z_$][\\w$]*)`, "g");
  };
  const colour = (code) => {
    const lang = code.dataset.lang || "", text = code.textContent;
    if (plainLangs.has(lang) || code.dataset.plain !== undefined || code.dataset.done || text.length > 20000) return;
    code.dataset.done = "1";
    const out = document.createDocumentFragment();
    let last = 0;
    const put = (kind, s) => { const el = document.createElement("span"); el.className = "h-" + kind; el.textContent = s; out.append(el); };
    for (const m of text.matchAll(scanner(lang))) {
      const kind = m[1] ? "c" : m[2] ? "s" : m[3] ? "n" : m[4] ? "t" : words.has(m[5]) ? "k" : "";
      if (!kind) continue;
      out.append(text.slice(last, m.index));
      put(kind, m[0]);
      last = m.index + m[0].length;
    }
    out.append(text.slice(last));
    code.replaceChildren(out);
  };
  const dress = (where) => {
    for (const block of where.querySelectorAll(".code")) {
      const code = block.querySelector("code");
      if (!code || block.querySelector(".copy")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "copy";
      button.setAttribute("aria-label", "Copy code");
      button.addEventListener("click", () => copy(code.textContent));
      block.append(button);
      colour(code);
    }
  };

  // Search while typing: a question for every change, the last one wins.
  const search = (form) => {
    const field = form.querySelector("input[type=search]"), results = document.querySelector("[data-results]");
    let pending, asked = location.search;
    const address = () => {
      const p = new URLSearchParams();
      for (const [k, v] of new FormData(form)) if (v.trim()) p.set(k, v.trim());
      return p.toString();
    };
    const ask = async (keep) => {
      const q = address();
      if (q === asked) return;
      asked = q;
      pending?.abort();
      pending = new AbortController();
      try {
        const r = await fetch("/hits?" + q, { signal: pending.signal, headers: { Accept: "text/html" } });
        const html = await r.text();
        if (q !== asked) return;
        if (!r.ok) { results.textContent = "The server could not answer: " + r.status; return; }
        setHTML(results, html);
        results.dataset.for = field.value;
        dress(results);
        history[keep ? "pushState" : "replaceState"](null, "", q ? "/?" + q : "/");
        document.title = (field.value.trim() || "Search") + document.title.slice(document.title.indexOf(" · "));
      } catch (e) {
        if (e.name !== "AbortError") results.textContent = "The server does not answer.";
      }
    };
    field.addEventListener("input", () => ask(false));
    form.addEventListener("change", (e) => { if (e.target !== field) ask(true); });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      ask(true);
      document.querySelector("[data-hit]")?.click();
    });
    addEventListener("popstate", () => {
      const p = new URLSearchParams(location.search);
      for (const el of form.elements) if (el.name) { if (el.type === "checkbox") el.checked = p.get(el.name) === el.value; else el.value = p.get(el.name) || ""; }
      ask(false);
    });
    return { field, form };
  };

  // Arrow keys walk through the hits.
  const walk = (step, box) => {
    const hits = [...document.querySelectorAll("[data-hit]")];
    if (!hits.length) return false;
    const at = hits.indexOf(document.activeElement);
    if (at < 0 && step < 0) return false;
    if (at + step < 0) { box?.field.focus(); return true; }
    const to = hits[Math.min(at + step, hits.length - 1)];
    to.focus();
    to.closest("li").scrollIntoView({ block: "nearest" });
    return true;
  };

  const follow = () => { // the table of contents knows where the reader is
    const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
    if (!links.size || !window.IntersectionObserver) return;
    let now;
    const seen = new IntersectionObserver((entries) => {
      for (const e of entries) if (e.isIntersecting) {
        now?.classList.remove("now");
        now = links.get(e.target.id);
        now?.classList.add("now");
      }
    }, { rootMargin: "-60px 0px -70% 0px" });
    for (const id of links.keys()) { const h = document.getElementById(id); if (h) seen.observe(h); }
  };

  document.addEventListener("DOMContentLoaded", () => {
    toast = document.querySelector(".toast");
    const help = document.querySelector("dialog.help");
    const form = document.querySelector("form[data-search]");
    const box = form ? search(form) : null;
    const details = document.querySelector("[data-contents]");
    if (details && matchMedia("(max-width: 52rem)").matches) details.open = false;
    dress(document);
    follow();
    document.addEventListener("click", (e) => {
      const el = e.target.closest?.("[data-do],[data-copy]");
      if (!el) return;
      if (el.dataset.do === "theme") switchTheme();
      else if (el.dataset.do === "help") help.showModal();
      else copy(el.dataset.copy);
    });
    let before = "";
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName);
      const inBox = box && document.activeElement === box.field;
      if (e.key === "ArrowDown" && (inBox || !typing) && walk(1, box)) { e.preventDefault(); return; }
      if (e.key === "ArrowUp" && !typing && walk(-1, box)) { e.preventDefault(); return; }
      if (e.key === "Escape" && box) {
        if (inBox && box.field.value) { box.field.value = ""; box.field.dispatchEvent(new Event("input")); } else box.field.focus();
        return;
      }
      if (typing) return;
      const last = before;
      before = e.key;
      const pages = { s: "/", m: "/map", h: "/health", i: "/index" };
      if (e.key === "/") {
        e.preventDefault();
        if (box) { box.field.focus(); box.field.select(); } else location.href = "/" + (new URLSearchParams(location.search).get("in") ? "?in=" + encodeURIComponent(new URLSearchParams(location.search).get("in")) : "");
      } else if (e.key === "?") help.showModal();
      else if (last === "g" && pages[e.key]) location.href = document.querySelector(`.bar nav a[href^="${pages[e.key]}"]`)?.href || pages[e.key];
      else if (e.key === "a") {
        const agent = form?.querySelector("[name=view]");
        if (agent) agent.click(); else document.querySelector("[data-toggle]")?.click();
      }
    });
  });
})();
