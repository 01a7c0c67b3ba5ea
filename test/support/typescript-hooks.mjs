import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import typescript from "typescript";

const compilerOptions = {
  module: typescript.ModuleKind.ESNext,
  target: typescript.ScriptTarget.ES2023,
  verbatimModuleSyntax: true,
};

/** Lets a plain Node process import our sources as they are. */
export function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const text = readFileSync(fileURLToPath(url), "utf8");
  const source = typescript.transpileModule(text, { compilerOptions }).outputText;
  return { format: "module", source, shortCircuit: true };
}
