import type { MessagesRequest } from "../../../src/connection/agents/scripted/model/request.ts";

/** Agents without a system text of ours are told their role in the prompt; a story looks for it in the system text. */
export function withSpokenMarkers(request: MessagesRequest): MessagesRequest {
  const lines = request.messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => [...JSON.stringify(content).matchAll(MARKER)].map(([line]) => line));
  const system = [request.system, ...lines.slice(0, 1)].flat().filter((text) => text !== undefined);
  return { ...request, system: system.map((text) => (typeof text === "string" ? { type: "text", text } : text)) };
}

const MARKER = /endless8-(?:role|step): [\w.-]+/g;
