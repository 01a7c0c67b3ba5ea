import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { asE8Error } from "../model/errors.ts";
import { errorText } from "../texts/sentences.ts";
import type { Door } from "./door.ts";

/** A result in words, and the same as data. Some clients show a model the data alone, so whatever it has to know is in both. */
export function said(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** What was done, in one sentence. */
export function done(message: string, facts: Record<string, unknown>): CallToolResult {
  return said(message, { ...facts, message });
}

/** What cannot be done is an answer, too: the model reads why, and what to do about it. */
export async function answered(door: Door, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (thrown) {
    const { labeled, error, nextStep, language } = door.texts;
    const { message, hint } = errorText(asE8Error(thrown), language);
    const text = `${labeled(error, message)}\n${labeled(nextStep, hint)}`;
    return { content: [{ type: "text", text }], isError: true };
  }
}
