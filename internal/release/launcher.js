#!/usr/bin/env node
// Runs the program that the optional package for this system carries.
"use strict";

const { spawn } = require("node:child_process");
const { sep } = require("node:path");
const { isatty } = require("node:tty");

const name = `@docent-md/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "docent.exe" : "docent";

let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(`docent: the package ${name} is not installed.`);
  console.error("docent: install docent-md again without --omit=optional, or see https://github.com/docent-md/docent for other ways");
  process.exit(2);
}

// The program ends by a signal as it would alone: a client that stops the launcher stops it.
// A terminal sends Ctrl-C to both, and docent takes a second one for "at once".
const terminal = [0, 1, 2].some((fd) => isatty(fd));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !terminal) child.kill(signal);
  });
}
// npx installs into a folder of its own cache, and "docent mcp-config" must not name a program from there.
const env = __dirname.split(sep).includes("_npx") ? { ...process.env, DOCENT_LAUNCHER: "npx" } : process.env;
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", env });
child.on("error", (err) => {
  console.error(`docent: ${err.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  process.exit(code);
});
