import type { CommandOutcome } from "../../connection/ports/commands.ts";
import { withStepId } from "../../judgment/flow/output.ts";
import type { AgentReply, Assignment } from "../../model/agent.ts";
import { through } from "../../model/event-stream.ts";
import type { RunEvent } from "../../model/events.ts";
import type { StepRunner } from "../../model/flow/steps-registry.ts";
import { notice } from "../../model/notices.ts";
import { type Statement, type Words, worded, wordsIn } from "../../model/statement.ts";
import { addUsage, NOTHING_SPENT } from "../../model/usage.ts";
import { askWorker } from "../ask.ts";
import { haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { misfit } from "./check-output.ts";
import { type FlowRun, stepOf } from "./flow-run.ts";
import { asText } from "./step-prompt.ts";

const ATTEMPTS = 2;
/** Of a program's answer; a longer one is cut, and then no JSON any more. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Has a step done: by a subprocess, by the agent, or not at all when its schema cannot be resolved. */
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

/** Output that does not fit is asked for again, with the objection; then it is recorded as an error. */
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
    objection = `\n\nYour last output could not be used: ${wordsIn("en", problem)}. Give it again.`;
  }
}

/** What was piped in and why completion failed on stdin, parameters as `${context.name}` in its arguments, its JSON on stdout. */
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
    const how = howItEnded(outcome);
    return failed(
      "crashed",
      worded((say) => `\`${runner.command}\`: ${say(how)}\n${outcome.output_tail}`),
    );
  }
  const text = outcome.stdout ?? "";
  const structured = parsed(text);
  const problem = schema && (structured === undefined ? noJson(text) : misfit(schema, structured));
  if (problem) return failed("malformed", problem);
  return { text, structured, usage: NOTHING_SPENT, tools_used: [runner.command], files_modified: [] };
}

function howItEnded({ start_error, timed_out, exit_code }: CommandOutcome): Statement {
  if (start_error !== null) return start_error;
  return timed_out ? TIMED_OUT : { en: `exit code ${exit_code}`, ja: `終了コード ${exit_code}` };
}

const TIMED_OUT: Words = { en: "it timed out", ja: "タイムアウトしました" };

/** An optional parameter that was not given is the empty text. */
function withParameters(argument: string, parameters: FlowRun["parameters"]): string {
  return argument.replace(/\$\{context\.([^}]*)\}/g, (_, name: string) => asText(parameters[name] ?? ""));
}

function failed(code: "schema_resolution" | "crashed" | "malformed", message: Statement): AgentReply {
  return { text: "", failure: { code, message }, usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
}

function noJson(text: string): Words {
  const shown = text.trim().slice(0, 200);
  return { en: `its output is not JSON: ${shown}`, ja: `出力が JSON ではありません: ${shown}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What was spent, used and refused counts for every attempt; the answer is the last one's. */
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

/** A reply's own text is its last one; a keyword counts wherever the worker said it. */
async function* withAllTexts(events: AsyncGenerator<RunEvent, AgentReply>): AsyncGenerator<RunEvent, AgentReply> {
  let said = "";
  const reply = yield* through(events, function* (event) {
    if (event.type === "text") said = `${said}${event.text}\n`.slice(-TEXT_KEPT);
    yield event;
  });
  return { ...reply, text: said.includes(reply.text) ? said : `${said}${reply.text}` };
}
