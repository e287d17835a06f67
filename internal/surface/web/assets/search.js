// Search while typing, on the page for it and in the box that opens over any other.
"use strict";
(() => {
  const { fetchHTML } = window.docent;

  // walk moves the focus through the hits in an element; above the first is the field.
  const walk = (where, field, step) => {
    const hits = [...where.querySelectorAll("[data-hit]")];
    const at = hits.indexOf(document.activeElement);
    if (!hits.length || at < 0 && step < 0) return false;
    if (at + step < 0) { field.focus(); return true; }
    const to = hits[Math.min(at + step, hits.length - 1)];
    to.focus();
    to.closest("li").scrollIntoView({ block: "nearest" });
    return true;
  };

  // asker returns a function that shows the answer to a question in an element, unless a
  // later question came before it.
  const asker = (results) => {
    let pending, asked;
    const ask = async (params) => {
      const q = params.toString();
      if (q === asked) return false;
      asked = q;
      pending?.abort();
      pending = new AbortController();
      const box = document.createElement("div");
      if (!await fetchHTML(box, "/hits?" + q, pending.signal) || q !== asked) return false;
      results.replaceChildren(...box.childNodes);
      window.docent.dress?.(results);
      return true;
    };
    ask.forget = () => { pending?.abort(); asked = undefined; };
    return ask;
  };

  const searchPage = (form) => {
    const field = form.querySelector("input[type=search]"), results = document.querySelector("[data-results]");
    const home = document.querySelector("[data-home]"), filters = document.querySelector("[data-filters]"), heading = document.querySelector("[data-heading]");
    const send = asker(results), first = document.title, suffix = first.slice(first.indexOf(" · "));
    const ask = async (keep) => {
      const params = new URLSearchParams();
      for (const [k, v] of new FormData(form)) if (v.trim()) params.set(k, v.trim());
      const q = params.toString(), text = field.value;
      if (!await send(params)) return;
      results.dataset.for = text;
      if (home) home.hidden = Boolean(text.trim());
      filters.hidden = false;
      heading.classList.toggle("quiet", Boolean(text.trim()) || !home);
      history[keep ? "pushState" : "replaceState"](null, "", q ? "/?" + q : "/");
      document.title = text.trim() ? text.trim() + suffix : first;
    };
    field.addEventListener("input", () => ask(false));
    form.addEventListener("change", (e) => { if (e.target !== field) ask(true); });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      ask(true);
      results.querySelector("[data-hit]")?.click();
    });
    results.addEventListener("click", async (e) => { // more results, in their place
      const more = e.target.closest("[data-more]");
      if (!more || e.ctrlKey || e.metaKey) return;
      e.preventDefault();
      const count = results.querySelectorAll("[data-hit]").length, url = new URL(more.href);
      if (!await send(url.searchParams)) return;
      history.replaceState(null, "", url);
      results.querySelectorAll("[data-hit]")[count]?.focus();
    });
    addEventListener("popstate", () => {
      const p = new URLSearchParams(location.search);
      for (const el of form.elements) if (el.name) { if (el.type === "checkbox") el.checked = p.get(el.name) === el.value; else el.value = p.get(el.name) || ""; }
      ask(false);
    });
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
      const inField = document.activeElement === field, typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName);
      if (e.key === "ArrowDown" && (inField || !typing) && walk(results, field, 1)) e.preventDefault();
      else if (e.key === "ArrowUp" && !typing && walk(results, field, -1)) e.preventDefault();
      else if (e.key === "Escape" && inField && field.value) { field.value = ""; ask(false); }
      else if (e.key === "Escape" && !typing) field.focus();
    });
    return () => { field.focus(); field.select(); };
  };

  // The box over a page. Closed, it has no question and no answer, and the page is as it was.
  const palette = (dialog) => {
    const form = dialog.querySelector("form"), field = form.querySelector("input[type=search]");
    const results = dialog.querySelector("[data-palette-results]"), all = dialog.querySelector("[data-palette-all]");
    const send = asker(results);
    const params = () => new URLSearchParams([...new FormData(form)].filter(([, v]) => v.trim()));
    field.addEventListener("input", async () => {
      const p = params();
      all.hidden = !field.value.trim();
      all.href = "/?" + p;
      if (!field.value.trim()) { send.forget(); results.replaceChildren(); return; }
      p.set("brief", "1");
      if (await send(p)) results.dataset.for = field.value;
    });
    form.addEventListener("submit", (e) => {
      const first = results.querySelector("[data-hit]");
      if (first && results.dataset.for === field.value) { e.preventDefault(); first.click(); }
    });
    dialog.addEventListener("click", (e) => {
      if (e.target === dialog) dialog.close();
      else if (e.target.closest("a") && !e.ctrlKey && !e.metaKey) dialog.close();
    });
    dialog.addEventListener("keydown", (e) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (step && walk(dialog, field, step)) e.preventDefault();
    });
    dialog.addEventListener("close", () => {
      send.forget();
      form.reset();
      results.replaceChildren();
      delete results.dataset.for;
      all.hidden = true;
      all.setAttribute("href", "/");
    });
    return () => { if (!dialog.open) dialog.showModal(); field.focus(); };
  };

  const form = document.querySelector("form[data-search]"), dialog = document.querySelector("[data-palette]");
  const open = form ? searchPage(form) : dialog ? palette(dialog) : null;
  window.docent.openSearch = open;
  document.addEventListener("keydown", (e) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName);
    const slash = e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey;
    const k = e.key.toLowerCase() === "k" && (e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey;
    if (!open || !slash && !k || document.querySelector("dialog.help[open]")) return;
    e.preventDefault();
    open();
  });
})();
