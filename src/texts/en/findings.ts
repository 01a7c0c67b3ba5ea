import { enLogin } from "../login.ts";
import { type FindingTexts, filledIn } from "../message-texts.ts";
import { enErrors } from "./errors.ts";

export const enFindings: FindingTexts = {
  node_ok: (d) => [`Node ${d.version}`],
  node_old: (d) => [`Node ${d.version} is too old`, `Install Node ${d.needed} or later: https://nodejs.org`],
  git_ok: (d) => [`git ${d.version}`],
  git_missing: ["git was not found", "Install git: changed files are then seen sooner, and agents can use it."],
  shell_ok: (d) => [`bash ${d.version}`],
  shell_plain: ["bash was not found; checks run through sh", "Install bash: `pipefail: true` on a check may need it."],
  sandbox_ok: (d) => [`Worker and checks run in a sandbox: ${d.levels} (${d.adapter})`],
  sandbox_slower: (d) => [
    `Worker and checks run in a sandbox: ${d.levels} (${d.adapter})`,
    "With bubblewrap there is `--sandbox strict`, too, and each start takes some milliseconds less: install the package bubblewrap.",
  ],
  sandbox_none: (d, tell) => [
    `There is no sandbox here: ${tell(d.problem)}; worker and checks run as you`,
    "On Linux, install bubblewrap, or allow user namespaces (in a container: --security-opt seccomp=unconfined or --privileged).",
  ],
  claude_ok: (d) => [`Claude Code ${d.version} (${d.path})`],
  claude_missing: (d) => [
    `Claude Code was not found: ${d.wanted}`,
    "Correct claude_options.executable, or install endless8 again with its optional packages.",
  ],
  claude_broken: (d) => [
    `${d.path} does not start: ${d.problem}`,
    "Run it with --version yourself; install it again if that fails.",
  ],
  login_ok: (d) => [`logged in (${d.method}); no token was spent to find out`],
  key_untried: (d) => [`a key is set (${d.source}), not tried`],
  provider_untried: (d) => [`access through ${d.provider} is set up, not tried`],
  login_missing: (d) => ["Claude Code is not logged in", `Run \`${d.program}\` and /login, or set ANTHROPIC_API_KEY.`],
  login_unknown: (d) => [
    `This Claude Code does not tell whether it is logged in: ${d.problem}`,
    `Run \`${d.program}\` once; if it asks, /login. A newer version can tell.`,
  ],
  acp_absent: (d) => [
    `${d.title} is not installed: there is no ${d.program} on the PATH`,
    d.install === "" ? "Correct agent, or install the program." : `To use it: ${d.install}`,
  ],
  acp_ok: (d) => [`${[d.title, d.version].filter(Boolean).join(" ")} (${d.path}) speaks the Agent Client Protocol`],
  acp_broken: (d, tell) => [
    `${d.title} (${d.path}) does not start: ${tell(d.problem)}`,
    "Update it, or install it again.",
  ],
  acp_key_untried: (d) => [`${d.title}: a key is set (${d.source}), not tried`],
  acp_login_found: (d) => [`${d.title}: there is a login (${d.file}), not tried`],
  acp_login_needless: (d) => [`${d.title} needs no login: the provider of models that ${d.file} names takes no key`],
  acp_login_missing: (d) => [`${d.title} is not logged in`, `${enLogin(d)}.`],
  acp_login_unknown: (d) => [
    `Whether ${d.title} is logged in cannot be seen from outside${d.ways === "" ? "" : `; it knows these ways: ${d.ways}`}`,
  ],
  api_key_ok: (d) => [`${d.model}: ${d.source ? `key from ${d.source}` : "used without a key"} (not tried here)`],
  package_missing: (d) => [
    `${d.model}: the package ${d.package} is not installed`,
    `npm install ${d.package}@4 (with -g where endless8 is installed globally)`,
  ],
  api_key_missing: (d) => [`${d.model}: ${d.variable} is not set`, "Set it, or name a model of Claude Code instead."],
  mcp_none: ["no MCP servers are configured"],
  mcp_ok: (d) => [`MCP servers: ${d.servers} (not started here)`],
  mcp_program_missing: (d) => [
    `MCP server ${d.server}: its program ${d.program} was not found`,
    "Install the program or remove the server; agents work without it.",
  ],
  mcp_left_out: (d) => [
    `MCP servers of .mcp.json that you have not approved are not started: ${d.servers}`,
    "To use them, name them in mcp_servers or approve them in Claude Code.",
  ],
  mcp_undefined: (d) => [
    `mcp_servers names ${d.server}, but no MCP server of that name is configured`,
    "Correct the name, or configure the server: claude mcp add",
  ],
  records_ok: (d) => [`${d.path} can be written`],
  records_unwritable: (d, tell) => [
    `${d.path} cannot be written: ${tell(d.problem)}`,
    "Change its owner or mode, or choose another --project.",
  ],
  disk_ok: (d) => [`${d.free} free for records`],
  disk_low: (d) => [
    `Only ${d.free} free for records`,
    "Make room before a long run; agents and checks need some, too.",
  ],
  disk_full: (d) => [`The disk is full: ${d.free} free`, "Make room: records could not be written."],
  duckdb_ok: (d) => [`DuckDB ${d.version}`],
  duckdb_broken: (d) => [
    `DuckDB does not load: ${d.problem}`,
    "Install endless8 again on this machine. Runs work without it, more slowly with a long history.",
  ],
  task_ok: (d) => [`${d.file} can be run`],
  settings_ok: ["the project's settings are in order"],
  settings_broken: ({ error }, tell) => filledIn(enErrors[error.code], error.details, tell),
  pipe_hides_exit: (d) => [
    `\`${d.command}\` has a pipe: only the last command's exit code counts`,
    "Set `pipefail: true` on the criterion.",
  ],
};
