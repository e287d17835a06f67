// A whole session with the official TypeScript client: over standard input and
// output with a command, over HTTP with a URL.
//
//   node session.mjs stdio docent serve --root docs
//   node session.mjs http http://127.0.0.1:8300/mcp
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, target, ...args] = process.argv.slice(2);
const transport = kind === "http" ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: target, args });
const client = new Client({ name: "session", version: "1.0.0" });
const text = (result) => result.content[0].text;
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);

await client.connect(transport);
assert.match(client.getInstructions(), /Documentation of "Harbour", \d+ Markdown files: "A self-hosted job queue/);

const { tools } = await client.listTools();
assert.equal(tools[0].name, "search");
assert.ok(tools.every((t) => t.annotations.readOnlyHint));

const found = text(await call("search", { query: "how do I rotate keys" }));
const citation = found.match(/^# \[1\] (\S+)/)[1];
const section = text(await call("get_section", { ref: citation }));
assert.ok(section.startsWith(`# ${citation.split("#")[0]}`), section);
assert.match(text(await call("read", { ref: citation.split("@")[0], limit: 5 })), /^\s*\d+  /);
assert.match(text(await call("grep", { pattern: "rotate", limit: 3 })), /keys\.md/);
assert.match(text(await call("toc", {})), /faq\.md/);

const wrong = await call("search", { question: "x" });
assert.ok(wrong.isError);
assert.match(text(wrong), /parameter "query" is missing/);
await assert.rejects(call("nope", {}), /unknown tool/);

const abort = new AbortController();
const cancelled = call("search", { query: "keys" }, { signal: abort.signal });
abort.abort("changed my mind");
await assert.rejects(cancelled, /changed my mind/);
assert.match(text(await call("search", { query: "retry dead jobs", limit: 1 })), /retries\.md/);

const { resources } = await client.listResources();
const { contents } = await client.readResource({ uri: resources[0].uri });
assert.ok(contents[0].text.length > 0);
const { completion } = await client.complete({ ref: { type: "ref/resource", uri: "docent://harbour/{+path}" }, argument: { name: "path", value: "guide/" } });
assert.ok(completion.values.every((p) => p.startsWith("guide/")));
const { messages } = await client.getPrompt({ name: "ask-docs", arguments: { question: "why?" } });
assert.match(messages[0].content.text, /why\?/);
await client.close();
