import type { Workflow } from "../model/flow/workflow.ts";
import { textOf, valueAt } from "../model/json.ts";

/** What one turn hands to the next: a comment on the issue, and files. */

type Values = Readonly<Record<string, unknown>>;

/** An agent that has ended. `result`: its structured output. */
export interface EndedTurn {
  agent: string;
  outcome: string;
  result: Values;
}

/**
 * The comment that the workflow has for an agent's outcome: the template `reviewerApproved` or `reviewerToApproved`. `{name}` is a value of
 * the result; what the result does not have stays as it is written.
 */
export function commentFor({ commentTemplates }: Workflow, { agent, outcome, result }: EndedTurn): string | undefined {
  const names = [`${agent}${outcome}`, `${agent}To${outcome}`].map(plainName);
  const found = Object.entries(commentTemplates).find(([name]) => names.includes(plainName(name)));
  return found?.[1].replaceAll(/\{(\w+)\}/g, (written, name: string) => textAt(result, name) ?? written);
}

/** `considererHandoffDetail` and `considerer` with `handoff-detail` are the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** A file to write, or why it cannot be written. */
export type Handover =
  | { id: string; path: string; payload: Record<string, unknown> }
  | { id: string; problem: { missing: string } | { outside: string } };

/** The files that the workflow has for an agent's outcome. `context`: what `$.` can reach besides the agent's result. */
export function handoversFor({ handoffs }: Workflow, turn: EndedTurn, context: Values): Handover[] {
  const matching = handoffs.filter(({ when }) => when.fromAgent === turn.agent && when.outcome === turn.outcome);
  const scope = { ...context, agent: { id: turn.agent, result: turn.result } };
  return matching.map(({ id, path, payloadFrom }) => {
    try {
      const payload = payloadOf(payloadFrom, scope, turn.agent);
      const file = filled(path, payload);
      return isWithin(file) ? { id, path: file, payload } : { id, problem: { outside: file } };
    } catch (error) {
      if (error instanceof MissingValue) return { id, problem: { missing: error.expression } };
      throw error;
    }
  });
}

class MissingValue extends Error {
  readonly expression: string;

  constructor(expression: string) {
    super(expression);
    this.expression = expression;
  }
}

/** Values first, then the texts that are made of them. */
function payloadOf(payloadFrom: Readonly<Record<string, string>>, scope: Values, agent: string) {
  const entries = Object.entries(payloadFrom);
  const values = entries.filter(([, expression]) => !expression.includes("${payload."));
  const payload = Object.fromEntries(values.map(([key, expression]) => [key, resolvedValue(expression, scope, agent)]));
  for (const [key, template] of entries) if (!Object.hasOwn(payload, key)) payload[key] = filled(template, payload);
  return payload;
}

/** `'text'`, or a path such as `$.workflow.agents[sourceAgent].version`. */
function resolvedValue(expression: string, scope: Values, agent: string): unknown {
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  if (literal !== undefined) return literal;
  const path = expression.replace("[sourceAgent]", `.${agent}`).replaceAll(/\[([^\]]*)\]/g, ".$1");
  const found = path.startsWith("$.") ? valueAt(scope, path.slice(2)) : undefined;
  if (found === undefined) throw new MissingValue(expression);
  return found;
}

function filled(template: string, payload: Values): string {
  return template.replaceAll(/\$\{payload\.([\w-]+)\}/g, (written, key: string) => {
    const text = textAt(payload, key);
    if (text === undefined) throw new MissingValue(written);
    return text;
  });
}

function textAt(values: Values, name: string): string | undefined {
  const value = valueAt(values, name);
  return value === undefined || value === null ? undefined : textOf(value);
}

/** An agent's words may be part of a path: it must stay in the project, and out of its records. */
function isWithin(path: string): boolean {
  const steps = path.split(/[\\/]/);
  const isPlain = steps.every((step) => step !== ".." && step !== ".git" && !step.includes("\0"));
  return isPlain && !/^(?:[\\/]|[a-z]:)/i.test(path) && steps[0] !== ".e8" && path.trim() !== "";
}
