import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LoadedAgent, type LoadOptions, loadAgent } from "../../../src/configuration/agents/load-agent.ts";
import type { DefinitionProblem } from "../../../src/model/definition/agent-definition.ts";

const FIXTURES = new URL("fixtures/", import.meta.url).pathname;

/** The files of a fixture agent, as the loader gets them. */
export function fixture(name: string): Map<string, string> {
  const root = join(FIXTURES, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

export interface Mini {
  agent: Json;
  registry: Json;
  schema: Json;
}
// biome-format: one line says it
export type Json = { [key: string]: Json } & { toString(): string };

type Change = (files: { agent: Record<string, never>; registry: Record<string, never>; schema: Record<string, never> }) => void;

export function load(files: ReadonlyMap<string, string>, options?: LoadOptions): LoadedAgent {
  return loadAgent(files, "/project/.agent/mini", options);
}

export function codes(problems: readonly DefinitionProblem[]): string[] {
  return problems.map(({ code }) => code);
}
