// `node scripts/bundle.mjs`: makes the command line's files, dist/e8, out of src/cli. Few files start much sooner than many; what is
// loaded only when it is needed stays in files of its own. Of other packages the small ones that a run loads go in. They are CommonJS,
// whose compiled code can be kept from start to start on every Node (bin/kept-code.js).
import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Those of which a file each takes longer to find than to read. Of zod and of the Agent SDK, most is never used. */
const BUNDLED = [
  "@agentclientprotocol/sdk",
  "@anthropic-ai/claude-agent-sdk/core",
  "commander",
  "fastest-levenshtein",
  "minisearch",
  "picomatch",
  "unbash",
  "yaml",
  "zod",
];

/** Writes elsewhere first: another process may start the program, or bundle it, at the same time. */
export async function bundleInto(directory) {
  const draft = `${directory}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await write(draft);
    await rm(directory, { recursive: true, force: true });
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const RUN = ["cli/commands/run.ts", "connection/stores/files/open-task.ts"];

/**
 * Modules that are loaded together are in one file: to find and read a file takes longer than its text. Each part has what its roots load at
 * once and no part before it has. A part that follows is loaded by few of the commands that the ones before it are made for.
 */
const TOGETHER = [
  { name: "every-command", roots: ["cli/main.ts", "texts/en/catalogue.ts", "texts/ja/catalogue.ts"] },
  {
    name: "every-project",
    roots: ["compose/project.ts", "compose/choose-store.ts", "texts/sentences.ts", "cli/commands/list.ts"],
  },
  { name: "every-look", roots: ["cli/commands/show.ts", "cli/commands/status.ts", "cli/commands/issues.ts"] },
  // The dashboard's process lives long: what only runs need would stay in its memory.
  { name: "dashboard-and-run", roots: RUN, also: "cli/commands/dashboard.ts" },
  { name: "every-run", roots: RUN },
];

/** Names stay as they are, for those who read a stack trace. Reading the spaces, too, would take a start 15 ms longer. */
const WITHOUT_SPACE = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

async function write(dir) {
  const parts = new Map();
  const bundle = await rolldown({
    cwd: root,
    input: { main: "src/cli/main.ts", "git-helper": "src/connection/processes/git-helper-main.ts" },
    platform: "node",
    external: (id, importer) => /^(?![./\0])/.test(id) && !isBundled(id) && !isOfSdk(importer),
    plugins: [partitioning(parts), withoutServers(), importingOutside()],
    preserveEntrySignatures: "allow-extension",
  });
  const groups = [{ debugName: "together", name: (id) => parts.get(id) ?? null }];
  const codeSplitting = { groups, includeDependenciesRecursively: false }; // a part has them, or one before it has
  const { output } = await bundle.write({
    ...{ dir, format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name].cjs" },
    ...{ codeSplitting, minify: WITHOUT_SPACE },
  });
  await bundle.close();
  await writeFile(join(dir, "sources.json"), JSON.stringify(sourcesOf(output)));
  for (const name of BUNDLED) await copyLicense(name, dir);
}

function isBundled(id) {
  return BUNDLED.some((name) => id === name || id.startsWith(`${name}/`));
}

function isOfSdk(importer) {
  return /[\\/]claude-agent-sdk[\\/]/.test(importer ?? "");
}

/** The Agent SDK loads the MCP SDK for tools that its user serves in this process. We serve none. */
function withoutServers() {
  const NONE = "\0no-servers";
  const names = ["McpServer", "normalizeObjectSchema", "toJsonSchemaCompat"];
  return {
    name: "without-servers",
    resolveId(id, importer) {
      return isOfSdk(importer) && id.startsWith("@modelcontextprotocol/") ? NONE : null;
    },
    load: (id) => (id === NONE ? `export const ${names.map((name) => `${name} = undefined`).join(", ")};` : null),
  };
}

/** Has `import()` done by a file that is not in the bundle, see there. */
function importingOutside() {
  return {
    name: "importing-outside",
    renderChunk(code, { fileName }) {
      const starts = [];
      new Visitor({ "ImportExpression:exit": ({ start }) => starts.push(start) }).visit(
        parseSync(fileName, code).program,
      );
      starts.sort((a, b) => a - b);
      const pieces = [0, ...starts].map((start, index) => code.slice(start, starts[index]));
      const [first, ...others] = pieces;
      return first + others.map((piece) => piece.replace("import", 'require("../../bin/importing.cjs")')).join("");
    },
  };
}

/** Which modules each file was made of. */
function sourcesOf(output) {
  const chunks = output.filter(({ type }) => type === "chunk");
  return Object.fromEntries(
    chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => relative(root, id))]),
  );
}

/** Notes for each module the first of the parts that it goes into. */
function partitioning(parts) {
  return {
    name: "partitioning",
    buildEnd() {
      for (const part of TOGETHER)
        for (const id of modulesOf(this, part))
          if (!parts.has(id)) parts.set(id, isOfLanguage(part, id) ? null : part.name);
    },
  };
}

/** What the roots of a part import at once. `also`: a further root that must import it, too. */
function modulesOf(graph, { roots, also }) {
  const found = importedAtOnce(graph, roots);
  if (!also) return found;
  const others = importedAtOnce(graph, [also]);
  return [...found].filter((id) => others.has(id));
}

/** A language is loaded when it is spoken: what every command says of it stays in files of its own. */
function isOfLanguage({ name }, id) {
  return name === "every-command" && IN_A_LANGUAGE.test(id);
}

function importedAtOnce(graph, roots) {
  const found = new Set();
  const waiting = roots.map((path) => join(root, "src", path));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const module = found.has(id) ? null : graph.getModuleInfo(id);
    if (!module || module.isExternal) continue;
    found.add(id);
    waiting.push(...module.importedIds);
  }
  return found;
}

const IN_A_LANGUAGE = /[\\/]src[\\/]texts[\\/](en|ja)[\\/]/;

async function copyLicense(entryPoint, dir) {
  const [, name] = /^((?:@[^/]+\/)?[^/]+)/.exec(entryPoint);
  const entry = fileURLToPath(import.meta.resolve(entryPoint));
  const inside = join("node_modules", name);
  const folder = entry.slice(0, entry.lastIndexOf(inside) + inside.length);
  const [license = "LICENSE"] = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file));
  await copyFile(join(folder, license), `${dir}/${name.replace("/", ".")}.LICENSE`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleInto(`${root}dist/e8`);
