import { setTimeout as sleep } from "node:timers/promises";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { Ajv } from "ajv";
import type { Assignment } from "../../../model/agent.ts";
import { denialOf } from "../claude/permission-rules.ts";
import { READING_TOOLS, reasonAgainstReading } from "../claude/reading.ts";
import type { ClaudeAgentOptions } from "../claude/settings.ts";
import { ANSWER_TOOL, type Denial, reasonAgainst } from "../claude/tools.ts";
import { withoutDialect } from "../find-json.ts";
import { faultEffect } from "./fault-effects.ts";
import { type Ending, Messages, type ToolResult } from "./messages.ts";
import { type Block, type Reply, reply } from "./model/reply.ts";
import type { MessagesRequest } from "./model/request.ts";
import type { Stage } from "./model/stage.ts";
import type { Story } from "./model/story.ts";
import { failed, TOOL_NAMES, Toolbox } from "./tools.ts";

type OnlyOfClaude = "executable" | "mcp_servers" | "skills_dir" | "prices" | "has_cost_budget";

export interface ScriptedAgentOptions extends Omit<ClaudeAgentOptions, OnlyOfClaude> {
  story: Story;
  /** The story's file, for people. */
  file: string;
}

interface Part {
  options: ScriptedAgentOptions;
  stage: Stage;
  assignment: Assignment;
  signal: AbortSignal;
}

/** Who hears what happens. */
interface Listener {
  tell(message: SDKMessage): void;
  /** A call that the assignment's policy forbids. */
  refuse(denial: Denial): void;
}

type Call = Extract<Block, { type: "tool_use" }>;

/** How often Claude Code itself goes on before it gives up. */
const CONTINUATIONS = { refusal: 1, max_tokens: 3 };
const ANSWER_TRIES = 5;
const RETRIES = { executor: 10, role: 2 };
const SCHEMA_REMINDER = `[structured-output-enforce] You MUST call the ${ANSWER_TOOL} tool to complete this request.`;

/** One answer: a scene of the story, with Claude Code's part in it. */
export class Conversation {
  readonly #part: Part;
  readonly #messages: Messages;
  readonly #request: MessagesRequest;
  readonly #toolbox: Toolbox;
  readonly #answerProblem: (answer: unknown) => string | undefined;
  #listener: Listener = { tell: () => {}, refuse: () => {} };
  #turns = 0;
  #retries = 0;
  #continuations = { refusal: 0, max_tokens: 0 };
  #wrongAnswers = 0;
  #isReminded = false;
  /** Tools have time limits of their own. */
  isToolRunning = false;

