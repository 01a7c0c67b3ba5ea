import type { Options, Query, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentFailure, Assignment, ToolPolicy } from "../../../model/agent.ts";
import { E8Error, problemOf } from "../../../model/errors.ts";
import { message, type Statement } from "../../../model/message.ts";
import type { Expectation } from "../../ports/agent.ts";
import { directoryProblem } from "../../processes/programs.ts";
import { Queue } from "../queue.ts";
import { turnToStart } from "../turn-to-start.ts";
import { addressed, joinRoles } from "./joint-roles.ts";
import { prepareOptions } from "./options.ts";
import { makePrivateDirectory, type PrivateDirectory } from "./private-directory.ts";
import { ClaudeProcess } from "./process.ts";
import { reasonAgainstReading } from "./reading.ts";
import type { ClaudeAgentOptions } from "./settings.ts";
import { type Denial, policyHooks, reasonAgainst } from "./tools.ts";

/** Decides over the tool calls of the current answer. */
interface CallPolicy {
  forbids?: ToolPolicy | undefined;
  denied: (denial: Denial) => void;
}

/** Starts a Claude Code that can answer all of these assignments. Returns a failure when it cannot start, or when the signal aborts first. */
export async function startSession(
  options: ClaudeAgentOptions,
  answers: readonly [Expectation, ...Expectation[]],
  signal: AbortSignal,
): Promise<Session | AgentFailure> {
  let directory: PrivateDirectory | undefined;
  try {
    const problem = directoryProblem(options.working_directory);
    if (problem) return { code: "configuration", message: problem };
    directory = await makePrivateDirectory(options);
    const expected = await joinRoles(answers);
    const { sdk, left_out } = await prepareOptions(options, expected, directory);
    const isJoint = answers.length > 1;
    const { task_token, space } = options;
    // Only a worker has tools that could reach beyond its task.
    const claude = new ClaudeProcess({ task_token, space: expected.role === "executor" ? space : undefined });
    const session = new Session(claude, {
      left_out,
      isJoint,
      cleanUp: directory.remove,
    });
    const against = policyOf(expected, session);
    await session.start({ ...sdk, ...(against && policyHooks(against, session.denied, options.tell)) }, signal);
    return session;
  } catch (error) {
    await directory?.remove();
    return { code: "configuration", message: reasonOf(error) };
  }
}

function policyOf({ reads, forbids }: Expectation, session: Session): Parameters<typeof policyHooks>[0] | undefined {
  if (reads !== undefined) return (tool, input) => reasonAgainstReading(reads, tool, input);
  return forbids && ((tool, input) => reasonAgainst(session.forbids, tool, input));
}

function reasonOf(error: unknown): Statement {
  if (error instanceof E8Error && error.code === "agent_configuration")
    return (error.details as { message: Statement }).message;
  return problemOf(error);
}

interface SessionFacts {
  left_out: string[];
  isJoint: boolean;
  cleanUp: () => Promise<void>;
}

const IDLE = message("nothing_asked", {});

/** One started Claude Code. It answers one prompt, or one after another with `refresh` between them. */
export class Session {
  readonly claude: ClaudeProcess;
  /** MCP servers of the repository that were not started. */
  readonly left_out: string[];
  /** Whether it serves several roles, so that each prompt must name one. */
  readonly isJoint: boolean;
  /** The messages to it; closed when no more will come. */
  readonly #inbox = new Queue<SDKUserMessage>();
  readonly #cleanUp: () => Promise<void>;
  #query: Query | undefined;
  #policy: CallPolicy | undefined;
  #isGone = false;
  /** Ends the waiting for the next message. */
  #giveUp: () => void = () => {};
  /** How many prompts it was given. */
  prompts = 0;
  /** Until it has started, it has yet to read the project's instructions and git's state. */
  isStarting = true;
  /** The error that the SDK threw at the end. */
  thrown: unknown;

  constructor(claude: ClaudeProcess, { left_out, isJoint, cleanUp }: SessionFacts) {
    this.claude = claude;
    this.left_out = left_out;
    this.isJoint = isJoint;
    this.#cleanUp = cleanUp;
    void claude.gone.then(() => {
      this.#isGone = true;
      this.#giveUp();
    });
  }

  /** Throws when it cannot be started. Later failures show in its messages. */
  async start(options: Options, signal: AbortSignal): Promise<void> {
    const started = await turnToStart(signal);
    try {
      // Loading takes a quarter of a second, and a run of commands alone never needs it.
      const { query } = await import("./sdk.ts");
      const prompt = this.#inbox.read();
      this.#query = query({ prompt, options: { ...options, spawnClaudeCodeProcess: this.claude.spawn } });
      const begun = () => {
        this.isStarting = false;
        started();
      };
      this.#query.initializationResult().then(begun, begun);
    } catch (error) {
      started();
      await this.claude.end();
      throw error;
    }
  }

  /** Forbids every call while no prompt is being answered. */
  readonly forbids: ToolPolicy = (call) => (this.#policy ? this.#policy.forbids?.(call) : IDLE);

  readonly denied = (denial: Denial): void => this.#policy?.denied(denial);

  tell(assignment: Assignment, policy: CallPolicy): void {
    this.#policy = policy;
    this.prompts += 1;
    const prompt = this.isJoint ? addressed(assignment) : assignment.prompt;
    // Prompts quote others: an @path in them must not include that file, nor a / run a command.
    this.#inbox.push({ ...userMessage(prompt), client_composed: true });
  }

  /**
   * Gives it a fresh context: a new conversation, with the project's instructions, skills and git state as they are now. False
   * when the process is gone.
   */
  async refresh(): Promise<boolean> {
    if (this.claude.exit) return false;
    this.#inbox.push(userMessage("/clear"));
    for await (const message of this.messages())
      if (message.type === "result") return message.subtype === "success" && !message.is_error;
    return false;
  }

  /** Its messages, to their end or until it is gone. Never throws: after an error result the SDK always does. */
  async *messages(): AsyncGenerator<SDKMessage> {
    if (!this.#query) return;
    try {
      for (;;) {
        const step = await this.#next(this.#query);
        if (!step || step.done) return;
        yield step.value;
      }
    } catch (error) {
      this.thrown = error;
    }
  }

  /** Undefined when it is gone. `Promise.race` with `gone` would keep every message in memory until that settles. */
  #next(query: Query): Promise<IteratorResult<SDKMessage, void> | undefined> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () => resolve(undefined);
      if (this.#isGone) this.#giveUp();
      else query.next().then(resolve, reject);
    });
  }

  /** No prompt will follow: it ends when its work is done. */
  conclude(): void {
    this.#inbox.close();
  }

  /** Ends its processes and removes its files. */
  async close(): Promise<void> {
    this.conclude();
    await this.claude.end();
    this.#query?.close();
    await this.#cleanUp();
  }
}

function userMessage(text: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content: [{ type: "text", text }] }, parent_tool_use_id: null };
}
