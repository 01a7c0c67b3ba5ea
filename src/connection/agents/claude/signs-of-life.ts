import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";

/** A tool at work shows itself every 30 s only. */
const TOOL_SILENCE_SECONDS = 45;

/** Trying to reach a model is no life; what comes from it, or from a tool, is. */
export function isSignOfLife(message: SDKMessage): boolean {
  return !(message.type === "system" && (message.subtype === "api_retry" || message.subtype === "status"));
}

export function allowedSilence(seconds: number | null, toolRunning: boolean): number | null {
  return seconds !== null && toolRunning ? Math.max(seconds, TOOL_SILENCE_SECONDS) : seconds;
}
