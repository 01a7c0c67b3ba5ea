import { z } from "zod";
import type { Expectation } from "../connection/ports/agent.ts";
import type { JsonSchema } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import { issueWording } from "../model/issue-wording.ts";
import { notice } from "../model/notices.ts";
import type { Role } from "../model/roles.ts";
import { joined, type Statement, type Words, wordsIn } from "../model/statement.ts";
import { ask } from "./ask.ts";
import type { RunContext } from "./run-context.ts";

const ATTEMPTS = 2;
export const NO_ANSWER: Words = { en: "no answer", ja: "回答なし" };

/** What a role is, whatever it is asked. */
export interface Office<T> {
  role: Exclude<Role, "executor">;
  system_prompt: string;
  schema: z.ZodType<T>;
}

/** A question to a role, and what makes its answer usable. */
export interface Question<T> extends Office<T> {
  iteration: number;
  /** The prompt, with what was wrong with the last answer; empty at first. */
  prompt: (objection: string) => string;
  /** What is wrong with an answer that fits the schema. Empty: nothing. */
  objections: (answer: T) => Statement[];
}

/** The last answer that fits the schema, and what is still wrong with it or with there being none. */
export interface Answered<T> {
  value?: T;
  problem?: Statement;
}

/** Asks a role, and once more with the objection when the answer cannot be used as it is. What follows if that cannot be used either, the asker says. */
export async function* answerTo<T>(context: RunContext, question: Question<T>): AsyncGenerator<RunEvent, Answered<T>> {
  let answered: Answered<T> = {};
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const objection = answered.problem ? objectionTo(answered.problem) : "";
    const next = yield* answerOnce(context, question, objection);
    answered = next.value === undefined ? { ...answered, ...next } : next;
    if (!answered.problem || attempt === ATTEMPTS) break;
    yield { type: "notice", notice: notice("asked_again", { role: question.role, problem: answered.problem }) };
  }
  return answered;
}

function objectionTo(problem: Statement): string {
  return `Your last answer could not be used: ${wordsIn("en", problem)}. Answer again.`;
}

async function* answerOnce<T>(
  context: RunContext,
  question: Question<T>,
  objection: string,
): AsyncGenerator<RunEvent, Answered<T>> {
  const reply = yield* ask(context, context.ports.agents.roles, {
    ...expectationOf(question),
    iteration: question.iteration,
    prompt: question.prompt(objection),
  });
  if (reply.failure) return { problem: reply.failure.message };
  const parsed = question.schema.safeParse(reply.structured, { reportInput: true });
  if (!parsed.success) return { problem: firstIssue(parsed.error, reply.structured) };
  const objections = question.objections(parsed.data);
  return objections.length === 0 ? { value: parsed.data } : { value: parsed.data, problem: joined(objections, "; ") };
}

export function expectationOf<T>({ role, system_prompt, schema }: Office<T>): Expectation {
  return { role, system_prompt, schema: jsonSchemaOf(schema) };
}

/** Claude Code refuses a `$schema` it does not know, so none is sent. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  jsonSchemas.set(schema, rest);
  return rest;
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

function firstIssue({ issues: [issue] }: z.ZodError, answer: unknown): Statement {
  if (answer === undefined || !issue) return NO_STRUCTURE;
  const path = issue.path.map(String).join(".");
  return joined([path, issueWording(issue)].filter(Boolean), ": ");
}

const NO_STRUCTURE: Words = { en: "there was no structured answer", ja: "構造化された回答がありませんでした" };
