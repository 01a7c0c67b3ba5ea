import type { RegistryJson } from "../../model/flow/registry-json.ts";
import { normalized } from "./schema-pointer.ts";

/** Where the prompts of an agent lie. */
export interface PromptPlaces {
  files: ReadonlyMap<string, string>;
  json: RegistryJson;
  /** Of generation 1: where `<fallbackKey>.md` lies. */
  fallbackDir: string;
}

interface Address {
  c2: string;
  c3: string;
  edition: string;
  adaptation?: string | undefined;
  fallbackKey?: string | undefined;
}

/** The paths at which a prompt may lie, the most special first. */
export function promptCandidates(places: PromptPlaces, address: Address): string[] {
  const { json, fallbackDir } = places;
  const base = insideAgent(json.userPromptsBase ?? "prompts");
  const special = json.pathTemplate ?? "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md";
  const plain = json.pathTemplateNoAdaptation ?? "{c1}/{c2}/{c3}/f_{edition}.md";
  const filled = (template: string) => normalized(`${base}/${fill(template, { ...address, c1: json.c1 })}`);
  return [
    ...(address.adaptation === undefined ? [] : [filled(special)]),
    filled(plain),
    ...(address.fallbackKey === undefined ? [] : [normalized(`${insideAgent(fallbackDir)}/${address.fallbackKey}.md`)]),
  ];
}

export function findPrompt(places: PromptPlaces, address: Address): string | undefined {
  return promptCandidates(places, address).find((path) => places.files.has(path));
}

/** Definitions name their folders from the project's root; here everything is relative to the agent's own. */
export function insideAgent(path: string): string {
  return normalized(path.replace(/^(?:\.\/)?\.agent\/[^/]+\/?/, ""));
}

function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
