import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

export const PASSWORD = "correct-horse-battery";

export interface GitServer {
  url: string;
  /** Takes no more connections, or takes them again at the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Serves a bare repository over HTTP by git's own program, to those who know the password. */
export async function gitServer(repository: string): Promise<GitServer> {
  const { stdout } = await promisify(execFile)("git", ["--exec-path"]);
  const program = `${stdout.trim()}/git-http-backend`;
  let server = createServer((request, response) => answer(program, repository, { request, response }));
  const listen = async (port: number) => {
    server = createServer((request, response) => answer(program, repository, { request, response }));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  onTestFinished(() => closed(server));
  return {
    url: `http://127.0.0.1:${port}/app.git`,
    stop: () => closed(server),
    start: async () => void (await listen(port)),
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}

function answer(
  program: string,
  repository: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const [, given = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (Buffer.from(given, "base64").toString() !== `machine:${PASSWORD}`) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    return;
  }
  const { pathname, search } = new URL(request.url ?? "", "http://localhost");
  const child = spawn(program, {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: dirname(repository),
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "http.receivepack",
      GIT_CONFIG_VALUE_0: "true",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "machine",
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {}); // it may end first
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.on("close", () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf("\r\n\r\n");
    const headers = all.subarray(0, end).toString().split("\r\n");
    const pairs = headers.map((line) => line.split(": ", 2) as [string, string]);
    const status = Number.parseInt(pairs.find(([name]) => name === "Status")?.[1] ?? "200", 10);
    response
      .writeHead(status, Object.fromEntries(pairs.filter(([name]) => name !== "Status")))
      .end(all.subarray(end + 4));
  });
}
