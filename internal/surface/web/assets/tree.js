// The tree of pages: folders open in place, and a filter finds any page.
"use strict";
for (const tree of document.querySelectorAll("[data-tree]")) {
  const { fetchHTML } = window.docent;
  const filter = tree.querySelector("[data-tree-filter]"), found = tree.querySelector("[data-tree-found]"), all = tree.querySelector("[data-tree-all]");

  const toggle = async (button, open = button.getAttribute("aria-expanded") !== "true") => {
    const item = button.closest("li");
    let branch = item.querySelector(":scope > .branch");
    if (open && !branch) {
      branch = document.createElement("ul");
      branch.className = "branch";
      item.append(branch);
      if (!await fetchHTML(branch, button.dataset.load)) { branch.remove(); return; }
    }
    button.setAttribute("aria-expanded", String(open));
    if (branch) branch.hidden = !open;
  };

  const more = async (link) => { // the rest of a long folder, in its place
    const at = link.closest("li"), box = document.createElement("ul");
    if (!await fetchHTML(box, link.dataset.load)) { location.href = link.href; return; }
    const first = box.querySelector("a");
    at.replaceWith(...box.children);
    first?.focus();
  };

  tree.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    const button = e.target.closest(".twist"), rest = e.target.closest(".rest a");
    if (button) toggle(button);
    else if (rest) { e.preventDefault(); more(rest); }
  });

  // Arrow keys: up and down through what is visible, right opens, left closes or goes up.
  tree.addEventListener("keydown", (e) => {
    if (!e.key.startsWith("Arrow") || e.target === filter && e.key !== "ArrowDown") return;
    const links = [...tree.querySelectorAll("a")].filter((a) => a.offsetParent && !a.closest(".tree-head"));
    const item = e.target.closest("li"), button = item?.querySelector(":scope > .twist");
    const at = links.indexOf(item?.querySelector(":scope > a"));
    e.preventDefault();
    e.stopPropagation();
    if (e.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (e.key === "ArrowUp") (links[at - 1] || filter).focus();
    else if (e.key === "ArrowRight" && button) toggle(button, true);
    else if (e.key === "ArrowLeft") {
      if (button?.getAttribute("aria-expanded") === "true") toggle(button, false);
      else item?.parentElement.closest("li")?.querySelector(":scope > a").focus();
    }
  });

  let asked = "";
  filter.addEventListener("input", async () => {
    const q = filter.value.trim();
    asked = q;
    if (!q) { found.hidden = true; all.hidden = false; return; }
    const box = document.createElement("div");
    const url = tree.dataset.load + (tree.dataset.load.includes("?") ? "&" : "?") + "q=" + encodeURIComponent(q);
    if (!await fetchHTML(box, url) || q !== asked) return;
    found.replaceChildren(...box.childNodes);
    found.hidden = false;
    all.hidden = true;
  });
  filter.addEventListener("keydown", (e) => {
    if (e.key === "Enter") found.querySelector("a")?.click();
    else if (e.key === "Escape" && filter.value) {
      e.stopPropagation();
      filter.value = "";
      filter.dispatchEvent(new Event("input"));
    }
  });

  const here = tree.querySelector("[aria-current]");
  if (here && getComputedStyle(tree).position === "sticky") tree.scrollTop = here.offsetTop - tree.clientHeight / 3;
}
