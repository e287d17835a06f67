// Draws the diagrams that the page around this frame sends, and sends them back as SVG. The
// frame has no origin, and its policy lets it fetch nothing.
"use strict";
(() => {
  let drawn = 0, queue = Promise.resolve();
  const draw = async ({ id, source, dark }) => {
    mermaid.initialize({
      startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, theme: dark ? "dark" : "neutral",
      fontFamily: "system-ui, sans-serif", htmlLabels: false, flowchart: { htmlLabels: false }, maxTextSize: 50000,
    });
    const { svg } = await mermaid.render("diagram" + ++drawn, source);
    const box = document.createElement("div");
    box.innerHTML = svg;
    const root = box.querySelector("svg");
    const [, , width, height] = (root.getAttribute("viewBox") || "0 0 600 400").split(/[\s,]+/).map(Number);
    root.setAttribute("width", width);
    root.setAttribute("height", height);
    return { id, svg: new XMLSerializer().serializeToString(root), width: Math.ceil(width), height: Math.ceil(height) };
  };
  addEventListener("message", (e) => {
    if (e.source !== parent) return;
    queue = queue.then(() => draw(e.data)).catch((err) => ({ id: e.data.id, error: String(err.message || err).slice(0, 300) }))
      .then((answer) => parent.postMessage(answer, "*"));
  });
  parent.postMessage("ready", "*");
})();
