import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type Answer, answerTo, blank, type GithubContents, type GithubIssue } from "./github-routes.ts";

export type { GithubIssue } from "./github-routes.ts";

export interface Trouble {
  status: number;
  headers?: Record<string, string>;
  /** Whether the request was carried out all the same. */
  done?: boolean;
  /** Of which requests; all where absent. */
  method?: string;
  /** `hang`: no answer at all; `reset`: the connection breaks; `slow`: the true answer, late; otherwise the text of the answer. */
  body?: string;
}

export interface GithubServer extends GithubContents {
  url: string;
  token: string;
  /** `GET /repos/o/r/issues/1`, in the order they came. */
  requests: string[];
  /** Met by the next requests, one each. */
  troubles: Trouble[];
}

const SLOW_MS = 150;

/** GitHub, with the repository some-owner/some.repo. */
export async function startGithub(issues: Record<number, GithubIssue>): Promise<GithubServer> {
  const github: GithubServer = {
    url: "",
    token: "a-token",
    issues: new Map(Object.entries(issues).map(([number, issue]) => [Number(number), { ...blank(), ...issue }])),
    comments: new Map(),
    labels: [],
    releases: [],
    permissions: {},
    requests: [],
    troubles: [],
  };
  const server = createServer((request, response) => void serve(github, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  github.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return github;
}

async function serve(github: GithubServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  github.requests.push(`${request.method} ${request.url}`);
  const index = github.troubles.findIndex(({ method }) => !method || method === request.method);
  const [trouble] = index < 0 ? [] : github.troubles.splice(index, 1);
  const answer = () => authorized(github, request, body);
  if (!trouble) return send(response, answer());
  if (trouble.body === "slow") return void setTimeout(() => send(response, answer()), SLOW_MS);
  if (trouble.done) answer();
  if (trouble.body === "hang") return;
  if (trouble.body === "reset") return void request.socket.destroy();
  response.writeHead(trouble.status, trouble.headers);
  response.end(trouble.body ?? JSON.stringify({ message: "Trouble" }));
}

function authorized(github: GithubServer, request: IncomingMessage, body: Record<string, unknown>): Answer {
  const { headers, method = "", url = "" } = request;
  if (headers.authorization !== `Bearer ${github.token}`) return { status: 401, body: { message: "Bad credentials" } };
  if (!headers["user-agent"]) return { status: 403, body: { message: "Request forbidden" } };
  return answerTo(github, { method, url: new URL(url, github.url), headers, body });
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}
