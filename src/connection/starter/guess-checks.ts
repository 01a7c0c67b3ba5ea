import { join } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../model/json.ts";
import { readTextFileIfThere } from "../files.ts";

/** The command that most likely tells whether this project is in order; undefined where nothing points at one. */
export async function guessCheck(project: string): Promise<string | undefined> {
  for (const [name, read] of GUESSES) {
    const file = await readTextFileIfThere(join(project, name)).catch(() => undefined);
    const command = file && read(file.text);
    if (command) return command;
  }
  return undefined;
}

/** In this order: a Makefile often only calls the others, and so comes last. */
const GUESSES: readonly (readonly [string, (text: string) => string | undefined])[] = [
  ["package.json", npmCheck],
  ["deno.json", () => "deno test"],
  ["pyproject.toml", (text) => (text.includes("[tool.poetry]") ? "poetry run pytest" : pythonCheck(text))],
  ["Cargo.toml", () => "cargo test"],
  ["go.mod", () => "go test ./..."],
  ["Makefile", (text) => ["check", "test"].flatMap((target) => makeTarget(text, target))[0]],
];

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
});

/** What `npm init` writes before there are tests. */
const NO_TESTS = /no test specified/;

function npmCheck(text: string): string | undefined {
  const manifest = Manifest.safeParse(jsonIn(text)).data;
  const test = manifest?.scripts?.test;
  if (!test || NO_TESTS.test(test)) return undefined;
  return `${/^(pnpm|yarn|bun)@/.exec(manifest?.packageManager ?? "")?.[1] ?? "npm"} test`;
}

function pythonCheck(text: string): string {
  return text.includes("[tool.uv]") ? "uv run pytest" : "python -m pytest";
}

function makeTarget(text: string, target: string): string[] {
  return new RegExp(`^${target}\\s*:(?!=)`, "m").test(text) ? [`make ${target}`] : [];
}
