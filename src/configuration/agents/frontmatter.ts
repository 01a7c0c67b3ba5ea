import { parseDocument } from "yaml";
import { isRecord } from "../../model/json.ts";
import type { Statement } from "../../model/statement.ts";

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

const NOT_A_GROUP = { en: "it is not a group of keys", ja: "キーのまとまりではありません" };

function frontOf(yaml: string): Pick<PromptText, "front" | "problem"> {
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "error" });
  const [error] = document.errors;
  if (error) return { front: {}, problem: `yaml: ${error.message}` };
  const front: unknown = document.toJS({ maxAliasCount: 100 });
  if (front === null) return { front: {} };
  return isRecord(front) ? { front } : { front: {}, problem: NOT_A_GROUP };
}
