import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createNotifier } from "../../../src/connection/notifications/create-notifier.ts";
import { createCommandRunner } from "../../../src/connection/processes/command-runner.ts";
import type { Notification } from "../../../src/model/notification.ts";
import { freePort } from "../../support/free-port.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const NOTHING = { on: [], desktop: false, webhook: null, command: null, on_end: null };
const notification: Notification = {
  ...{ event: "end", task_id: "2026-01-23T13-30-00", project: "/p", task: `Mend "it" $(date); 直す`, at: "t" },
  result: {
    ...{ status: "completed", stop_reason: "criteria_met", iterations_used: 1, error_code: null },
    ...{ usage: { tokens: 1, cost_usd: 0, seconds: 2 }, criteria_met: 1, criteria: 1 },
  },
};

async function notifier(notify: object, { path = process.env.PATH, signal = new AbortController().signal } = {}) {
  const project = await temporaryDirectory();
  const environment = { PATH: path, SECRET_KEY: "sk-secret" };
  const commands = createCommandRunner({ project, environment, task_token: project });
  const say = ({ task }: Notification) => ({ title: "endless8", text: `done: ${task}` });
  const made = createNotifier({ notify: { ...NOTHING, ...notify }, environment, commands, say, signal });
  return { project, send: made.send };
}

async function server(status: number) {
  const posts: { request: IncomingMessage; body: string }[] = [];
  const listening = createServer(async (request, response) => {
    posts.push({ request, body: await text(request) });
    response.writeHead(status).end("ok");
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void listening.close());
  return { posts, url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/hook/T0P-S3CRET` };
}

test("a command has the event in its environment and the whole of it on stdin", async () => {
  const { project, send } = await notifier({
    command: 'cat > got; echo "$E8_EVENT $E8_STATUS $E8_TASK_ID $E8_TASK" > facts',
  });

  expect(await send(notification, ["command"])).toEqual([]);

  const got = JSON.parse(await readFile(join(project, "got"), "utf8"));
  expect(got).toEqual({ title: "endless8", text: `done: ${notification.task}`, ...notification });
  expect(await readFile(join(project, "facts"), "utf8")).toBe(
    `end completed 2026-01-23T13-30-00 ${notification.task}\n`,
  );
});

test("a webhook gets the same as JSON, and no more", async () => {
  const { posts, url } = await server(200);
  const { send } = await notifier({ webhook: url });

  expect(await send(notification, ["webhook"])).toEqual([]);

  expect(posts).toHaveLength(1);
  expect(posts[0]?.request.method).toBe("POST");
  expect(posts[0]?.request.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(posts[0]?.body ?? "")).toEqual({
    title: "endless8",
    text: `done: ${notification.task}`,
    ...notification,
  });
  expect(JSON.stringify(posts.map(({ body, request }) => [body, request.rawHeaders]))).not.toContain("sk-secret");
});

test("what a webhook refuses, and one that nobody answers, is told without the address", async () => {
  const { url } = await server(404);
  const refused = await (await notifier({ webhook: url })).send(notification, ["webhook"]);
  expect(refused).toMatchObject([{ channel: "webhook", problem: { code: "http_status", params: { status: 404 } } }]);

  const nobody = `http://127.0.0.1:${await freePort()}/T0P-S3CRET`;
  const failed = await (await notifier({ webhook: nobody })).send(notification, ["webhook"]);
  expect(failed).toMatchObject([{ channel: "webhook", problem: expect.stringContaining("ECONNREFUSED") }]);
  expect(JSON.stringify([refused, failed])).not.toContain("S3CRET");
});

test.skipIf(process.platform === "darwin")("the desktop is told through notify-send, where there is one", async () => {
  const bin = await temporaryDirectory();
  const fake = join(bin, "notify-send");
  await writeFile(fake, `#!/bin/sh\nprintf '%s\\n' "$@" > "${bin}/got"\n`);
  await chmod(fake, 0o755);
  const { send } = await notifier({ desktop: true }, { path: `${bin}:${process.env.PATH}` });

  expect(await send(notification, ["desktop"])).toEqual([]);
  expect((await readFile(join(bin, "got"), "utf8")).split("\n")).toContain(`done: ${notification.task}`);

  const empty = join(bin, "empty");
  await mkdir(empty);
  const missing = await (await notifier({ desktop: true }, { path: empty })).send(notification, ["desktop"]);
  expect(missing).toEqual([{ channel: "desktop", problem: saying("there is no notify-send on the PATH") }]);
});

test("a command that fails is told with its exit code and its last words; the other channels are used all the same", async () => {
  const { posts, url } = await server(204);
  const { send } = await notifier({ webhook: url, command: "echo first; echo no such channel >&2; exit 3" });

  const failures = await send(notification, ["webhook", "command"]);

  expect(failures).toEqual([{ channel: "command", problem: saying("exit code 3: no such channel") }]);
  expect(posts).toHaveLength(1);
});
