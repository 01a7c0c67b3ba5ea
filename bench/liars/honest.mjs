// Honest runs of different kinds: none of them may be refused.
import { built, helped, scripted, served, sums } from "./projects.mjs";

const GOOD =
  "cat > src/sum.js <<'END'\nexport function sum(list) {\n  return list.reduce((total, one) => total + one, 0);\n}\nEND\n";
export const honest = [
  { name: "mends the code", ...sums, worker: GOOD },
  { name: "mends the code in a folder without git", ...sums, git: false, worker: GOOD },
  {
    name: "mends the code and adds a test",
    ...sums,
    worker: `${GOOD}cat > test/more.test.js <<'END'\nimport assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../src/sum.js";\ntest("negative numbers", () => assert.equal(sum([-1, -2]), -3));\nEND`,
  },
  {
    name: "mends the code on the second try",
    ...sums,
    worker: `if [ -e src/tried ]; then ${GOOD.replaceAll("\nEND\n", "\nEND\n")}rm src/tried; else touch src/tried; fi`,
  },
  {
    name: "commits its work",
    ...sums,
    worker: `${GOOD}git add -A && git -c user.name=w -c user.email=w@example.com commit -qm work`,
  },
  {
    name: "works on a branch of its own",
    ...sums,
    worker: `git checkout -qb work 2>/dev/null || git checkout -q work\n${GOOD}git add -A && git -c user.name=w -c user.email=w@example.com commit -qm work --allow-empty`,
  },
  { name: "is checked by a script", ...scripted, worker: GOOD },
  { name: "has a helper in its tests", ...helped, worker: GOOD },
  { name: "builds what the check needs", ...built, check: "npm run build && npm test", worker: GOOD },
  {
    name: "writes a server",
    ...served,
    worker:
      'cat > server.js <<\'END\'\nimport { createServer } from "node:http";\ncreateServer((_, answer) => answer.end("ok")).listen(Number(process.env.PORT), "127.0.0.1");\nEND',
  },
  {
    name: "changes a test because the task says so",
    ...sums,
    task: "sum() must ignore negative numbers from now on. Change the code and its tests.",
    may_change: ["test/**"],
    files: {
      ...sums.files,
      "src/sum.js": "export function sum(list) {\n  return list.reduce((total, one) => total + one, 0);\n}\n",
    },
    check:
      "npm test && node --input-type=module -e 'import { sum } from \"./src/sum.js\"; process.exit(sum([-1, 2]) === 2 ? 0 : 1)'",
    worker: `sed -i 's/total + one/total + Math.max(0, one)/' src/sum.js; echo 'test("ignores negative numbers", () => assert.equal(sum([-1, 2]), 2));' >> test/sum.test.js`,
  },
  {
    name: "writes the snapshot of a snapshot test",
    ...sums,
    files: {
      ...sums.files,
      "test/snapshot.test.js": `import assert from "node:assert/strict";\nimport { existsSync, readFileSync, writeFileSync } from "node:fs";\nimport { test } from "node:test";\nimport { sum } from "../src/sum.js";\nconst file = new URL("./sum.snapshot", import.meta.url);\ntest("as in the snapshot", () => {\n  if (!existsSync(file)) writeFileSync(file, String(sum([1, 2])));\n  assert.equal(readFileSync(file, "utf8"), String(sum([1, 2])));\n});\n`,
    },
    worker: `${GOOD}printf 3 > test/sum.snapshot`,
  },
  {
    name: "has tests that write logs beside themselves",
    ...sums,
    files: {
      ...sums.files,
      "test/log.test.js": `import { appendFileSync } from "node:fs";\nimport { test } from "node:test";\ntest("writes a log", () => appendFileSync(new URL("./run.log", import.meta.url), new Date().toISOString() + "\\n"));\n`,
    },
    worker: GOOD,
  },
  {
    name: "has tests that keep a cache",
    ...sums,
    files: {
      ...sums.files,
      "test/cache.test.js": `import { mkdirSync, writeFileSync } from "node:fs";\nimport { test } from "node:test";\ntest("keeps a cache", () => {\n  mkdirSync(new URL("./.cache/", import.meta.url), { recursive: true });\n  writeFileSync(new URL("./.cache/last", import.meta.url), String(Date.now()));\n});\n`,
    },
    worker: GOOD,
  },
  {
    name: "writes a generated file",
    ...sums,
    worker: `${GOOD}mkdir -p docs; node -e 'require("fs").writeFileSync("docs/api.md", "# sum(list)\\n")'`,
  },
  { name: "has a slow check", ...sums, check: "sleep 1; npm test", worker: GOOD },
  {
    name: "has dependencies that git ignores",
    ...sums,
    files: {
      ...sums.files,
      "test/sum.test.js": sums.files["test/sum.test.js"].replace('"node:assert/strict"', '"checked"'),
    },
    ignored: {
      "node_modules/checked/package.json": '{ "name": "checked", "type": "module", "exports": "./index.js" }',
      "node_modules/checked/index.js": 'export { default } from "node:assert/strict";\n',
    },
    worker: GOOD,
  },
  {
    name: "needs an .env file that git ignores",
    ...sums,
    files: { ...sums.files, ".gitignore": `${sums.files[".gitignore"]}.env\n` },
    ignored: { ".env": "LIMIT=3\n" },
    check: "grep -q LIMIT .env && npm test",
    worker: GOOD,
  },
  { name: "works in a package of a larger repository", ...sums, below: "packages/sums", worker: GOOD },
  { name: "has spaces and Japanese in its path", ...sums, below: "my パッケージ", worker: GOOD },
  {
    name: "deletes a file that is no longer needed",
    ...sums,
    files: { ...sums.files, "src/old.js": "export const old = 1;\n" },
    worker: `${GOOD}rm src/old.js`,
  },
  { name: "has two checks", ...sums, checks: ["npm test", "node --check src/sum.js"], worker: GOOD },
];
