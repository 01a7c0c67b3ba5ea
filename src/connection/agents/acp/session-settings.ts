import type { NewSessionResponse, SessionConfigOption } from "@agentclientprotocol/sdk";
import { OWN_MODEL } from "../../../model/configuration.ts";
import { E8Error } from "../../../model/errors.ts";
import { isRecord } from "../../../model/json.ts";
import { message } from "../../../model/message.ts";
import type { Expectation } from "../../ports/agent.ts";
import type { SessionModes } from "./known-agent.ts";
import { COMMON_MODES } from "./known-agents.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { AcpProcess } from "./process.ts";

interface Asked {
  options: AcpAgentOptions;
  assignment: Expectation;
}

/** Gives a new session the mode and the model that the answer needs. Throws where the agent has not what the user names. */
export async function chooseSettings(agent: AcpProcess, session: NewSessionResponse, asked: Asked): Promise<true> {
  await chooseMode(agent, session, asked);
  await chooseModel(agent, session, asked);
  return true;
}

/** Agents name their modes themselves, as modes or as a setting of the session. */
async function chooseMode(agent: AcpProcess, session: NewSessionResponse, asked: Asked): Promise<void> {
  const { sessionId, modes } = session;
  const { program } = asked.options;
  const setting = modes ? undefined : settingFor(session, "mode");
  const ids = modes ? modes.availableModes.map(({ id }) => id) : valuesOf(setting);
  const current = modes?.currentModeId ?? setting?.currentValue;
  const wanted = wantedMode(ids, asked);
  if (wanted === undefined || wanted === current) return;
  if (!ids.includes(wanted)) {
    const problem = message("acp_mode_unknown", { title: program.title, mode: wanted, known: ids });
    throw new E8Error("agent_configuration", { message: problem });
  }
  if (modes) await agent.request("session/set_mode", { sessionId, modeId: wanted });
  else if (setting)
    await agent.request("session/set_config_option", { sessionId, configId: setting.id, value: wanted });
}

function wantedMode(ids: readonly string[], { options, assignment }: Asked): string | undefined {
  const { program } = options;
  const isWork = assignment.role === "executor";
  if (isWork && program.mode !== undefined) return program.mode;
  const need = isWork ? neededBy(options.allowed_tools, assignment.access ?? options.permission_mode) : "answer";
  const names = [...(program.known?.modes[need] ?? []), ...COMMON_MODES[need]];
  return names.find((name) => ids.includes(name));
}

/** A worker that may run any command may write any file: only then may the agent decide what needs no permission. */
function neededBy(allowed_tools: readonly string[], permission_mode: string): keyof SessionModes {
  if (permission_mode === "bypassPermissions") return "unrestricted";
  const isFree = permission_mode !== "plan" && allowed_tools.some((rule) => ANY_COMMAND.test(rule));
  return isFree ? "work" : "asking";
}

const ANY_COMMAND = /^Bash(\(:?\*\))?$/;

/** The agent's own model, unless the user names one. */
async function chooseModel(agent: AcpProcess, session: NewSessionResponse, asked: Asked): Promise<void> {
  const { options, assignment } = asked;
  const wanted = assignment.model ?? options.models[assignment.role];
  if (wanted === OWN_MODEL) return;
  const { sessionId } = session;
  const models = modelsOf(session);
  const setting = settingFor(session, "model");
  const known = models ?? valuesOf(setting);
  const value = known.find((one) => one === wanted) ?? known.find((one) => one.endsWith(`/${wanted}`));
  if (value === undefined) {
    const problem = message("acp_model_unknown", { title: options.program.title, model: wanted, known });
    throw new E8Error("agent_configuration", { message: problem });
  }
  if (setting) await agent.request("session/set_config_option", { sessionId, configId: setting.id, value });
  else await agent.request("session/set_model", { sessionId, modelId: value });
}

/** Models before they became a setting of the session. */
function modelsOf(session: NewSessionResponse): string[] | undefined {
  const { models } = session as { models?: unknown };
  const available = isRecord(models) && Array.isArray(models.availableModels) ? models.availableModels : undefined;
  return available?.flatMap((one) => (isRecord(one) && typeof one.modelId === "string" ? [one.modelId] : []));
}

type SelectSetting = Extract<SessionConfigOption, { type: "select" }>;

function settingFor({ configOptions }: NewSessionResponse, category: string): SelectSetting | undefined {
  const selects = (configOptions ?? []).filter((one): one is SelectSetting => one.type === "select");
  return selects.find((one) => one.category === category) ?? selects.find(({ id }) => id === category);
}

function valuesOf(setting: SelectSetting | undefined): string[] {
  return (setting?.options ?? []).flatMap((one) =>
    "options" in one ? one.options.map(({ value }) => value) : [one.value],
  );
}
