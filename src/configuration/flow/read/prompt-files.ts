import { parseDocument } from "yaml";
import type { RegistryJson } from "../../../model/flow/registry-json.ts";
import { isRecord } from "../../../model/json.ts";
import { message, type Statement } from "../../../model/message.ts";
import { normalized } from "../schema/pointer.ts";

/** Where the prompts of a flow are. */
export interface PromptPlaces {
  files: ReadonlyMap<string, string>;
  json: RegistryJson;
  /** Generation 1: the folder of `<fallbackKey>.md`. */
  fallbackDir: string;
}

interface Address {
  c2: string;
  c3: string;
  edition: string;
  adaptation?: string | undefined;
  fallbackKey?: string | undefined;
}

/** The possible paths of a prompt, the most specific first. */
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

/** Definitions may write paths from the project's root; here all are relative to the flow's directory. */
export function insideFlow(path: string): string {
  return normalized(path.replace(/^(?:\.\/)?\.agent\/[^/]+\/?/, ""));
}

function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A prompt, separated from its frontmatter. */
export interface PromptText {
  body: string;
  /** Lines before the body: its line 1 is line `offset + 1` of the file. */
  offset: number;
  front: Readonly<Record<string, unknown>>;
  problem?: Statement;
}

/** Frontmatter stands between a `---` in the first line and the next `---`. A `---` further down is a rule, not frontmatter. */
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
