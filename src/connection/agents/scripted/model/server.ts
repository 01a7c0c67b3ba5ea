import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { jsonIn } from "../../../../model/json.ts";
import { type Dialect, dialects, MESSAGES } from "./dialects.ts";
import { sendError, sendFault } from "./faults.ts";
import { checkStory } from "./load-story.ts";
import { type RecordedRequest, type RequestLog, record, requestLog } from "./recording.ts";
import { reply } from "./reply.ts";
import type { MessagesRequest } from "./request.ts";
import { type Cue, Stage } from "./stage.ts";
import type { Story } from "./story.ts";
import { sendJson } from "./wire.ts";

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests that no scene answered. */
  readonly unmatched: number;
  /** Whether the request cap was reached. */
  readonly capped: boolean;
  /** Ends every connection at once, stalled ones too. May be called twice. */
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  /** A file to which each request is appended as one JSON line. */
  log_path?: string;
}

/** Starts a model on loopback that answers the Anthropic Messages API, and OpenAI's two, from a story. */
export async function startScriptedModel(story: Story, options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const model = new Model(checkStory(story, story.title ?? "given"), options.log_path);
  await model.listen();
  return model;
}

class Model implements ScriptedModel {
  url = "";
  readonly requests: RecordedRequest[] = [];
  readonly #stage: Stage;
  readonly #log: RequestLog;
  readonly #server: Server;
  #unmatched = 0;

  constructor(story: Story, logPath: string | undefined) {
    this.#stage = new Stage(story);
    this.#log = requestLog(logPath);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => giveUp(response, error));
    });
  }

  get unmatched(): number {
    return this.#unmatched;
  }

  get capped(): boolean {
    return this.#stage.capped;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    const body = await readBody(request);
    if (request.method !== "POST") return void response.writeHead(path === "/" ? 200 : 404).end();
    if (path === "/v1/messages/count_tokens") return countTokens(response, body);
    const dialect = dialects[path];
    if (!dialect) return sendError(response, { status: 404 }, MESSAGES);
    const read = dialect.read(jsonIn(body));
    if (!read) return sendError(response, { status: 400, message: `This is not a request for ${path}.` }, dialect);
    await this.#answer(request, read, { response, dialect });
  }

  async #answer(request: IncomingMessage, body: MessagesRequest, exchange: Exchange): Promise<void> {
    const refuse = (message: string) => sendError(exchange.response, { status: 400, message }, exchange.dialect);
    const cue = this.#stage.next(body);
    if (this.capped && "missing" in cue) return refuse(cue.missing);
    const recorded = record(request, body, cue);
    this.requests.push(recorded);
    this.#log(recorded);
    if (!("missing" in cue)) return this.#play(cue, body, exchange);
    this.#unmatched += 1;
    refuse(cue.missing);
  }

  async #play(cue: Cue, body: MessagesRequest, { response, dialect }: Exchange): Promise<void> {
    const { delay_ms, fault } = cue.turn;
    if (delay_ms) await sleep(delay_ms, undefined, { ref: false }); // a closed model must not keep the process alive
    const message = reply(cue, body);
    const stream = body.stream === true;
    if (fault) sendFault(fault, { response, reply: message, stream, dialect });
    else dialect.send(response, message, stream);
  }
}

interface Exchange {
  response: ServerResponse;
  dialect: Dialect;
}

/** The client went away, or the log could not be written. */
function giveUp(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else sendError(response, { status: 500, message: error instanceof Error ? error.message : String(error) }, MESSAGES);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Four characters a token: close enough for clients that only plan with it. */
function countTokens(response: ServerResponse, body: string): void {
  sendJson(response, 200, { input_tokens: Math.ceil(body.length / 4) });
}
