import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startFilteringProxy } from "../../../../src/connection/processes/network/proxy.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

/** A server of this machine that says how it was asked. */
async function server(): Promise<number> {
  const web = createServer(async (asked, response) => {
    response.setHeader("x-said", "yes");
    response.end(`${asked.method} ${asked.headers.host} ${asked.url} ${await text(asked)}`);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void web.close());
  return (web.address() as AddressInfo).port;
}

async function proxyFor(hosts: string[]): Promise<string> {
  const socket = join(await temporaryDirectory(), "p");
  const proxy = await startFilteringProxy({ socket, hosts, refusal: (host) => `refused: ${host}` });
  onTestFinished(() => proxy.close());
  return socket;
}

interface Answer {
  status: number | undefined;
  body: string;
}

/** A plain request, as a client sends it to its proxy. */
function ask(socketPath: string, url: string, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: url, method: body ? "POST" : "GET", headers: { host: "other.test" } });
    sent.on("response", async (answer) => resolve({ status: answer.statusCode, body: await text(answer) }));
    sent.on("error", reject).end(body);
  });
}

/** What comes back from a tunnel, after its own answer. */
function tunnel(socketPath: string, target: string, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = connect(socketPath);
    let got = "";
    client.on("data", (chunk) => {
      got += chunk;
    });
    client.on("close", () => resolve(got)).on("error", reject);
    client.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n${sent}`);
  });
}

const get = (host: string) => `GET /in HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

test("a named host is reached by plain requests and by tunnels", async () => {
  const port = await server();
  const socket = await proxyFor([`localhost:${port}`]);

  const asked = await ask(socket, `http://localhost:${port}/a?b=c`, "the body");
  expect(asked).toEqual({ status: 200, body: `POST localhost:${port} /a?b=c the body` });
  const through = await tunnel(socket, `localhost:${port}`, get("x.test"));
  expect(through).toMatch(/^HTTP\/1.1 200 [\s\S]*GET x\.test \/in/);
});

test.each([
  "http://127.0.0.1:PORT/",
  "http://localhost.:PORT1/",
  "http://2130706433:PORT/",
  "http://[::1]:PORT/",
  "/",
  "ftp://localhost:PORT/",
])("%s is refused where only localhost is named", async (url) => {
  const port = await server();
  const socket = await proxyFor([`localhost:${port}`]);
  const { status, body } = await ask(socket, url.replace("PORT1", "1").replace("PORT", String(port)));
  expect({ status, body: body.slice(0, 8) }).toEqual({ status: 403, body: "refused:" });
});

test("a tunnel to another host is refused, with a word that the program can show", async () => {
  const socket = await proxyFor(["localhost:1"]);
  expect(await tunnel(socket, "127.0.0.1:22", "")).toMatch(/^HTTP\/1.1 403 [\s\S]*refused: 127\.0\.0\.1:22/);
  expect(await tunnel(socket, "garbage", "")).toMatch(/^HTTP\/1.1 403/);
});

test("a name that only a wildcard allows must not lead to this machine", async () => {
  const port = await server();
  // Every name below localhost is this machine.
  const socket = await proxyFor([`*.localhost:${port}`, `*:${port}`]);
  expect((await ask(socket, `http://localhost:${port}/`)).status).toBe(403);
  expect([403, 502]).toContain((await ask(socket, `http://a.localhost:${port}/`)).status);
});

test("a host that does not answer is a failed request, and the proxy goes on", async () => {
  const socket = await proxyFor(["localhost:1", "no-such-host.invalid"]);
  expect((await ask(socket, "http://localhost:1/")).status).toBe(502);
  expect((await ask(socket, "http://no-such-host.invalid/")).status).toBe(502);
  expect(await tunnel(socket, "localhost:1", "")).toMatch(/^HTTP\/1.1 502/);
  expect(await tunnel(socket, "no-such-host.invalid:443", "")).toMatch(/^HTTP\/1.1 502/);
});

test("closing ends open tunnels", async () => {
  const port = await server();
  const socket = join(await temporaryDirectory(), "p");
  const proxy = await startFilteringProxy({ socket, hosts: [`localhost:${port}`], refusal: String });
  const open = tunnel(socket, `localhost:${port}`, "");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await proxy.close();
  expect(await open).toMatch(/^HTTP\/1.1 200|^$/);
});
