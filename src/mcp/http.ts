import { randomUUID } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Door } from "./door.ts";
import { refusal } from "./http-guard.ts";
import { createServer } from "./server.ts";

export interface HttpOptions {
  /** 0: any free one. */
  port: number;
  token: string;
  version: string;
}

export interface HttpDoor {
  url: string;
  close(): Promise<void>;
}

const PATH = "/mcp";
const LOOPBACK = "127.0.0.1";
const MOST_SESSIONS = 100;
const LARGEST_BODY = 1024 * 1024;

type Sessions = Map<string, StreamableHTTPServerTransport>;

/** Serves any number of clients over streamable HTTP, on loopback only, to those who know the token. */
export async function serveHttp(door: Door, { port, token, version }: HttpOptions): Promise<HttpDoor> {
  const sessions: Sessions = new Map();
  const server = createHttpServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const refused = refusal(request, { port: own, token, path: PATH });
    if (refused) return void response.writeHead(refused.status, refused.headers).end();
    handle(request, response, { sessions, connect: () => connect(sessions, door, version) }).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await listening(server, port);
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://${LOOPBACK}:${own}${PATH}`, close: () => close(server, sessions) };
}

async function listening(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, resolve);
  });
}

interface Handling {
  sessions: Sessions;
  connect(): Promise<StreamableHTTPServerTransport>;
}

/** A request without a session can only begin one; the transport refuses all others. */
async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions, connect: begin }: Handling,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.get(id) : undefined;
  if (id !== undefined && !known) return void response.writeHead(404).end();
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY) return void response.writeHead(413).end();
  const transport = known ?? (await begin());
  await transport.handleRequest(request, response);
  if (transport.sessionId === undefined) await transport.close(); // it began no session
}

async function connect(sessions: Sessions, door: Door, version: string): Promise<StreamableHTTPServerTransport> {
  const [oldest] = sessions.values();
  if (sessions.size >= MOST_SESSIONS) await oldest?.close(); // clients that went away without a word
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  transport.onclose = () => void (transport.sessionId && sessions.delete(transport.sessionId));
  const server = await createServer(door, version);
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport;
}

async function close(server: Server, sessions: Sessions): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const transport of [...sessions.values()]) await transport.close();
  server.closeAllConnections();
  await closed;
}
