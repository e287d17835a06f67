// Two agents on one client of a library ask docent the same, and a client that listens is
// told of a new file.
//
//   node library.mjs LIBRARY stdio FILE docent serve ...
//   node library.mjs LIBRARY http FILE http://127.0.0.1:8300/mcp
//
// LIBRARY is sdk, client, langchain or ai-sdk. FILE is written where the client is one that
// can be told; "-" means not.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";

const [library, kind, file, target, ...args] = process.argv.slice(2);
const http = kind === "http";
const question = { query: "rotate key" };
const textOf = (result) => result.content.map((c) => c.text).join("");

// Each opens a client, and returns: the names of its tools, a function that calls search,
// a promise of the news that the list of resources has changed, and how to end it.
const libraries = {
  async sdk() {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { ResourceListChangedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js");
    let transport;
    if (http) {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
      transport = new StreamableHTTPClientTransport(new URL(target));
    } else transport = new StdioClientTransport({ command: target, args });
    const client = new Client({ name: "matrix", version: "1" }, { capabilities: {} });
    const news = new Promise((told) => client.setNotificationHandler(ResourceListChangedNotificationSchema, told));
    await client.connect(transport);
    const { tools } = await client.listTools();
    const search = async () => textOf(await client.callTool({ name: "search", arguments: question }));
    return { names: tools.map((t) => t.name), search, news, close: () => client.close() };
  },
  async client() {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const transport = http ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: target, args });
    let onChanged;
    const news = new Promise((told) => (onChanged = told));
    const options = { versionNegotiation: { mode: "auto" }, listChanged: { resources: { autoRefresh: false, onChanged } } };
    const client = new Client({ name: "matrix", version: "1" }, options);
    await client.connect(transport);
    const { tools } = await client.listTools();
    const search = async () => textOf(await client.callTool({ name: "search", arguments: question }));
    return { names: tools.map((t) => t.name), search, news, close: () => client.close() };
  },
  async langchain() {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
    let onResourcesListChanged;
    const news = new Promise((told) => (onResourcesListChanged = told));
    const docent = http ? { transport: "http", url: target } : { transport: "stdio", command: target, args };
    const client = new MultiServerMCPClient({ mcpServers: { docent }, onResourcesListChanged });
    const tools = await client.getTools();
    const search = async () => {
      const out = await tools.find((t) => t.name.endsWith("search")).invoke(question);
      return typeof out === "string" ? out : JSON.stringify(out);
    };
    return { names: tools.map((t) => t.name), search, news, close: () => client.close() };
  },
  async "ai-sdk"() {
    const { createMCPClient } = await import("@ai-sdk/mcp");
    let transport = { type: "http", url: target };
    if (!http) {
      const { Experimental_StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio");
      transport = new Experimental_StdioMCPTransport({ command: target, args });
    }
    const client = await createMCPClient({ transport });
    const tools = await client.tools();
    const search = async () => textOf(await tools.search.execute(question, { toolCallId: "1", messages: [] }));
    return { names: Object.keys(tools), search, close: () => client.close() };
  },
};

const agent = await libraries[library]();
assert.ok(["search", "get_section", "read", "grep", "toc", "examples"].every((n) => agent.names.includes(n)), String(agent.names));
let first;
do first = await agent.search(); // at first files may still be compared, and the answer says so
while (first.includes("index is being refreshed"));
assert.match(first, /keys\.md#rotate-a-key/);
assert.equal(await agent.search(), first, "the second agent on this client was told something else");
console.log("tools, search, the same text twice");
if (file !== "-" && agent.news) {
  writeFileSync(file, "# New\n\nA page that was not there before.\n");
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("no news of the new file")), 30000).unref());
  await Promise.race([agent.news, late]);
  console.log("list_changed");
}
await agent.close();
console.log("ended well");
