import type { MessagesRequest } from "../../../src/connection/agents/scripted/model/request.ts";

/** Agents without a system text of ours are told their role, and their step, in the prompt; a story looks for them in the system text. */
export function withSpokenMarkers(request: MessagesRequest): MessagesRequest {
  const lines = request.messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      [...JSON.stringify(content).matchAll(MARKER)].map(([found]) => found.replace("\\n", "\n")),
    );
  const system = [request.system, ...lines.slice(0, 1)].flat().filter((text) => text !== undefined);
  return { ...request, system: system.map((text) => (typeof text === "string" ? { type: "text", text } : text)) };
}

const MARKER = /endless8-role: [\w.-]+(?:\\nendless8-step: [\w.-]+)?/g;
