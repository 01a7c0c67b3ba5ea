import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, test } from "vitest";
import { connected } from "../support/mcp-client.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

const TOKEN = "a token of the test's own";

/** Starts `e8 mcp --http` and reads from its own words where it listens. */
async function serving(box: Sandbox, env: Record<string, string> = { ENDLESS8_MCP_TOKEN: TOKEN }) {
  const { child, ended } = box.start(["mcp", "--http", "--port", "0"], { env });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = (await once(lines, "line")) as [string];
  const [url = ""] = /http:\S+/.exec(line) ?? [];
  return { url, line, child, ended };
}

/** Not with `fetch`, which sets Host itself. */
async function asked(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const common = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const sent = request(url, { method: "POST", headers: { ...common, ...headers } });
  sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test("over HTTP several clients use the tools, each in a session of its own, with progress", async () => {
  const box = await sandbox();
  const { url, child, ended } = await serving(box);
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  const client = () => connected(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport);
  const [one, other] = [await client(), await client()];
  await box.write("endless8.yaml", "agent: {command: 'until [ -f go ]; do sleep 0.05; done; echo worked'}\n");

  const { facts } = await one.call("run_task", { task: "Wait", checks: ["test -f go"] });
  const told: string[] = [];
  const watching = other.call("watch", { wait_seconds: 60 }, (message) => told.push(message));
  await box.write("go", "");

  expect(await watching).toMatchObject({ facts: { task_id: facts.task_id, status: "completed" } });
  expect(told.length).toBeGreaterThan(0);
  await Promise.all([one.close(), other.close()]);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
});

test("who has no token, comes from a page of the browser, or under another name, is refused before anything is read", async () => {
  const { url } = await serving(await sandbox());
  const authorization = `Bearer ${TOKEN}`;

  expect(await asked(url, {})).toBe(401);
  expect(await asked(url, { authorization: `${authorization}x` })).toBe(401);
  expect(await asked(url, { authorization, origin: "https://evil.example" })).toBe(403);
  expect(await asked(url, { authorization, origin: "null" })).toBe(403);
  expect(await asked(url, { authorization, host: "evil.example" })).toBe(403);
  expect(await asked(`${url}/other`, { authorization })).toBe(404);
  expect(await asked(url, { authorization, "mcp-session-id": "unknown" })).toBe(404);
  expect(await asked(url, { authorization })).toBe(400); // it begins no session
});

test("without a token of the user's own, each start has another one", async () => {
  const box = await sandbox();
  const tokens = await Promise.all([serving(box, {}), serving(box, {})]);

  const [one, other] = tokens.map(({ line }) => /Bearer ([\w-]{32})"/.exec(line)?.[1]);

  expect(one).toBeDefined();
  expect(one).not.toBe(other);
});

test("a port that is taken, or none at all, is an error with what to do", async () => {
  const box = await sandbox();
  const { url } = await serving(box);

  expect(await box.e8(["mcp", "--http", "--port", new URL(url).port])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Choose another one with --port"),
  });
  expect(await box.e8(["mcp", "--http", "--port", "many"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("0 to 65535"),
  });
});
