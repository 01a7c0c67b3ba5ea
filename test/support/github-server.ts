import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface GithubIssue {
  title: string;
  body?: string | null;
  state?: "open" | "closed";
  labels?: string[];
  /** Makes it a pull request. */
  pull_request?: { merged: boolean };
}

export interface Trouble {
  status: number;
  headers?: Record<string, string>;
  /** Whether the request was carried out all the same. */
  done?: boolean;
  /** Of which requests; all where absent. */
  method?: string;
  /** `hang`: no answer at all; `reset`: the connection breaks; otherwise the text of the answer. */
  body?: string;
}

export interface GithubServer {
  url: string;
  token: string;
  issues: Map<number, Required<Omit<GithubIssue, "pull_request">> & Pick<GithubIssue, "pull_request">>;
  /** `GET /repos/o/r/issues/1`, in the order they came. */
  requests: string[];
  /** Met by the next requests, one each. */
  troubles: Trouble[];
}

interface Answer {
  status: number;
  body?: unknown;
}

const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found" } };
const PREFIX = "/repos/some-owner/some.repo";

/** As much of GitHub's REST API as a tracker uses, for the repository some-owner/some.repo. */
export async function startGithub(issues: Record<number, GithubIssue>): Promise<GithubServer> {
  const github: GithubServer = {
    url: "",
    token: "a-token",
    issues: new Map(Object.entries(issues).map(([number, issue]) => [Number(number), { ...DEFAULTS(), ...issue }])),
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

function DEFAULTS() {
  return { body: null, state: "open" as const, labels: [] };
}

async function serve(github: GithubServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  const line = `${request.method} ${request.url}`;
  github.requests.push(line);
  const index = github.troubles.findIndex(({ method }) => !method || method === request.method);
  const [trouble] = index < 0 ? [] : github.troubles.splice(index, 1);
  if (!trouble) return send(response, answerTo(github, request, body));
  if (trouble.done) answerTo(github, request, body);
  if (trouble.body === "hang") return;
  if (trouble.body === "reset") return void request.socket.destroy();
  response.writeHead(trouble.status, trouble.headers);
  response.end(trouble.body ?? JSON.stringify({ message: "Trouble" }));
}

function answerTo(github: GithubServer, request: IncomingMessage, body: Record<string, unknown>): Answer {
  if (request.headers.authorization !== `Bearer ${github.token}`)
    return { status: 401, body: { message: "Bad credentials" } };
  if (!request.headers["user-agent"]) return { status: 403, body: { message: "Request forbidden" } };
  const { pathname } = new URL(request.url ?? "", "http://x");
  if (!pathname.startsWith(`${PREFIX}/`)) return NOT_FOUND;
  const [collection = "", number = "", part = "", ...rest] = pathname.slice(PREFIX.length + 1).split("/");
  const issue = github.issues.get(Number(number));
  if (!issue || (collection === "pulls" && !issue.pull_request)) return NOT_FOUND;
  const route = `${request.method} ${collection}${part && `/${part}`}`;
  switch (route) {
    case "GET issues":
    case "GET pulls":
      return { status: 200, body: describe(Number(number), issue, collection) };
    case "PATCH issues":
    case "PATCH pulls":
      if (issue.pull_request?.merged) return { status: 422, body: { message: "Validation Failed" } };
      issue.state = body.state as "closed";
      return { status: 200, body: describe(Number(number), issue, collection) };
    case "POST issues/labels":
      issue.labels.push(...(body.labels as string[]).filter((label) => !issue.labels.includes(label)));
      return { status: 200, body: issue.labels.map((name) => ({ name })) };
    case "DELETE issues/labels":
      return unlabel(issue, decodeURIComponent(rest.join("/")));
    default:
      return NOT_FOUND;
  }
}

type StoredIssue = GithubServer["issues"] extends Map<number, infer T> ? T : never;

function describe(number: number, issue: StoredIssue, collection: string): unknown {
  const { title, body, state, pull_request } = issue;
  const labels = issue.labels.map((name, id) => ({ id, name, color: "ededed" }));
  const common = { number, title, body, state, labels };
  if (collection === "pulls") return { ...common, merged: pull_request?.merged };
  return { ...common, ...(pull_request && { pull_request: { url: "…" } }) };
}

function unlabel(issue: StoredIssue, label: string): Answer {
  const index = issue.labels.findIndex((name) => name.toLowerCase() === label.toLowerCase());
  if (index < 0) return { status: 404, body: { message: "Label does not exist" } };
  issue.labels.splice(index, 1);
  return { status: 200, body: issue.labels.map((name) => ({ name })) };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}
