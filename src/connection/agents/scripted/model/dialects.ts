import type { ServerResponse } from "node:http";
import { chatCompletion, fromResponses, openAiError, openAiResponse } from "./openai.ts";
import type { Reply } from "./reply.ts";
import { MessagesRequest } from "./request.ts";
import { sendJson, sendReply } from "./wire.ts";

/** An API that a story can be asked over. Inside, everything is a Messages API request and its reply. */
export interface Dialect {
  /** Undefined when the body is not a request of this API. */
  read(body: unknown): MessagesRequest | undefined;
  send(response: ServerResponse, reply: Reply, stream: boolean): void;
  error(type: string, message: string): object;
}

export const MESSAGES: Dialect = {
  read: (body) => MessagesRequest.safeParse(body).data,
  send: sendReply,
  error: (type, message) => ({ type: "error", error: { type, message } }),
};

/** Our clients of these APIs neither stream nor use tools; other clients get an error. */
const unstreamed = (worded: (reply: Reply) => object): Dialect["send"] => {
  return (response, reply, stream) => {
    const calls = reply.content.some(({ type }) => type === "tool_use");
    if (!stream && !calls) return sendJson(response, 200, worded(reply));
    const message = stream ? "The scripted model does not stream here." : "The scripted model uses no tools here.";
    sendJson(response, 400, openAiError("invalid_request_error", message));
  };
};

/** By path. */
export const dialects: Readonly<Record<string, Dialect>> = {
  "/v1/messages": MESSAGES,
  "/v1/responses": { read: fromResponses, send: unstreamed(openAiResponse), error: openAiError },
  "/v1/chat/completions": { ...MESSAGES, send: unstreamed(chatCompletion), error: openAiError },
};
