import { z } from "zod";
import type { AgentChoice } from "../../../model/configuration.ts";
import type { Environment } from "../../../model/environment.ts";
import { E8Error } from "../../../model/errors.ts";
import { message } from "../../../model/message.ts";
import { findProgram } from "../../processes/programs.ts";
import { shellCommand } from "../../processes/shell.ts";
import type { KnownAgent } from "./known-agent.ts";
import { KNOWN_AGENTS, type KnownAgentName, knownAgentIn } from "./known-agents.ts";

const text = z.string().trim().min(1);

/** What an agent over the protocol may be told in a file, beside its name. */
export const AcpSettings = z.strictObject({
  /** A line for the shell, or a program and its arguments. */
  command: z.union([text, z.array(z.string()).min(1)]).optional(),
  /** Variables of its own. */
  env: z.record(z.string(), z.string()).optional(),
  /** The session mode to work in, as the agent calls it. */
  mode: text.optional(),
});
type AcpSettings = z.infer<typeof AcpSettings>;

/** Every agent that is not known by name must say how it is started. */
export const OwnAcpSettings = z.union([text, AcpSettings.required({ command: true })]);

/** A program that speaks the protocol over its standard input and output. */
export interface AcpProgram {
  /** As people call it. */
  title: string;
  command: readonly [string, ...string[]];
  environment: Environment;
  /** The session mode that the user asks for. */
  mode: string | undefined;
  known: KnownAgent | undefined;
}

/** The program that a choice names. `known` is the name of an agent that needs no command. */
export function programOf(
  known: KnownAgentName | undefined,
  choice: AgentChoice,
  path: string | undefined,
): AcpProgram {
  const { command, env = {}, mode } = settingsIn(choice);
  const agent = known && KNOWN_AGENTS[known];
  const words = command === undefined ? agent?.command : wordsOf(command, path);
  if (!words) throw new E8Error("agent_configuration", { message: message("acp_command_missing", {}) });
  const spelled = typeof command === "string" ? command : command?.join(" ");
  const title = agent?.title ?? spelled ?? "";
  return { title, command: words, environment: { ...agent?.environment, ...env }, mode, known: agent };
}

/** The known agent whose program the user's own command starts. */
export function knownAgentOf(choice: AgentChoice): KnownAgentName | undefined {
  const { command = [] } = settingsIn(choice);
  return knownAgentIn(typeof command === "string" ? command.trim().split(/\s+/) : command);
}

/** Variables of its own that a choice gives an agent. */
export function variablesOf(choice: AgentChoice): Environment {
  return settingsIn(choice).env ?? {};
}

function settingsIn(choice: AgentChoice): AcpSettings {
  if (typeof choice === "string") return {};
  const [value] = Object.values(choice);
  return typeof value === "string" ? { command: value } : AcpSettings.parse(value ?? {});
}

/** A single word needs no shell between us and the agent. */
function wordsOf(command: string | readonly string[], path: string | undefined): readonly [string, ...string[]] {
  const plain = typeof command === "string" && /^[\w@%+=:,./-]+(?: +[\w@%+=:,./-]+)*$/.test(command.trim());
  const words =
    typeof command === "string"
      ? plain
        ? command.trim().split(/ +/)
        : shellCommand(command, { path, pipefail: false })
      : command;
  const [first = "", ...rest] = words;
  return [first, ...rest];
}

/** Throws where the program is not installed, and says what to type. */
export function requireProgram({ command: [name], title, known }: AcpProgram, path: string | undefined): void {
  if (findProgram(name, path)) return;
  const install = known?.install ?? "";
  throw new E8Error("agent_configuration", {
    message: message("acp_program_missing", { title, program: name, install }),
  });
}
