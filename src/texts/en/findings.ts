import { type FindingText, type FindingTexts, textOfError } from "../message-texts.ts";
import { enErrors } from "./errors.ts";

export const enFindings: FindingTexts = {
  node_ok: (d) => said(`Node ${d.version}`),
  node_old: (d) => said(`Node ${d.version} is too old`, `Install Node ${d.needed} or later: https://nodejs.org`),
  git_ok: (d) => said(`git ${d.version}`),
  git_missing: () =>
    said("git was not found", "Install git: changed files are then seen sooner, and agents can use it."),
  shell_ok: (d) => said(`bash ${d.version}`),
  shell_plain: () =>
    said("bash was not found; checks run through sh", "Install bash: `pipefail: true` on a check may need it."),
  claude_ok: (d) => said(`Claude Code ${d.version} (${d.path})`),
  claude_missing: (d) =>
    said(
      `Claude Code was not found: ${d.wanted}`,
      "Correct claude_options.executable, or install endless8 again with its optional packages.",
    ),
  claude_broken: (d) =>
    said(`${d.path} does not start: ${d.problem}`, "Run it with --version yourself; install it again if that fails."),
  login_ok: (d) => said(`logged in (${d.method}); no token was spent to find out`),
  login_missing: (d) =>
    said("Claude Code is not logged in", `Run \`${d.program}\` and /login, or set ANTHROPIC_API_KEY.`),
  login_unknown: (d) =>
    said(
      `This Claude Code does not tell whether it is logged in: ${d.problem}`,
      `Run \`${d.program}\` once; if it asks, /login. A newer version can tell.`,
    ),
  api_key_ok: (d) => said(`${d.model}: ${d.source ? `key from ${d.source}` : "asked without a key"} (not asked here)`),
  api_key_missing: (d) => said(`${d.model}: no key`, `Set ${d.variable}, or name a model of Claude Code instead.`),
  mcp_none: () => said("no MCP servers are configured"),
  mcp_ok: (d) => said(`MCP servers: ${d.servers} (not started here)`),
  mcp_program_missing: (d) =>
    said(
      `MCP server ${d.server}: its program ${d.program} was not found`,
      "Install the program or remove the server; agents work without it.",
    ),
  mcp_left_out: (d) =>
    said(
      `MCP servers of .mcp.json that you have not approved are not started: ${d.servers}`,
      "To use them, name them in mcp_servers or approve them in Claude Code.",
    ),
  mcp_undefined: (d) =>
    said(
      `mcp_servers names ${d.server}, but no MCP server of that name is configured`,
      "Correct the name, or configure the server: claude mcp add",
    ),
  records_ok: (d) => said(`${d.path} can be written`),
  records_unwritable: (d, tell) =>
    said(`${d.path} cannot be written: ${tell(d.problem)}`, "Change its owner or mode, or choose another --project."),
  disk_ok: (d) => said(`${d.free} free for records`),
  disk_low: (d) =>
    said(`Only ${d.free} free for records`, "Make room before a long run; agents and checks need some, too."),
  disk_full: (d) => said(`The disk is full: ${d.free} free`, "Make room: records could not be written."),
  duckdb_ok: (d) => said(`DuckDB ${d.version}`),
  duckdb_broken: (d) =>
    said(
      `DuckDB does not load: ${d.problem}`,
      "Install endless8 again on this machine. Runs work without it, more slowly with a long history.",
    ),
  task_ok: (d) => said(`${d.file} can be run`),
  settings_ok: () => said("the project's settings are in order"),
  settings_broken: ({ error }, tell) => textOfError(error, enErrors, tell),
  pipe_hides_exit: (d) =>
    said(
      `\`${d.command}\` has a pipe: only the last command's exit code counts`,
      "Set `pipefail: true` on the criterion.",
    ),
};

function said(message: string, hint?: string): FindingText {
  return { message, ...(hint && { hint }) };
}
