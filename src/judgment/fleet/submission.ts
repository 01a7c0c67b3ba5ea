import { isAbsolute, normalize, relative } from "node:path";
import type { AgentChoice, Configuration } from "../../model/configuration.ts";
import { isRecord } from "../../model/json.ts";
import { type Message, message } from "../../model/message.ts";
import type { BranchPlace, Task } from "../../model/task.ts";
import { everyWorkerOf } from "../../model/workers.ts";
import { branchName, commitProblems } from "./ref-names.ts";
import { repositoryProblems } from "./repository.ts";

/** The parts of a task that whoever gives it decides. */
export type Submission = Pick<Task, "configuration" | "project" | "repository"> & Partial<Task>;

/**
 * What a task may not have that any machine may work on: files outside its repository, commands that run as the machine's user, secrets.
 * The one who gives it is told so; each machine looks again, because a row of the database can be written by other programs, too.
 */
export function submissionProblems(task: Submission, { isOfDirectory = false } = {}): Message[] {
  const { configuration, project, repository, flow, script, task_file, place, comparison } = task;
  const worktree = worktreeOf(task);
  const keys = Object.keys(RULES) as (keyof Configuration)[];
  return [
    ...(repository ? repositoryProblems(repository) : []),
    ...(repository || isOfDirectory ? [] : [message("submitted_repository_missing", {})]),
    ...keys.flatMap((key) => problemsAt(key, { configuration, project, worktree })),
    ...(flow ? inside("flow", relative(project, flow.directory)) : []),
    ...refused("script", script !== undefined),
    ...refused("task_file", task_file !== undefined && isAbsolute(task_file) && leaves(relative(project, task_file))),
    ...(place ? placeProblems(place) : []),
    ...(comparison ? commitProblems("comparison.base_commit", comparison.base_commit) : []),
    ...secretsIn({ configuration, flow, repository }),
  ];
}

/**
 * Where a branch's files may be beside the project. Each machine gives a task that names its repository a worktree of its own, whatever the
 * row says; in a directory, the worktree is beside the repository.
 */
function worktreeOf({ project, place, repository }: Submission): string | undefined {
  if (!place || repository) return place?.worktree;
  const [, top] = /^(\/.*)\.worktrees\/[^/]+$/.exec(normalize(place.worktree)) ?? [];
  return top !== undefined && `${project}/`.startsWith(`${top}/`) ? place.worktree : undefined;
}

/** A run writes it into its row; here it decides which branch gets the work. */
function placeProblems({ branch, base, base_commit, remote, tip }: BranchPlace): Message[] {
  const isOurs = /^(?:e8\/|feature\/issue-\d+$)/.test(branch) && (remote === null || remote === "origin");
  const commits = [base_commit, ...(tip === undefined ? [] : [tip])];
  return [
    ...refused("place", !isOurs),
    ...branchName("place.branch", branch),
    ...branchName("place.base", base),
    ...commits.flatMap((commit) => commitProblems("place.base_commit", commit)),
  ];
}

function problemsAt<K extends keyof Configuration>(key: K, about: About): Message[] {
  return RULES[key](about.configuration[key], about);
}

interface About {
  configuration: Configuration;
  project: string;
  worktree: string | undefined;
}

type Rule<K extends keyof Configuration> = (value: Configuration[K], about: About) => Message[];

/** Texts, numbers and choices that a machine only reads. */
const harmless = (): Message[] => [];

