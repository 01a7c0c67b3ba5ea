import { setTimeout as sleep } from "node:timers/promises";
import type { NewSessionResponse, PromptResponse } from "@agentclientprotocol/sdk";
import type { Assignment } from "../../../model/agent.ts";
import { fillTemplate } from "../../../model/template.ts";
import { readPrompts } from "../../files.ts";
import { withoutDialect } from "../find-json.ts";
import { serversFor } from "./mcp-servers.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { AcpProcess } from "./process.ts";
import { chooseSettings } from "./session-settings.ts";
import { skillsIn } from "./skills.ts";

/** An agent that is told to stop has this long to say what it has spent. */
const CANCEL_MILLISECONDS = 1500;

interface Asked {
  options: AcpAgentOptions;
  assignment: Assignment;
  /** Aborts when the answer is to end early. */
  ending: AbortSignal;
  /** Called with the session's id before anything is asked in it. */
  opened: (session_id: string) => void;
  /** Called when the question is given. */
  begun: () => void;
}

/** Asks one question in a session of its own. Undefined when the answer was ended early and the agent did not say how. */
export async function converse(agent: AcpProcess, asked: Asked): Promise<PromptResponse | undefined> {
  const { ending } = asked;
  const session = await unlessEnded(openSession(agent, asked), ending);
  if (!session) return undefined;
  const { sessionId } = session;
  asked.opened(sessionId);
  const isChosen = await unlessEnded(chooseSettings(agent, session, asked), ending);
  if (!isChosen) return undefined;
  nameSession(agent, sessionId, asked);
  agent.remember();
  const prompt = [{ type: "text", text: await promptFor(asked) }];
  asked.begun();
  const answer = agent.request<PromptResponse>("session/prompt", { sessionId, prompt });
  const response = await unlessEnded(answer, ending);
  if (response || !ending.aborted) return response;
  agent.notify("session/cancel", { sessionId });
  return Promise.race([answer.catch(() => undefined), sleep(CANCEL_MILLISECONDS, undefined, { ref: false })]);
}

/** Some versions of the agent cannot: then the session has another name, and nothing else is different. */
function nameSession(agent: AcpProcess, sessionId: string, { options, assignment }: Asked): void {
  const method = options.program.known?.names_sessions;
  if (method) agent.request(method, { sessionId, title: `endless8 ${assignment.role}` }).catch(() => {});
}

async function openSession(agent: AcpProcess, { options, assignment }: Asked): Promise<NewSessionResponse> {
  agent.sessions += 1;
  const isWork = assignment.role === "executor";
  const cwd = isWork ? options.working_directory : (assignment.reads ?? agent.empty_directory);
  const mcpServers = isWork ? await serversFor(options, agent.info) : [];
  return agent.request<NewSessionResponse>("session/new", { cwd, mcpServers });
}

/** A promise that is not waited for any more when the answer is ended. */
async function unlessEnded<T>(promise: Promise<T>, ending: AbortSignal): Promise<T | undefined> {
  let abort = () => {};
  const ended = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined);
    ending.addEventListener("abort", abort, { once: true });
    if (ending.aborted) abort();
  });
  promise.catch(() => {}); // it may be rejected when nobody waits for it
  return Promise.race([promise, ended]).finally(() => ending.removeEventListener("abort", abort));
}

/** The protocol has no system prompt and no schemas for answers: both become part of the prompt. */
async function promptFor({ assignment, options }: Asked): Promise<string> {
  const { role, system_prompt, prompt, schema } = assignment;
  const prompts = await readPrompts(["json-answer", "json-report"]);
  const template = prompts[role === "executor" ? "json-report" : "json-answer"];
  const form = schema && fillTemplate(template, { schema: JSON.stringify(withoutDialect(schema)) });
  const skills = role === "executor" ? await skillsIn(options.skills_dir, options.project) : "";
  return [system_prompt, skills, prompt, form].filter(Boolean).join("\n\n");
}
