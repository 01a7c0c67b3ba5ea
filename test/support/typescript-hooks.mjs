import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/e8-test-sources/", import.meta.url));

/** Lets a plain Node process import our sources as they are. */
export function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const source = compiled(readFileSync(fileURLToPath(url), "utf8"));
  return { format: "module", source, shortCircuit: true };
}

/** By what stands in it: to load the compiler takes longer than most programs that are tested so. */
function compiled(text) {
  const path = `${CACHE}${createHash("sha256").update(text).digest("hex")}.js`;
  try {
    return readFileSync(path, "utf8");
  } catch {
    const source = compile(text);
    keep(path, source);
    return source;
  }
}

/** Some of these programs are started where nothing can be written. */
function keep(path, source) {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(draft, source);
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

function compile(text) {
  const typescript = createRequire(import.meta.url)("typescript");
  const compilerOptions = {
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
  };
  return typescript.transpileModule(text, { compilerOptions }).outputText;
}
