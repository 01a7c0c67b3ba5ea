import { z } from "zod";
import { CredentialName } from "./credentials.ts";
import { HostPattern, SandboxLevel } from "./sandbox.ts";
import { textList } from "./yaml-scalars.ts";

const text = z.string().trim().min(1);
const names = () => textList(text);

/** What one machine does for a fleet. Whoever can give tasks decides nothing here: it is the machine's own. */
export const Allowance = z.strictObject({
  /** Patterns of URLs; `*` stands for everything but a slash, `**` for everything. None: no task is taken. */
  repositories: names().default([]),
  /** Patterns of branches that work may land on. Absent: any. */
  bases: names().optional(),
  /** Patterns of commands that tasks may run outside of agents; `*` stands for words without signs of the shell. Absent: any. */
  commands: names().optional(),
  /** Agents by the names that `agent` in a task file has for them. Absent: any. */
  agents: names().optional(),
  /** MCP servers by name that are configured on this machine and that a task may use. */
  mcp_servers: names().default([]),
  /** Credentials that `pass_credentials` of a task may hand on. */
  credentials: textList(CredentialName).default([]),
  /** Hosts of models, of MCP servers, and of `sandbox_hosts`. */
  hosts: textList(HostPattern).default([]),
  /** What this machine's accounts are called: machines with the same name share the limits of their vendors. */
  account: text.optional(),
  /** The weakest sandbox that a task may ask for. */
  sandbox: SandboxLevel.default("contain"),
});
export type Allowance = z.infer<typeof Allowance>;
