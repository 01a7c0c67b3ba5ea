import { z } from "zod";
import type { Expectation } from "../connection/ports/agent.ts";
import { consequenceOf } from "../judgment/failures.ts";
import type { JsonSchema } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import { issueWording } from "../model/issue-wording.ts";
import { listed, message, type Statement } from "../model/message.ts";
import { notice } from "../model/notices.ts";
import type { Role } from "../model/roles.ts";
import { ask } from "./ask.ts";
import type { RunContext } from "./run-context.ts";

const ATTEMPTS = 2;
export const NO_ANSWER = message("answer_missing", {});

/** The parts of a request that do not depend on the question. */
export interface RoleRequest<T> {
  role: Exclude<Role, "executor">;
  system_prompt: string;
  schema: z.ZodType<T>;
  /** Another model than the role's. */
  model?: string;
  /** A directory in which it may read files. */
  reads?: string;
}

/** A question to a role, and the conditions for its answer. */
export interface Question<T> extends RoleRequest<T> {
  iteration: number;
  /** The prompt, with the objection to the last answer; empty at first. */
  prompt: (objection: string) => string;
  /** Objections to an answer that fits the schema. */
  objections: (answer: T) => Statement[] | Promise<Statement[]>;
}

/** The last answer that fits the schema, and the problem with it or the reason why there is none. */
export interface Answered<T> {
  value?: T;
  problem?: Statement;
  /** The worker that has answered in the place of the model that was asked. */
  answered_by?: string;
}

/** Asks a role, and once more with the objection when the answer is unusable. */
export async function* answerTo<T>(context: RunContext, question: Question<T>): AsyncGenerator<RunEvent, Answered<T>> {
  let answered: Answered<T> = {};
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const objection = answered.problem ? objectionTo(context.tell(answered.problem)) : "";
    const { isOutOfReach, ...next } = yield* answerOnce(context, question, objection);
    answered = next.value === undefined ? { ...answered, ...next } : next;
    if (!answered.problem || isOutOfReach || attempt === ATTEMPTS) break;
    yield { type: "notice", notice: notice("asked_again", { role: question.role, problem: answered.problem }) };
  }
  return answered;
}

function objectionTo(problem: string): string {
  return `Your last answer could not be used: ${problem}. Answer again.`;
}

async function* answerOnce<T>(
  context: RunContext,
  question: Question<T>,
  objection: string,
): AsyncGenerator<RunEvent, Answered<T> & { isOutOfReach?: boolean }> {
  const reply = yield* ask(context, context.ports.agents.roles, {
    ...expectationOf(question),
    iteration: question.iteration,
    prompt: question.prompt(objection),
  });
  const by = reply.answered_by === undefined ? {} : { answered_by: reply.answered_by };
  const { failure } = reply;
  if (failure) return { ...by, problem: failure.message, isOutOfReach: consequenceOf[failure.code] === "wait" };
  const parsed = question.schema.safeParse(reply.structured, { reportInput: true });
  if (!parsed.success) return { ...by, problem: firstIssue(parsed.error, reply.structured) };
  const objections = await question.objections(parsed.data);
  return { ...by, value: parsed.data, ...(objections.length > 0 && { problem: listed(objections) }) };
}

export function expectationOf<T>({ role, system_prompt, schema, model, reads }: RoleRequest<T>): Expectation {
  return {
    role,
    system_prompt,
    schema: jsonSchemaOf(schema),
    ...(model !== undefined && { model }),
    ...(reads !== undefined && { reads }),
  };
}

/** Without `$schema`: Claude Code refuses unknown ones. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  jsonSchemas.set(schema, rest);
  return rest;
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

function firstIssue({ issues: [issue] }: z.ZodError, answer: unknown): Statement {
  if (answer === undefined || !issue) return message("answer_unstructured", {});
  const path = issue.path.map(String).join(".");
  return listed([path, issueWording(issue)].filter(Boolean), ": ");
}
