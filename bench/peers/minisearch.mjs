// Answers questions with MiniSearch. Reads lines of JSON: {"chunk": [title, headings, body]}
// in turn, then {"question": text}; prints for each question the numbers of the best
// hundred chunks, and at the end the milliseconds of CPU that questions took.
import { createInterface } from "node:readline";
import MiniSearch from "minisearch";

const index = new MiniSearch({
  fields: ["title", "headings", "body"],
  searchOptions: { boost: { title: 2, headings: 1.5 }, prefix: (term) => term.length > 4, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
});
let chunks = 0;
let questions = 0;
let spent = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const item = JSON.parse(line);
  if (item.chunk) {
    const [title, headings, body] = item.chunk;
    index.add({ id: chunks++, title, headings, body });
    continue;
  }
  const before = process.cpuUsage();
  const found = index.search(item.question).slice(0, 100);
  const used = process.cpuUsage(before);
  spent += (used.user + used.system) / 1000;
  questions++;
  console.log(JSON.stringify(found.map((f) => f.id)));
}
console.log(JSON.stringify({ ms: spent / Math.max(questions, 1) }));
