import type { McpServer } from "../../../model/configuration.ts";
import type { Environment } from "../../../model/environment.ts";
import type { Statement } from "../../../model/message.ts";
import type { Role } from "../../../model/roles.ts";
import type { RawLog } from "../../ports/task-store.ts";
import type { PermissionMode } from "./settings.ts";

/** What all answers of one task have in common. */
export interface ClaudeAgentOptions {
  /** Absolute, as is the working directory; other paths may be relative to it. */
  project: string;
  working_directory: string;
  /** The whole environment of Claude Code; this process's own where absent. */
  environment?: Environment;
  models: Readonly<Record<Role, string>>;
  allowed_tools: readonly string[];
  permission_mode: PermissionMode;
  /** Of the model, for one answer. */
  max_turns: Readonly<Record<Role, number>>;
  /** A `claude` to use instead of the bundled one: a path, or a name on the PATH. */
  executable: string | null;
  /** `true`: a server configured elsewhere that may be started. */
  mcp_servers: Readonly<Record<string, McpServer | true>>;
  skills_dir: string | null;
  timeout_seconds: number | null;
  silence_seconds: number | null;
  raw_log?: RawLog | undefined;
  /** Says a statement to the model, in English. */
  tell: (statement: Statement) => string;
  task_token: string;
}

export function environmentOf({ environment }: Pick<ClaudeAgentOptions, "environment">): Environment {
  return environment ?? process.env;
}