  constructor(part: Part) {
    const { options, assignment } = part;
    const { prompt, system_prompt, schema, role, model = options.models[role] } = assignment;
    this.#part = part;
    this.#messages = new Messages(model);
    this.#request = {
      model,
      system: system_prompt,
      messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
      tools: schema ? [{ name: ANSWER_TOOL, input_schema: withoutDialect(schema) }] : [],
    };
    const working_directory = assignment.reads ?? options.working_directory;
    this.#toolbox = new Toolbox({ ...options, working_directory, signal: part.signal });
    this.#answerProblem = checkFor(schema);
  }

  /** To its end, or until the signal comes. Leaves nothing running. */
  async play(listener: Listener): Promise<void> {
    this.#listener = listener;
    const { options, assignment, signal } = this.#part;
    const tools = toolsFor(assignment);
    const { system, messages } = this.#request;
    listener.tell(this.#messages.begun({ cwd: options.working_directory, tools, request: { system, messages } }));
    try {
      let ending: Ending | undefined;
      while (!ending) ending = await this.#exchange();
      listener.tell(this.#messages.ended(ending));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.#toolbox.close();
    }
  }

  async #exchange(): Promise<Ending | undefined> {
    const { stage, signal } = this.#part;
    signal.throwIfAborted();
    const cue = stage.next(this.#request);
    if ("missing" in cue) return apiError(cue.missing, 400);
    const { delay_ms = 0, fault } = cue.turn;
    if (delay_ms > 0) await sleep(delay_ms, undefined, { signal });
    if (fault) return this.#fault(fault);
    this.#retries = 0;
    this.#turns += 1;
    const said = reply(cue, this.#request);
    this.#listener.tell(this.#messages.said(said));
    this.#request.messages.push({ role: "assistant", content: said.content });
    return this.#brokenOff(said) ?? (await this.#goOn(said));
  }

  async #fault(fault: NonNullable<Parameters<typeof faultEffect>[0]>): Promise<Ending | undefined> {
    const { options, assignment, signal } = this.#part;
    const effect = faultEffect(fault);
    if (effect === "stall") return sleep(FOR_EVER, undefined, { signal });
    const { status, error, message, resets_at, retries = this.#mostRetries(options, assignment) } = effect;
    if (resets_at !== undefined) this.#listener.tell(this.#messages.limited(resets_at));
    this.#retries += 1;
    if (this.#retries <= retries) {
      this.#listener.tell(this.#messages.retried(status, fault));
      return undefined;
    }
    if (fault.retry_after !== undefined) this.#listener.tell(this.#messages.retried(status, fault));
    if (error) this.#listener.tell(this.#messages.failed(error, message));
    return apiError(message, status, effect.terminal_reason);
  }

  #mostRetries({ environment }: ScriptedAgentOptions, { role }: Assignment): number {
    const set = Number(environment.CLAUDE_CODE_MAX_RETRIES || Number.NaN);
    return Number.isNaN(set) ? RETRIES[role === "executor" ? "executor" : "role"] : set;
  }

  /** A reply that ended too soon is continued a few times. */
  #brokenOff({ stop_reason, content }: Reply): Ending | undefined {
    if (stop_reason !== "refusal" && stop_reason !== "max_tokens") return undefined;
    this.#continuations[stop_reason] += 1;
    if (this.#continuations[stop_reason] <= CONTINUATIONS[stop_reason]) return undefined;
    const { tell } = this.#listener;
    const words = stop_reason === "refusal" ? "The model refused to answer." : "The answer exceeded the output limit.";
    tell(stop_reason === "refusal" ? this.#messages.refused() : this.#messages.failed("max_output_tokens", words));
    return { subtype: "success", is_error: true, result: textIn(content) || words, stop_reason };
  }

  async #goOn({ content, stop_reason }: Reply): Promise<Ending | undefined> {
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length > 0) return this.#callTools(calls);
    const isBroken = stop_reason === "refusal" || stop_reason === "max_tokens";
    const isMissing = this.#part.assignment.schema !== undefined && !this.#isReminded;
    if (!isBroken && !isMissing) return { subtype: "success", is_error: false, result: textIn(content) };
    if (!isBroken) this.#isReminded = true;
    this.#hear([{ type: "text", text: isBroken ? "Continue." : SCHEMA_REMINDER }]);
    return undefined;
  }

  async #callTools(calls: readonly Call[]): Promise<Ending | undefined> {
    const results: ToolResult[] = [];
    for (const call of calls) {
      if (call.name !== ANSWER_TOOL) results.push({ id: call.id, ...(await this.#call(call)) });
      else {
        const problem = this.#answerProblem(call.input);
        if (problem === undefined) return this.#answered(call, results);
        this.#wrongAnswers += 1;
        results.push({ id: call.id, ...failed(`Output does not match required schema: ${problem}`) });
      }
    }
    this.#listener.tell(this.#messages.toolsEnded(results));
    this.#hear(results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })));
    const { options, assignment } = this.#part;
    const max_turns = options.max_turns[assignment.role];
    if (this.#wrongAnswers >= ANSWER_TRIES) return TOO_MANY_WRONG_ANSWERS;
    if (this.#turns >= max_turns) return ending("error_max_turns", `Reached maximum number of turns (${max_turns})`);
    return undefined;
  }

  #answered(call: Call, results: ToolResult[]): Ending {
    const done = { id: call.id, text: "Structured output provided successfully", is_error: false };
    this.#listener.tell(this.#messages.toolsEnded([...results, done]));
    const result = JSON.stringify(call.input);
    return { subtype: "success", is_error: false, result, structured_output: call.input };
  }

  async #call(call: Call): Promise<Omit<ToolResult, "id">> {
    const { options, assignment } = this.#part;
    const { name, input } = call;
    if (!toolsFor(assignment).includes(name))
      return failed(`<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`);
    const { forbids, reads } = assignment;
    const reason =
      reads === undefined ? forbids && reasonAgainst(forbids, name, input) : reasonAgainstReading(reads, name, input);
    if (reason !== undefined) {
      this.#listener.refuse({ id: call.id, tool: name, reason });
      return failed(`PreToolUse:${name} hook error: ${options.tell(reason)}`);
    }
    const denial = denialOf(call, { ...options, permission_mode: assignment.access ?? options.permission_mode });
    if (denial !== undefined) {
      this.#listener.tell(this.#messages.denied(call, denial));
      return failed(denial);
    }
    this.isToolRunning = true;
    try {
      return await this.#toolbox.use(name, input);
    } finally {
      this.isToolRunning = false;
    }
  }

  #hear(content: object[]): void {
    this.#request.messages.push({ role: "user", content });
  }
}

function toolsFor({ role, reads }: Assignment): readonly string[] {
  if (role === "executor") return TOOL_NAMES;
  return reads === undefined ? [] : READING_TOOLS;
}

const FOR_EVER = 2 ** 31 - 1;
const TOO_MANY_WRONG_ANSWERS = ending(
  "error_max_structured_output_retries",
  `Failed to provide valid structured output after ${ANSWER_TRIES} attempts`,
);

function ending(subtype: Ending["subtype"], result: string): Ending {
  return { subtype, is_error: true, result };
}

function apiError(result: string, status: number | null, terminal_reason = "api_error"): Ending {
  return { subtype: "success", is_error: true, result, api_error_status: status, terminal_reason };
}

function textIn(content: readonly Block[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

/** What is wrong with an answer, if anything is. */
function checkFor(schema: Assignment["schema"]): (answer: unknown) => string | undefined {
  if (!schema) return () => undefined;
  const fits = ajv.compile(withoutDialect(schema));
  return (answer) => (fits(answer) ? undefined : ajv.errorsText(fits.errors, { dataVar: "root" }));
}
