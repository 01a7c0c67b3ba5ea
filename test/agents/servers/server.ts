import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Dialect, dialects as ours } from "../../../src/connection/agents/scripted/model/dialects.ts";
import { sendError, sendFault } from "../../../src/connection/agents/scripted/model/faults.ts";
import { reply } from "../../../src/connection/agents/scripted/model/reply.ts";
import type { MessagesRequest } from "../../../src/connection/agents/scripted/model/request.ts";
import { Stage } from "../../../src/connection/agents/scripted/model/stage.ts";
import type { Story, Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { jsonIn } from "../../../src/model/json.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import { withSpokenMarkers } from "./spoken-markers.ts";

/** A request for a reply, as an agent sent it. */
export interface Asked {
  at: number;
  path: string;
  /** The role of the conversation that it belongs to; null without a marker line, as of an agent's own request for a title. */
  who: string | null;
  /** Counted from 0; null when no scene answered. */
  scene: number | null;
  /** Replies of the model that it holds: 0 in the first request of a fresh context. */
  replies: number;
  body: string;
}

export interface ModelServer {
  url: string;
  asked: Asked[];
  /** Requests that were neither for a reply nor known: `GET /v1/models`. */
  others: string[];
  close(): Promise<void>;
}

/** A model on loopback that plays a story over whichever of the four APIs it is asked. */
export async function startModelServer(story: Story): Promise<ModelServer> {
  const stage = new Stage(story);
  const asked: Asked[] = [];
  const others: string[] = [];
  const server = createServer((request, response) => {
    answer({ request, response, stage, asked, others }).catch(() => response.destroy()); // the agent went away
  });
  const url = await listening(server);
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url, asked, others, close };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  stage: Stage;
  asked: Asked[];
  others: string[];
}

async function answer({ request, response, stage, asked, others }: Exchange): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  const body = await text(request);
  const dialect = dialectFor(pathname);
  const read = dialect?.read(jsonIn(body));
  if (request.method !== "POST" || !dialect || !read) {
    others.push(`${request.method} ${request.url}`);
    response.writeHead(pathname === "/" ? 200 : 404, { "content-type": "application/json" }).end("{}");
    return;
  }
  const question = withSpokenMarkers({ ...read, stream: read.stream ?? isStreamed(request.url ?? "") });
  const cue = isAside(question)
    ? { who: null, scene: null, turn: ASIDE, callId: "toolu_aside_0" }
    : stage.next(question);
  const replies = question.messages.filter(({ role }) => role === "assistant").length;
  const scene = "missing" in cue ? null : cue.scene;
  asked.push({ at: Date.now(), path: pathname, who: cue.who, scene, replies, body });
  if ("missing" in cue) return sendError(response, { status: 400, message: cue.missing }, dialect);
  const { delay_ms, fault } = cue.turn;
  if (delay_ms) await sleep(delay_ms, undefined, { ref: false });
  const worded = reply(cue, question);
  const stream = question.stream === true;
  if (fault) sendFault(fault, { response, reply: worded, stream, dialect });
  else dialect.send(response, worded, stream);
}

/** What an agent asks on the side, such as a title for the session: without tools, or from a model of its own. */
function isAside({ tools = [], messages }: MessagesRequest): boolean {
  return tools.length === 0 || JSON.stringify(messages).includes("generate a very short title");
}

const ASIDE: Turn = { say: "Work" };

function dialectFor(path: string): Dialect | undefined {
  if (path.includes(":streamGenerateContent") || path.includes(":generateContent")) return gemini;
  if (path.endsWith("/chat/completions")) return chat;
  if (path.endsWith("/responses")) return responses;
  return ours[path];
}

/** Gemini's API says it in the path. */
function isStreamed(url: string): boolean {
  return url.includes(":streamGenerateContent");
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
