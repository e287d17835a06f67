// Marks the words of a search in the page that it led to.
"use strict";
for (const article of document.querySelectorAll("[data-mark]")) {
  const words = article.dataset.mark.split(" ").filter(Boolean), most = 400;
  // The same rule as in excerpts: the word itself, or one with a long common beginning.
  const like = (word) => words.some((w) => {
    let n = 0;
    while (n < word.length && n < w.length && word[n] === w[n]) n++;
    return word === w || n >= 4 && word.length - n <= 4 && w.length - n <= 3 || n >= 3 && n === w.length && word.length - n <= 2;
  });
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("script, style, svg, math, button, .anchor, .sr")) texts.push(walker.currentNode);
  let count = 0;
  for (const text of texts) {
    const out = document.createDocumentFragment(), s = text.data;
    let last = 0;
    for (const m of s.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
      if (count >= most || !like(m[0].toLowerCase())) continue;
      const mark = document.createElement("mark");
      mark.textContent = m[0];
      out.append(s.slice(last, m.index), mark);
      last = m.index + m[0].length;
      count++;
    }
    if (last) { out.append(s.slice(last)); text.replaceWith(out); }
  }
  const note = document.querySelector("[data-marks]");
  if (note && count) {
    note.querySelector("[data-marks-count]").textContent = `${count} ${count === 1 ? "word" : "words"} of your search ${count === 1 ? "is" : "are"} marked.`;
    note.hidden = false;
  }
}
