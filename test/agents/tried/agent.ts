import type { Fault, Turn } from "../../../src/connection/agents/scripted/model/story.ts";

/** A tool call of a scripted model. */
export type ToolUse = NonNullable<Turn["use"]>[number];

/** An agent that is tried: where it comes from, how it is led to a model on loopback, and how its tools are called. */
export interface TriedAgent {
  name: string;
  /** What `--agent` is given. */
  choice: string;
  package: string;
  version: string;
  /** Its program, as it is found on the PATH. */
  program: string;
  /** Where the program is below `node_modules`, if a script of the package would put it into `.bin`. */
  binary?: readonly string[];
  /** The API that it is answered over. */
  api: string;
  /** Below HOME; it may always write there. */
  folder: string;
  /** What its user types to start it without e8, in one word for each argument, before the prompt. */
  bare: readonly [string, ...string[]];
  /** Where that program is below `node_modules`. */
  bare_program: readonly string[];
  /** Writes its settings into a home of its own; gives the variables that it needs beside HOME and PATH. */
  settle(home: string, url: string): Promise<Record<string, string>>;
  /** A variable that holds its user's key, as `e8 doctor` knows it; undefined where e8 cannot know it. */
  login: string | undefined;
  /** Without these variables it is not logged in. */
  keys: readonly string[];
  /** It takes a free model of its own without them. With these instead, it has a model whose key is missing. */
  keyless?: (url: string) => Record<string, string>;
  /** Variables with which it is logged in to a subscription, if only that knows of used-up limits. */
  subscription?: Record<string, string>;
  write(path: string, content: string): ToolUse;
  run(command: string): ToolUse;
  /** A call that its user must permit. */
  forbidden(command: string): ToolUse;
  /** Its other way to change a file, where its usual one is a command. */
  patch?(path: string, content: string): ToolUse;
  /** A tool of an MCP server. */
  remote(server: string, tool: string): string;
  /** What its API says when the limit of an account is used up until then. */
  limit(resets_at: number): Fault;
}