/** One rule for each key: a new key does not compile without one. What commands may run is decided by each machine's own list. */
const RULES: { readonly [K in keyof Configuration]: Rule<K> } = {
  task: harmless,
  criteria: (criteria) =>
    criteria.flatMap((one) => (one.type === "unchanged" ? one.files.flatMap((path) => inside("criteria", path)) : [])),
  max_iterations: harmless,
  history_context_size: harmless,
  knowledge_context_size: harmless,
  raw_output_context: harmless,
  command_timeout: harmless,
  silence_timeout: harmless,
  stall_limit: harmless,
  until: harmless,
  persist: (path) => refused("persist", path !== null),
  knowledge: (path) => refused("knowledge", path !== null),
  working_directory: (path, { project, worktree }) =>
    worktree !== undefined && isAbsolute(path) && !leaves(relative(worktree, path))
      ? []
      : inside("working_directory", isAbsolute(path) ? relative(project, path) : path),
  agent: (_, { configuration }) => everyWorkerOf(configuration).flatMap(({ agent }) => agentProblems(agent)),
  fallbacks: harmless,
  fallback_after: harmless,
  escalate_to: harmless,
  models: harmless,
  judges: harmless,
  reviewers: harmless,
  review: harmless,
  prices: harmless,
  budget: harmless,
  logging: ({ raw_log_dir }) => refused("logging.raw_log_dir", raw_log_dir !== null),
  claude_options: harmless,
  notify: ({ desktop, webhook, command, on_end }) => [
    ...refused("notify.desktop", desktop),
    ...refused("notify.webhook", webhook !== null),
    ...refused("notify.command", command !== null),
    ...refused("notify.on_end", on_end !== null),
  ],
  prompts: harmless,
  mcp_servers: (servers) => Object.values(servers).flatMap(serverProblems),
  skills_dir: (path) => (path === null ? [] : inside("skills_dir", path)),
  intake: harmless,
  proof: harmless,
  protect: (paths) => paths.flatMap((path) => inside("protect", path)),
  may_change: (paths) => paths.flatMap((path) => inside("may_change", path)),
  if_green: harmless,
  pass_credentials: harmless,
  setup: harmless,
  setup_timeout: harmless,
  keep: (paths) => paths.flatMap((path) => inside("keep", path)),
  sandbox_hosts: harmless,
  sandbox: harmless,
  worktree: ({ root, copy, base }) => [
    ...refused("worktree.root", root !== null),
    ...copy.flatMap((path) => inside("worktree.copy", path)),
    ...(base === null ? [] : branchName("worktree.base", base)),
  ],
  finalize: ({ remote, pr_target }) => [
    ...refused("finalize.remote", remote !== "origin"),
    ...(pr_target === null ? [] : branchName("finalize.pr_target", pr_target)),
  ],
};

function refused(key: string, isRefused: boolean): Message[] {
  return isRefused ? [message("submitted_key_refused", { key })] : [];
}

/** Also for patterns, of which `!` takes files out. Links in the repository are looked at where it is checked out. */
function inside(key: string, path: string): Message[] {
  return leaves(path.replace(/^!/, "")) ? [message("submitted_path_outside", { key, path })] : [];
}

/** Alternatives of a pattern may hide the way out: `{a,../b}`. */
function leaves(path: string): boolean {
  const hidden = /[{(,|]\s*(\.\.)?\//.test(path) || /(^|[/{(,|])\.\.([/}),|]|$)/.test(path);
  return isAbsolute(path) || /^[~\\]/.test(path) || normalize(path).split("/")[0] === ".." || hidden;
}

/** A story is a file; an agent's own variables would be rows that others read. */
function agentProblems(agent: AgentChoice): Message[] {
  if (typeof agent === "string") return [];
  const [[name, value] = ["", undefined]] = Object.entries(agent);
  const story = name === "scripted" && typeof value === "string" ? inside("agent", value) : [];
  const env = isRecord(value) && isRecord(value.env) && Object.keys(value.env).length > 0;
  return [...story, ...(env ? [message("submitted_value_secret", { key: "agent.env" })] : [])];
}

function serverProblems(server: Configuration["mcp_servers"][string]): Message[] {
  if (server === true) return [];
  const values = "command" in server ? server.env : server.headers;
  const key = "command" in server ? "mcp_servers.env" : "mcp_servers.headers";
  return Object.keys(values ?? {}).length > 0 ? [message("submitted_value_secret", { key })] : [];
}

const PASSWORD_IN_URL = /[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;
/** How tokens of well-known services begin. */
const TOKEN =
  /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{18,}|sk-[\w-]{24,}|xox[abprs]-[\w-]{20,}|AKIA[A-Z0-9]{16})\b|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** Rows hold no secrets: every reader of the database sees them. */
function secretsIn(value: unknown, key = ""): Message[] {
  if (typeof value === "string")
    return PASSWORD_IN_URL.test(value) || TOKEN.test(value) ? [message("submitted_value_secret", { key })] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, key === "" || key === "configuration" ? name : key),
  );
}
