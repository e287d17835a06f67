// What documents need to be used: colours and copy buttons of code, tabs, diagrams.
"use strict";
(() => {
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
  const colourText = (node, lang) => {
    const text = node.textContent, out = document.createDocumentFragment();
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
    node.replaceWith(out);
  };
  const colour = (code) => {
    const lang = code.dataset.lang || "";
    if (plainLangs.has(lang) || code.dataset.plain !== undefined || code.dataset.done || code.textContent.length > 20000) return;
    code.dataset.done = "1";
    const each = (node) => {
      if (node.nodeType === Node.TEXT_NODE) colourText(node, lang);
      else if (!node.classList.contains("line-number")) for (const inner of [...node.childNodes]) each(inner);
    };
    for (const node of [...code.childNodes]) each(node);
  };

  // Sections of tabs that stand beside each other become tabs. Those of the same names
  // switch together.
  let count = 0;
  const select = (set, name) => {
    for (const b of set.querySelectorAll(":scope > .tablist > button")) {
      const on = b.textContent === name;
      b.setAttribute("aria-selected", String(on));
      b.tabIndex = on ? 0 : -1;
      document.getElementById(b.getAttribute("aria-controls")).hidden = !on;
    }
  };
  const names = (set) => [...set.querySelectorAll(":scope > .tablist > button")].map((b) => b.textContent);
  const tabSet = (sections) => {
    const set = document.createElement("div"), list = document.createElement("div");
    set.className = "tabset";
    list.className = "tablist";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "variants");
    sections[0].before(set);
    set.append(list);
    const used = new Set();
    for (const s of sections) {
      const label = s.querySelector(":scope > .label");
      let name = (label?.textContent || "").trim() || "Tab";
      while (used.has(name)) name += " ";
      used.add(name);
      label?.remove();
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = name;
      b.id = "docent-tab-" + ++count;
      s.id = "docent-panel-" + count;
      b.setAttribute("role", "tab");
      b.setAttribute("aria-controls", s.id);
      s.setAttribute("role", "tabpanel");
      s.setAttribute("aria-labelledby", b.id);
      s.tabIndex = 0;
      list.append(b);
      set.append(s);
    }
    select(set, names(set)[0]);
    list.addEventListener("click", (e) => {
      const b = e.target.closest("button");
      if (!b) return;
      for (const other of document.querySelectorAll(".tabset")) if (other === set || names(other).includes(b.textContent)) select(other, b.textContent);
    });
    list.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const all = [...list.children], at = all.indexOf(document.activeElement);
      const to = all[(at + step + all.length) % all.length];
      e.preventDefault();
      e.stopPropagation();
      to.focus();
      to.click();
    });
  };
  const tabs = (where) => {
    const seen = new Set();
    for (const first of where.querySelectorAll("section.tab")) {
      if (seen.has(first) || first.parentElement.className === "tabset") continue;
      const group = [];
      for (let s = first; s && s.matches("section.tab"); s = s.nextElementSibling) { group.push(s); seen.add(s); }
      tabSet(group);
    }
  };
  // What an address leads to is shown, though it is in another tab or folded.
  const reveal = () => {
    let el;
    try { el = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    for (let up = el?.parentElement; up; up = up.parentElement) {
      if (up.matches("details")) up.open = true;
      if (up.matches(".tab[hidden]")) select(up.parentElement, document.getElementById(up.getAttribute("aria-labelledby")).textContent);
    }
    if (el && el.closest(".tabset, details")) el.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  // Diagrams are drawn in a frame of their own, which has no origin, and shown as pictures.
  // Their source stays below them, and alone where it cannot be drawn.
  let frame, ready = false;
  const jobs = [];
  const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const send = (id) => frame.contentWindow.postMessage({ id, source: jobs[id].source, dark: isDark() }, "*");
  const show = (job, { svg, width, height, error }) => {
    if (error || typeof svg !== "string") {
      if (!job.box) {
        const p = document.createElement("p");
        p.className = "code-title";
        p.textContent = "This diagram cannot be drawn: " + error;
        job.code.prepend(p);
      }
      return;
    }
    if (!job.box) {
      job.box = document.createElement("div");
      job.box.className = "diagram";
      job.img = document.createElement("img");
      job.img.alt = "diagram: " + job.source.trim().split("\n")[0];
      const details = document.createElement("details"), summary = document.createElement("summary");
      summary.textContent = "source";
      summary.className = "small dim";
      job.box.append(job.img);
      job.code.before(job.box);
      details.append(summary, job.code);
      job.box.after(details);
    }
    if (job.img.src) URL.revokeObjectURL(job.img.src);
    job.img.width = width;
    job.img.height = height;
    job.img.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  };
  const diagrams = (where) => {
    const all = [...where.querySelectorAll(".doc [data-diagram]")];
    if (!all.length || frame) return;
    for (const code of all) jobs.push({ code, source: code.querySelector("code").textContent });
    frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.className = "draws";
    frame.title = "draws the diagrams";
    frame.tabIndex = -1;
    frame.setAttribute("aria-hidden", "true");
    frame.src = "/diagram";
    addEventListener("message", (e) => {
      if (e.source !== frame.contentWindow) return;
      if (e.data === "ready") { ready = true; for (const id of jobs.keys()) send(id); } else if (jobs[e.data?.id]) show(jobs[e.data.id], e.data);
    });
    document.body.append(frame);
    const again = () => { if (ready) for (const id of jobs.keys()) send(id); };
    new MutationObserver(again).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  };

  // Colours can wait until the page is there to be read.
  const afterPaint = (f) => requestAnimationFrame(() => setTimeout(f));

  window.docent.dress = (where) => {
    const codes = [];
    for (const block of where.querySelectorAll(".code")) {
      const code = block.querySelector("code");
      if (!code || block.querySelector(".copy")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "copy";
      button.setAttribute("aria-label", "Copy code");
      button.addEventListener("click", () => window.docent.copy(code.textContent));
      block.append(button);
      codes.push(code);
    }
    if (codes.length) afterPaint(() => codes.forEach(colour));
    tabs(where);
    diagrams(where);
    if (where === document) reveal();
  };
})();
