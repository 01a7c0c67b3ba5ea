import { conditionsOf } from "./check-completion-steps.ts";
import type { Draft } from "./draft.ts";
import type { PromptText } from "./frontmatter.ts";

const TAG = /\{\{([^{}]*)\}\}/g;

/** What every retry prompt may use, whichever condition failed. */
const ALWAYS = ["validator", "validators", "evidence", "reason", "path", "suggestion"];

/** A retry prompt: blocks that close, and parameters that some validator gives. */
export function checkRetryTemplate(
  draft: Draft,
  { file, prompt, pattern }: { file: string; prompt: PromptText; pattern: string },
): void {
  const { report } = draft;
  const { problem, used, line } = scan(prompt);
  if (problem !== undefined) {
    report.add("RETRY_TEMPLATE_BROKEN", { file, line }, { problem });
    return;
  }
  const known = givenBy(draft, pattern);
  for (const [name, where] of used) {
    if (!known.has(name)) report.add("RETRY_PARAM_UNKNOWN", { file, line: where }, { name, known: [...known] });
  }
}

interface Scan {
  problem?: string;
  line: number;
  used: Map<string, number>;
}

function scan({ body, offset }: PromptText): Scan {
  const open: { block: string; line: number }[] = [];
  const used = new Map<string, number>();
  for (const found of body.matchAll(TAG)) {
    const tag = (found[1] ?? "").trim();
    const line = offset + body.slice(0, found.index).split("\n").length;
    const problem = enter(tag, open, line);
    if (problem) return { problem, line, used };
    // Inside an each block a name may be the item's own.
    if (open.slice(0, tag.startsWith("#") ? -1 : undefined).some(({ block }) => block === "each")) continue;
    const name = /^(?:#(?:if|each)\s+)?([A-Za-z_]\w*)/.exec(tag)?.[1];
    if (name !== undefined && name !== "this" && name !== "else" && !used.has(name)) used.set(name, line);
  }
  const left = open.at(-1);
  if (left) return { problem: `{{#${left.block}}} is never closed`, line: left.line, used };
  return { line: offset + 1, used };
}

function enter(tag: string, open: { block: string; line: number }[], line: number): string | undefined {
  const [, kind, block = ""] = /^([#/])(\w+)/.exec(tag) ?? [];
  if (kind === undefined) return undefined;
  if (block !== "if" && block !== "each") return `{{${tag}}} is not known`;
  if (kind === "#") {
    open.push({ block, line });
    return undefined;
  }
  return open.pop()?.block === block ? undefined : `{{/${block}}} closes nothing`;
}

/** Every retry prompt gets the parameters of all failed conditions, so those of every validator count. */
function givenBy(draft: Draft, pattern: string): Set<string> {
  const { json } = draft;
  const patterns = json.completionPatterns ?? json.failurePatterns ?? {};
  const entries = Object.values(json.completionSteps ?? json.validationSteps ?? {});
  return new Set([
    ...(patterns[pattern]?.params ?? []),
    ...Object.values(json.validators ?? {}).flatMap(({ extractParams }) => Object.keys(extractParams ?? {})),
    ...entries.flatMap(conditionsOf).flatMap(({ params }) => Object.keys(params ?? {})),
    ...ALWAYS,
  ]);
}
