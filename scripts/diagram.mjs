// Draws the layer diagram of ARCHITECTURE.md from the imports as they are. `--check` only tells whether it is up to date.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

const FILE = new URL("../ARCHITECTURE.md", import.meta.url);
const BETWEEN = /(<!-- diagram -->\n)[\s\S]*?(<!-- \/diagram -->)/;

const cruised = execFileSync(
  "npx",
  [
    "depcruise",
    "src",
    "--output-type",
    "mermaid",
    "--include-only",
    "^src",
    "--collapse",
    "^src/(connection/ports|[^/]+)",
  ],
  { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
);
const before = readFileSync(FILE, "utf8");
if (!BETWEEN.test(before)) throw new Error("ARCHITECTURE.md has no place for the diagram");
const drawn = `\n\`\`\`mermaid\n${cruised.trim()}\n\`\`\`\n\n`;
const after = before.replace(BETWEEN, (_, open, close) => `${open}${drawn}${close}`);

if (process.argv.includes("--check")) process.exitCode = before === after ? 0 : 1;
else writeFileSync(FILE, after);
