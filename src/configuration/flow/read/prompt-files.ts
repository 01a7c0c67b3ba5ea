import { parseDocument } from "yaml";
import type { RegistryJson } from "../../../model/flow/registry-json.ts";
import { isRecord } from "../../../model/json.ts";
import { message, type Statement } from "../../../model/message.ts";
import { normalized } from "../schema/pointer.ts";

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
  const base = insideFlow(json.userPromptsBase ?? "prompts");
  const special = json.pathTemplate ?? "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md";
  const plain = json.pathTemplateNoAdaptation ?? "{c1}/{c2}/{c3}/f_{edition}.md";
  const filled = (template: string) => normalized(`${base}/${fill(template, { ...address, c1: json.c1 })}`);
  return [
    ...(address.adaptation === undefined ? [] : [filled(special)]),
    filled(plain),
    ...(address.fallbackKey === undefined ? [] : [normalized(`${insideFlow(fallbackDir)}/${address.fallbackKey}.md`)]),
  ];
}

export function findPrompt(places: PromptPlaces, address: Address): string | undefined {
  return promptCandidates(places, address).find((path) => places.files.has(path));
}

/** Definitions name their folders from the project's root; here everything is relative to the agent's own. */
export function insideFlow(path: string): string {
  return normalized(path.replace(/^(?:\.\/)?\.agent\/[^/]+\/?/, ""));
}

function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A prompt without its frontmatter, and what that said. */
export interface PromptText {
  body: string;
  /** Lines before the body: what stands in line 1 of it is line `offset + 1` of the file. */
  offset: number;
  front: Readonly<Record<string, unknown>>;
  problem?: Statement;
}

/** Frontmatter is what stands between a first line `---` and the next one; a rule further down is none. */
export function splitFrontmatter(text: string): PromptText {
  const plain = text.replace(/^\uFEFF/, "");
  const found = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(plain);
  if (!found) return { body: plain, offset: 0, front: {} };
  const [whole, yaml = ""] = found;
  const offset = whole.split("\n").length - 1;
  const body = plain.slice(whole.length).replace(/^(?:[ \t]*\r?\n)+/, "");
  const blank = plain.slice(whole.length, plain.length - body.length).split("\n").length - 1;
  return { body, offset: offset + blank, ...frontOf(yaml) };
}

function frontOf(yaml: string): Pick<PromptText, "front" | "problem"> {
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "error" });
  const [error] = document.errors;
  if (error) return { front: {}, problem: `yaml: ${error.message}` };
  const front: unknown = document.toJS({ maxAliasCount: 100 });
  if (front === null) return { front: {} };
  return isRecord(front) ? { front } : { front: {}, problem: message("frontmatter_not_group", {}) };
}
