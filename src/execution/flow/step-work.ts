import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { CommandOutcome } from "../../connection/ports/commands.ts";
import { withStepId } from "../../judgment/flow/gate.ts";
import type { AgentReply, Assignment, JsonSchema } from "../../model/agent.ts";
import { through } from "../../model/event-stream.ts";
import type { RunEvent } from "../../model/events.ts";
import type { StepRunner } from "../../model/flow/steps-registry.ts";
import { jsonIn, textOf } from "../../model/json.ts";
import { listed, type Message, message, type Statement } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import { schemaPattern } from "../../model/schema-pattern.ts";
import { addUsage, NOTHING_SPENT } from "../../model/usage.ts";
import { askWorker } from "../ask.ts";
import { haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { type FlowRun, stepOf } from "./flow-run.ts";

const ATTEMPTS = 2;
/** A program's longer answer is cut, and is then no longer JSON. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Has a subprocess or the agent do a step. Fails where the step's schema cannot be resolved. */
export async function* workOnStep(
  context: RunContext,
  run: FlowRun,
  assignment: Assignment,
): AsyncGenerator<RunEvent, AgentReply> {
  const step = stepOf(run, assignment.step_id ?? null, assignment.iteration);
  const resolved = run.definition.schemas[step.stepId];
  if (resolved && "problem" in resolved) return failed("schema_resolution", resolved.problem);
  if (step.runner) return yield* runSubprocess(context, run, step.runner, assignment);
  return yield* askForFitting(context, assignment);
}

/** Asks once more, with the objection, for output that does not fit; after that it is an error. */
async function* askForFitting(context: RunContext, assignment: Assignment): AsyncGenerator<RunEvent, AgentReply> {
  const { schema, prompt } = assignment;
  let objection = "";
  let earlier: AgentReply | undefined;
  for (let attempt = 1; ; attempt++) {
    const last = yield* withAllTexts(askWorker(context, { ...assignment, prompt: prompt + objection }));
    const reply = earlier ? together(earlier, last) : last;
    const { output } = withStepId(reply.structured, assignment.step_id ?? "");
    const problem = schema && !reply.failure ? misfit(schema, output) && misfit(schema, reply.structured) : undefined;
    if (!problem) return reply;
    if (attempt === ATTEMPTS) return { ...reply, failure: { code: "malformed", message: problem } };
    earlier = reply;
    yield { type: "notice", notice: notice("asked_again", { role: "executor", problem }) };
    objection = `\n\nYour last output could not be used: ${context.tell(problem)}. Give it again.`;
  }
}

/** The program reads the prompt on stdin, gets parameters for `${context.name}` in its arguments, and prints JSON on stdout. */
async function* runSubprocess(
  context: RunContext,
  { parameters }: FlowRun,
  runner: StepRunner,
  { prompt, schema, iteration, step_id, inputs }: Assignment,
): AsyncGenerator<RunEvent, AgentReply> {
  const outcome = await context.ports.commands.run(
    {
      command: '"$@"',
      arguments: [runner.command, ...runner.args.map((argument) => withParameters(argument, parameters))],
      timeout_seconds: runner.timeout / 1000,
      pipefail: false,
      runs_as: "worker",
      stdin: prompt,
      separate_stdout: true,
      stdout_bytes: ANSWER_BYTES,
      environment: {
        E8_STEP: step_id ?? "",
        E8_ITERATION: String(iteration),
        E8_INPUTS: JSON.stringify(inputs ?? {}),
      },
    },
    context.signal,
  );
  haltIfAborted(context.signal);
  yield { type: "spent", total: await context.meter.charge("executor", iteration, NOTHING_SPENT) };
  if (outcome.exit_code !== 0) {
    const { command: program } = runner;
    return failed(
      "crashed",
      message("program_failed", { program, how: howItEnded(outcome), output: outcome.output_tail }),
    );
  }
  const text = outcome.stdout ?? "";
  const structured = jsonIn(text);
  const problem = schema && (structured === undefined ? notJson(text) : misfit(schema, structured));
  if (problem) return failed("malformed", problem);
  return { text, structured, usage: NOTHING_SPENT, tools_used: [runner.command], files_modified: [] };
}

function howItEnded({ start_error, timed_out, exit_code }: CommandOutcome): Statement {
  if (start_error !== null) return start_error;
  return timed_out ? message("command_timed_out", {}) : message("command_exited", { exit_code });
}

function withParameters(argument: string, parameters: FlowRun["parameters"]): string {
  return argument.replace(/\$\{context\.([^}]*)\}/g, (_, name: string) => textOf(parameters[name]));
}

function failed(code: "schema_resolution" | "crashed" | "malformed", message: Statement): AgentReply {
  return { text: "", failure: { code, message }, usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
}

function notJson(text: string): Message {
  return message("output_not_json", { output: text.trim().slice(0, 200) });
}

/** The last answer, with what all attempts spent, used and were refused. */
function together(earlier: AgentReply, last: AgentReply): AgentReply {
  const both = (one: readonly string[] = [], other: readonly string[] = []) => [...new Set([...one, ...other])];
  const tools_denied = both(earlier.tools_denied, last.tools_denied);
  return {
    ...last,
    usage: addUsage(earlier.usage, last.usage),
    tools_used: both(earlier.tools_used, last.tools_used),
    files_modified: both(earlier.files_modified, last.files_modified),
    ...(tools_denied.length > 0 && { tools_denied }),
  };
}

const TEXT_KEPT = 200_000;

/** Adds the worker's earlier texts to the reply's last one: a keyword counts wherever it was said. */
async function* withAllTexts(events: AsyncGenerator<RunEvent, AgentReply>): AsyncGenerator<RunEvent, AgentReply> {
  let said = "";
  const reply = yield* through(events, function* (event) {
    if (event.type === "text") said = `${said}${event.text}\n`.slice(-TEXT_KEPT);
    yield event;
  });
  return { ...reply, text: said.includes(reply.text) ? said : `${said}${reply.text}` };
}

/** Definitions come from other people: unknown keywords and formats do not make an output invalid. */
const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  allErrors: true,
  addUsedSchema: false,
  ownProperties: true, // a property may be called constructor
  validateSchema: false,
  code: { optimize: false, regExp: schemaPattern }, // a schema is compiled once and used a few times
});
/** By the schema's text: steps of one flow often share a schema. A process sees the schemas of a few flows at most. */
const compiled = new Map<string, ValidateFunction>();

/** Why an output does not fit its schema; undefined when it fits. */
export function misfit(schema: JsonSchema, output: unknown): Statement | undefined {
  const text = JSON.stringify(schema);
  try {
    const validate = compiled.get(text) ?? ajv.compile(schema);
    compiled.set(text, validate);
    if (validate(output)) return undefined;
    return listed((validate.errors ?? []).slice(0, 5).map(misfitOf));
  } catch (error) {
    return message("output_schema_unusable", { problem: error instanceof Error ? error.message : String(error) });
  }
}

function misfitOf({ instancePath: path, keyword, params, message: text = keyword }: ErrorObject): Message {
  return message("output_misfit", { path, keyword, params, text });
}
