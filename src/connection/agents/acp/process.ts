import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConnection, InitializeResponse } from "@agentclientprotocol/sdk";
import { OutputTail } from "../../processes/output.ts";
import { type Exit, endTree, membersOfTree, startTree, type Tree } from "../../processes/process-tree.ts";
import { turnToStart } from "../turn-to-start.ts";
import { clientFor } from "./client.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { AnswerReader } from "./reader.ts";
import { OtherVersion, StartFailure } from "./start-failure.ts";
import { lineHearer, wireOf } from "./wire.ts";

type ProcessOptions = Pick<AcpAgentOptions, "program" | "environment" | "working_directory" | "task_token" | "space">;

const STDERR_BYTES = 4 * 1024;
/** What it said last may still be on its way through the pipe. */
const DRAIN_MILLISECONDS = 300;
const ALONE_MILLISECONDS = 50;
const SETTLE_MILLISECONDS = 1000;
const MOST_UNREAD = 200;
const LONGEST_UNREAD = 64 * 1024;

type Heard = Parameters<AnswerReader["line"]>;

/** One agent process, with everything it starts. It answers one prompt after another, each in a session of its own. */
export class AcpProcess {
  /** An empty directory for answers that must not see the project. It is made where the process runs. */
  readonly empty_directory = join(tmpdir(), `e8-acp-${randomUUID()}`);
  readonly #tree: Tree;
  readonly #errors = new OutputTail(STDERR_BYTES);
  /** How it ended, once it has. */
  exit: Exit | undefined;
  readonly exited: Promise<Exit>;
  /** What the agent says of itself; undefined until it has started. */
  info: InitializeResponse | undefined;
  /** How many sessions it was given. */
  sessions = 0;
  /** Handles what it sends, from `readBy` on. Undefined while nothing is asked. */
  reader: AnswerReader | undefined;
  /** What was said while nothing was asked, for the raw log of the next answer. */
  readonly #unread: Heard[] = [];
  #connection: ClientConnection | undefined;
  #before: ReadonlySet<number> | undefined;
  /** A session that was opened before it is needed; undefined where it could not be. */
  #ahead: { kind: string; session: Promise<string | undefined> } | undefined;

  private constructor(options: ProcessOptions) {
    const { program, environment, working_directory: cwd, task_token, space } = options;
    // The directory is made by a shell that runs where the agent runs: temporary files may be its own there.
    const [command, ...args] = ["sh", "-c", MAKE_AND_BEGIN, this.empty_directory, ...program.command] as const;
    const start = { command, args, cwd, task_token, space, stdin: "pipe", stderr: "pipe" } as const;
    this.#tree = startTree({ ...start, environment: { ...environment, ...program.environment } });
    this.#tree.child.stderr?.on("data", (chunk: Buffer) => this.#errors.add(chunk));
    if (program.known?.refusal)
      this.#tree.child.stderr?.on(
        "data",
        lineHearer((line) => this.reader?.logged(line)),
      );
    this.exited = this.#tree.exit.then(async (exit) => {
      this.exit = exit;
      await sleep(DRAIN_MILLISECONDS, undefined, { ref: false });
      // Another process may hold them open.
      this.#tree.child.stdout?.destroy();
      this.#tree.child.stderr?.destroy();
      return exit;
    });
  }

  /** Starts one and greets it. Throws what the protocol's SDK throws; the process is then ended. */
  static async start(options: ProcessOptions, signal: AbortSignal): Promise<AcpProcess> {
    const started = await turnToStart(signal);
    const agent = new AcpProcess(options);
    const abort = () => void agent.end();
    signal.addEventListener("abort", abort, { once: true });
    try {
      await agent.#greet();
      return agent;
    } catch (error) {
      if (!signal.aborted) await agent.settled();
      await agent.end();
      throw new StartFailure(agent, error);
    } finally {
      signal.removeEventListener("abort", abort);
      started();
    }
  }

  async #greet(): Promise<void> {
    // Loading takes as long as an agent needs to start.
    const { client, PROTOCOL_VERSION } = await import("@agentclientprotocol/sdk");
    const { stdin, stdout } = this.#tree.child;
    if (!stdin || !stdout) throw new Error("the agent has no pipes");
    const stream = wireOf(
      { stdin, stdout },
      {
        update: (params) => this.reader?.update(params),
        line: (...heard) => (this.reader ? this.reader.line(...heard) : this.#unheard(heard)),
      },
    );
    this.#connection = clientFor(client({ name: "endless8" }), () => this.reader).connect(stream);
    const info = await this.request<InitializeResponse>("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "endless8", version: "1" },
    });
    if (info.protocolVersion !== PROTOCOL_VERSION) throw new OtherVersion(info.protocolVersion, PROTOCOL_VERSION);
    this.info = info;
  }

  /** From now on this answer is told what the agent says. */
  async readBy(reader: AnswerReader): Promise<void> {
    this.reader = reader;
    for (const heard of this.#unread.splice(0)) await reader.line(...heard);
  }

  #unheard(heard: Heard): void {
    if (this.#unread.length < MOST_UNREAD && heard[1].length < LONGEST_UNREAD) this.#unread.push(heard);
  }

  /** Asks the agent. Rejects with its error, and when it is gone. */
  request<T>(method: string, params: object): Promise<T> {
    if (!this.#connection) return Promise.reject(new Error("not connected"));
    return this.#connection.agent.request<T, object>(method, params);
  }

  notify(method: string, params: object): void {
    this.#connection?.agent.notify(method, params).catch(() => {});
  }

  /** Opens a session for the next answer of a kind. One that cannot be opened is opened again when it is needed, which then fails. */
  openAhead(kind: string, open: () => Promise<string>): void {
    if (this.#ahead?.kind !== kind) this.#ahead = { kind, session: open().catch(() => undefined) };
  }

  /** The session that was opened ahead, if it is of this kind. */
  async takeSession(kind: string): Promise<string | undefined> {
    if (this.#ahead?.kind !== kind) return undefined;
    const { session } = this.#ahead;
    this.#ahead = undefined;
    return session;
  }

  /** An agent that is gone closes its output first: its exit and its last words follow within a moment. */
  async settled(): Promise<void> {
    if (this.#connection?.signal.aborted)
      await Promise.race([this.exited, sleep(SETTLE_MILLISECONDS, undefined, { ref: false })]);
  }

  /** The end of stderr. */
  get stderr(): string {
    return this.#errors.text().trim();
  }

  /** Its processes as they are now belong to it: what comes later belongs to the answer. */
  remember(): void {
    this.#before = membersOfTree(this.#tree);
  }

  /** Whether nothing is left that the answer has started. What is just ending gets a moment. */
  async isAsBefore(): Promise<boolean> {
    for (let tries = 0; tries < 3; tries += 1) {
      if (this.exit) return false;
      const now = membersOfTree(this.#tree);
      if (now && [...now].every((pid) => this.#before?.has(pid))) return true;
      await sleep(ALONE_MILLISECONDS);
    }
    return false;
  }

  /** Leaves nothing running. */
  async end(): Promise<void> {
    this.#tree.child.stdin?.end();
    await endTree(this.#tree);
    this.#connection?.close();
    await rm(this.empty_directory, { recursive: true, force: true }).catch(() => {});
  }
}

const MAKE_AND_BEGIN = 'mkdir -p -- "$0" && exec "$@"';
