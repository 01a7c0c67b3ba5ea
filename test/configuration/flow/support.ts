import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { agentSettings } from "../../../src/compose/agent-settings.ts";
import { type LoadedFlow, loadFlow as load } from "../../../src/configuration/flow/load-flow.ts";
import type { FlowOptions } from "../../../src/configuration/flow/read/agent.ts";
import { spelledPath } from "../../../src/configuration/flow/report.ts";
import type { FlowDefinition } from "../../../src/model/flow/definition.ts";
import type { DefinitionProblem } from "../../../src/model/flow/problem.ts";
import type { ProblemText } from "../../../src/texts/problems/problem-text.ts";
import { problemText } from "../../../src/texts/problems/problems.ts";

const FIXTURES = fileURLToPath(new URL("fixtures/", import.meta.url));

/** The files of a fixture agent, as the loader gets them. */
export function fixture(name: string): Map<string, string> {
  const root = join(FIXTURES, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]));
}

/** A JSON document that tests reach into and change. */
export interface Tree {
  [key: string]: Tree;
}

/** Reads a file of the map as JSON, has it changed, and writes it back. */
export function edit(files: Map<string, string>, file: string, change: (data: Tree) => void): Map<string, string> {
  const data = JSON.parse(files.get(file) ?? "{}");
  change(data);
  return files.set(file, JSON.stringify(data, null, 2));
}

export function at(tree: Tree, ...path: string[]): Tree {
  return path.reduce((node, step) => node[step] ?? fail(`no ${step}`), tree);
}

/** Sets a value of any kind where a tree is expected. */
export function set(tree: Tree, path: readonly string[], value: unknown): void {
  const parent = at(tree, ...path.slice(0, -1)) as Record<string, unknown>;
  const key = path.at(-1) ?? "";
  if (value === undefined) delete parent[key];
  else parent[key] = value;
}

function fail(message: string): never {
  throw new Error(message);
}

/** The mini agent with one value of agent.json or of the registry changed; undefined removes it. */
export function miniWith(file: "agent" | "registry", path: readonly string[], value: unknown): Map<string, string> {
  const name = file === "agent" ? "agent.json" : "steps_registry.json";
  return edit(fixture("mini"), name, (data) => set(data, path, value));
}

/** One changed value (undefined removes it), and the problem that it makes: at the changed place, or at `at` under it. */
export type Case = readonly [name: string, path: readonly string[], value: unknown, code: string, at?: string];

/** Tests that each change is reported at its place, and that no error merely follows from another. */
export function testCases(
  file: "agent" | "registry",
  cases: readonly Case[],
  fellows: Readonly<Record<string, string>> = {},
) {
  for (const [name, path, value, code, at] of cases) {
    test(`with ${name} is reported at its place, without errors that only follow from it`, () => {
      const files = miniWith(file, path, value);
      const found = problem(files, code);
      const errors = problemsOf(files).filter(({ severity }) => severity === "error");

      expect(found.path).toBe(at ?? spelledPath(path));
      expect(found.line).toBeGreaterThan(0);
      expect(codes(errors).filter((one) => one !== code && !fellows[code]?.includes(one))).toEqual([]);
    });
  }
}

/** A problem with its English sentences. */
export type ToldProblem = DefinitionProblem & ProblemText;

export function told(problem: DefinitionProblem): ToldProblem {
  const japanese = Object.values(problemText(problem, "ja"));
  expect(japanese.filter((sentence) => !/[\u3040-\u30ff\u4e00-\u9fff]/.test(sentence))).toEqual([]);
  return { ...problem, ...problemText(problem, "en") };
}

export function problemsOf(files: ReadonlyMap<string, string>, options?: Partial<FlowOptions>): ToldProblem[] {
  const { problems } = loadFlow(files, "/project/.agent/mini", options);
  return problems.filter(({ code }) => code !== "AGENT_DIRECTORY_NAME").map(told);
}

export function definitionOf(files: ReadonlyMap<string, string>, options?: Partial<FlowOptions>): FlowDefinition {
  const { definition, problems } = loadFlow(files, "/project/.agent/mini", options);
  return (
    definition ??
    fail(
      problems
        .map(told)
        .map(({ code, path, message }) => `${code} ${path} ${message}`)
        .join("\n"),
    )
  );
}

export function codes(problems: readonly DefinitionProblem[]): string[] {
  return problems.map(({ code }) => code);
}

/** The one problem with a code. */
export function problem(files: ReadonlyMap<string, string>, code: string, options?: Partial<FlowOptions>): ToldProblem {
  const all = problemsOf(files, options);
  const found = all.filter((one) => one.code === code);
  return found.length === 1 && found[0] ? found[0] : fail(`${found.length} × ${code} among ${codes(all).join(", ")}`);
}

/** As the program loads it. */
export function loadFlow(
  files: ReadonlyMap<string, string>,
  directory: string,
  options: Partial<FlowOptions> = {},
): LoadedFlow {
  return load(files, directory, { access: agentSettings.flow_access, agents: agentSettings, ...options });
}
