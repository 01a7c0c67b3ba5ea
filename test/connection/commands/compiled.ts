import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { temporaryDirectory } from "./helpers.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Our sources as JavaScript, for tests that must run them in a process of its own and kill it. */
export async function compiledSources(...folders: string[]): Promise<string> {
  const target = await temporaryDirectory();
  await writeFile(join(target, "package.json"), '{"type":"module"}');
  await symlink(join(root, "node_modules"), join(target, "node_modules"));
  for (const folder of folders) await compileFolder(folder, target);
  return target;
}

async function compileFolder(folder: string, target: string): Promise<void> {
  for (const name of await readdir(join(root, "src", folder), { recursive: true })) {
    if (!name.endsWith(".ts")) continue;
    const source = await readFile(join(root, "src", folder, name), "utf8");
    const file = join(target, folder, name.replace(/\.ts$/, ".js"));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, ts.transpileModule(source, { compilerOptions }).outputText);
  }
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};
