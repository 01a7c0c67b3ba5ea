import type { E8Error } from "./errors.ts";
import { type Statement, wordsIn } from "./statement.ts";

/** What is looked at. */
export type CheckName =
  | "node"
  | "git"
  | "shell"
  | "claude"
  | "login"
  | "keys"
  | "mcp"
  | "records"
  | "disk"
  | "duckdb"
  | "task";

/** `problem` keeps a run from working; `warning` makes it worse. */
export type FindingState = "ok" | "warning" | "problem";

/** What `e8 doctor` can find, in English: how it is, and what to do where something should be done. */
export const findingTexts = {
  node_ok: (d: { version: string }) => said(`Node ${d.version}`),
  node_old: (d: { version: string; needed: string }) =>
    said(`Node ${d.version} is too old`, `Install Node ${d.needed} or later: https://nodejs.org`),
  git_ok: (d: { version: string }) => said(`git ${d.version}`),
  git_missing: (_: object) =>
    said("git was not found", "Install git: changed files are then seen sooner, and agents can use it."),
  shell_ok: (d: { version: string }) => said(`bash ${d.version}`),
  shell_plain: (_: object) =>
    said("bash was not found; checks run through sh", "Install bash: `pipefail: true` on a check may need it."),
  claude_ok: (d: { version: string; path: string }) => said(`Claude Code ${d.version} (${d.path})`),
  claude_missing: (d: { wanted: string }) =>
    said(
      `Claude Code was not found: ${d.wanted}`,
      "Correct claude_options.executable, or install endless8 again with its optional packages.",
    ),
  claude_broken: (d: { path: string; problem: string }) =>
    said(`${d.path} does not start: ${d.problem}`, "Run it with --version yourself; install it again if that fails."),
  login_ok: (d: { method: string }) => said(`logged in (${d.method}); no token was spent to find out`),
  login_missing: (d: { program: string }) =>
    said("Claude Code is not logged in", `Run \`${d.program}\` and /login, or set ANTHROPIC_API_KEY.`),
  login_unknown: (d: { problem: string; program: string }) =>
    said(
      `This Claude Code does not tell whether it is logged in: ${d.problem}`,
      `Run \`${d.program}\` once; if it asks, /login. A newer version can tell.`,
    ),
  /** `source` is empty where no key is set, and none may be needed. */
  api_key_ok: (d: { model: string; source: string }) =>
    said(`${d.model}: ${d.source ? `key from ${d.source}` : "asked without a key"} (not asked here)`),
  api_key_missing: (d: { model: string; variable: string }) =>
    said(`${d.model}: no key`, `Set ${d.variable}, or name a model of Claude Code instead.`),
  mcp_none: (_: object) => said("no MCP servers are configured"),
  mcp_ok: (d: { servers: string }) => said(`MCP servers: ${d.servers} (not started here)`),
  mcp_program_missing: (d: { server: string; program: string }) =>
    said(
      `MCP server ${d.server}: its program ${d.program} was not found`,
      "Install the program or remove the server; agents work without it.",
    ),
  mcp_left_out: (d: { servers: string }) =>
    said(
      `MCP servers of .mcp.json that you have not approved are not started: ${d.servers}`,
      "To use them, name them in mcp_servers or approve them in Claude Code.",
    ),
  mcp_undefined: (d: { server: string }) =>
    said(
      `mcp_servers names ${d.server}, but no MCP server of that name is configured`,
      "Correct the name, or configure the server: claude mcp add",
    ),
  records_ok: (d: { path: string }) => said(`${d.path} can be written`),
  records_unwritable: (d: { path: string; problem: Statement }) =>
    said(
      `${d.path} cannot be written: ${wordsIn("en", d.problem)}`,
      "Change its owner or mode, or choose another --project.",
    ),
  disk_ok: (d: { free: string }) => said(`${d.free} free for records`),
  disk_low: (d: { free: string }) =>
    said(`Only ${d.free} free for records`, "Make room before a long run; agents and checks need some, too."),
  disk_full: (d: { free: string }) =>
    said(`The disk is full: ${d.free} free`, "Make room: records could not be written."),
  duckdb_ok: (d: { version: string }) => said(`DuckDB ${d.version}`),
  duckdb_broken: (d: { problem: string }) =>
    said(
      `DuckDB does not load: ${d.problem}`,
      "Install endless8 again on this machine. Runs work without it, more slowly with a long history.",
    ),
  task_ok: (d: { file: string }) => said(`${d.file} can be run`),
  settings_ok: (_: object) => said("the project's settings are in order"),
  settings_broken: (d: { error: E8Error }) => said(d.error.message, d.error.hint),
  pipe_hides_exit: (d: { command: string }) =>
    said(
      `\`${d.command}\` has a pipe: only the last command's exit code counts`,
      "Set `pipefail: true` on the criterion.",
    ),
} as const;

export type FindingCode = keyof typeof findingTexts;
export type FindingDetails<C extends FindingCode> = Parameters<(typeof findingTexts)[C]>[0];

export interface FindingText {
  message: string;
  hint?: string;
}

export interface Finding {
  check: CheckName;
  state: FindingState;
  code: FindingCode;
  details: object;
}

export function finding<C extends FindingCode>(
  [check, state]: readonly [CheckName, FindingState],
  code: C,
  details: FindingDetails<C>,
): Finding {
  return { check, state, code, details };
}

function said(message: string, hint?: string): FindingText {
  return { message, ...(hint && { hint }) };
}
