import type { Allowance } from "../../model/allowance.ts";
import { apiModelOf } from "../../model/api-model.ts";
import type { Configuration } from "../../model/configuration.ts";
import { type Message, message } from "../../model/message.ts";
import type { SandboxLevel } from "../../model/sandbox.ts";
import type { Task } from "../../model/task.ts";
import { workersOf } from "../../model/workers.ts";
import { agentsOf, programsOf } from "./programs-of.ts";

/** What one machine's list does not let a task do. */
export function allowanceProblems(
  task: Pick<Task, "configuration" | "repository"> & Partial<Task>,
  allowance: Allowance,
): Message[] {
  const { configuration, repository } = task;
  const { repositories, commands, agents, credentials, mcp_servers, sandbox } = allowance;
  const url = repository?.url ?? ""; // one without works in a directory that the machine offers
  return [
    ...(!repository || repositories.some((one) => repositoryPattern(one).test(url))
      ? []
      : [message("allowance_repository", { url })]),
    ...basesOf(task).flatMap((base) =>
      !allowance.bases || allowance.bases.some((one) => pathPattern(one).test(base))
        ? []
        : [message("allowance_base", { base })],
    ),
    ...programsOf(task).flatMap(({ key, command }) =>
      !commands || commands.some((one) => one === command || commandPattern(one).test(command))
        ? []
        : [message("allowance_command", { key, command })],
    ),
    ...agentsOf(configuration).flatMap((agent) =>
      !agents || agents.includes(agent) ? [] : [message("allowance_agent", { agent })],
    ),
    ...configuration.pass_credentials.flatMap((name) =>
      credentials.includes(name) ? [] : [message("allowance_credential", { name })],
    ),
    ...Object.entries(configuration.mcp_servers).flatMap(([name, server]) =>
      server !== true || mcp_servers.includes(name) ? [] : [message("allowance_server", { name })],
    ),
    ...hostProblems(configuration, allowance.hosts),
    ...(STRENGTH[configuration.sandbox] >= STRENGTH[sandbox]
      ? []
      : [message("allowance_sandbox", { level: configuration.sandbox, least: sandbox })]),
  ];
}

const STRENGTH: Record<SandboxLevel, number> = { off: 0, contain: 1, strict: 2 };

/** Every branch that a task's work could go to. */
function basesOf({ configuration, repository, place }: Parameters<typeof allowanceProblems>[0]): string[] {
  const { worktree, finalize } = configuration;
  const named = [repository?.base, worktree.base, finalize.pr_target, place?.base];
  return [...new Set(named.filter((one) => typeof one === "string"))];
}

function pathPattern(pattern: string): RegExp {
  return new RegExp(`^${sourceOf(pattern)}$`);
}

function sourceOf(pattern: string): string {
  const parts = pattern.split(/(\*\*|\*)/);
  return parts.map((part) => (part === "**" ? ".*" : part === "*" ? "[^/]*" : escaped(part))).join("");
}

/** Of a URL, case and a trailing `.git` or slash do not matter. */
function repositoryPattern(pattern: string): RegExp {
  const plain = pattern.replace(/\/+$/, "").replace(/\.git$/, "");
  return new RegExp(`^${sourceOf(plain)}(?:\\.git)?/*$`, "i");
}

/** What a `*` stands for cannot end the command, begin another one, or send its output elsewhere. */
const NO_SIGNS = "[^;&|<>$`(){}\\[\\]!#~*?\\\\'\"\\n\\r]*";

function commandPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(escaped).join(NO_SIGNS)}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Models at an address of the task's own get the machine's key; servers get what agents tell them. */
function hostProblems(configuration: Configuration, hosts: readonly string[]): Message[] {
  const { models, judges, reviewers, mcp_servers, sandbox_hosts, escalate_to } = configuration;
  const own = [...workersOf(configuration).map(({ model }) => model), escalate_to?.model ?? null];
  const names = [...Object.values(models), ...judges, ...reviewers, ...own.filter((one) => one !== null)];
  const urls = names.flatMap((name) => apiModelOf(name)?.base_url ?? []).map((url) => ["models", url] as const);
  const servers = Object.values(mcp_servers).flatMap((server) =>
    server !== true && "url" in server ? [["mcp_servers", server.url] as const] : [],
  );
  const asked = [
    ...[...urls, ...servers].map(([key, url]) => [key, hostIn(url)] as const),
    ...sandbox_hosts.map((host) => ["sandbox_hosts", host] as const),
  ];
  return asked.flatMap(([key, host]) =>
    hosts.some((one) => covers(one, host)) ? [] : [message("allowance_host", { key, host })],
  );
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function covers(pattern: string, host: string): boolean {
  return pattern === host || (pattern.startsWith("*.") && !host.includes("*") && host.endsWith(pattern.slice(1)));
}
