import { setTimeout as sleep } from "node:timers/promises";
import type { PromptResponse } from "@agentclientprotocol/sdk";
import type { Assignment } from "../../../model/agent.ts";
import { fillTemplate } from "../../../model/template.ts";
import { readPrompts } from "../../files.ts";
import { withoutDialect } from "../find-json.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { AcpProcess } from "./process.ts";
import { closeSession, kindOf, openSession } from "./sessions.ts";
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
  const opening = sessionFor(agent, asked);
  const text = promptFor(asked);
  text.catch(() => {}); // it may be rejected when nobody waits for it
  const sessionId = await unlessEnded(opening, ending);
  if (sessionId === undefined) return undefined;
  asked.opened(sessionId);
  const prompt = [{ type: "text", text: await text }];
  agent.remember();
  asked.begun();
  const answer = agent.request<PromptResponse>("session/prompt", { sessionId, prompt });
  const response = await unlessEnded(answer, ending);
  if (response && !ending.aborted) closeSession(agent, sessionId);
  if (response || !ending.aborted) return response;
  agent.notify("session/cancel", { sessionId });
  return Promise.race([answer.catch(() => undefined), sleep(CANCEL_MILLISECONDS, undefined, { ref: false })]);
}

/** One that was opened ahead, or a new one. */
async function sessionFor(agent: AcpProcess, asked: Asked): Promise<string> {
  return (await agent.takeSession(kindOf(asked))) ?? openSession(agent, asked);
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
