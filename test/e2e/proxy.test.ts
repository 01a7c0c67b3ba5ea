import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox } from "../support/in-process.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";
import { judges } from "../support/stories.ts";

const OPENSSL = "openssl";
const hasOpenssl = spawnSync(OPENSSL, ["version"]).status === 0;

const JUDGED = ["run", "x", "-c", "good", "--no-intake", "--agent-command", "echo done", "-n", "1", "--json"];
const FAR = ["--judge-model", "openai-compatible:m@https://model.test/v1"];

/** The scripted model behind a certificate for model.test. */
async function secureModel({ model, home }: Sandbox) {
  const [key, certificate] = [join(home, "key.pem"), join(home, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"];
  spawnSync(OPENSSL, [...request, "-subj", "/CN=model.test", "-addext", "subjectAltName=DNS:model.test"]);
  const sockets = new Set<Socket>();
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (socket) => {
    const onward = connect(Number(new URL(model.url).port), "127.0.0.1");
    for (const one of [socket, onward]) sockets.add(one.on("error", () => {}));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, certificate };
}

describe.skipIf(!hasOpenssl)("behind a proxy", () => {
  test("a judge over an API is asked through a tunnel, and its certificate is still looked at", async () => {
    const box = await sandbox(story(judges(true, [{ id: 1, is_met: true }])));
    const { port, certificate } = await secureModel(box);
    const proxy = await proxyServer(port);
    const env = { HTTPS_PROXY: proxy.url };

    const distrusted = await box.e8([...JUDGED, ...FAR], { env });
    const trusted = await box.e8([...JUDGED, ...FAR], { env: { ...env, NODE_EXTRA_CA_CERTS: certificate } });

    expect(resultOf(distrusted)).toMatchObject({ status: "error", error_code: "agent_configuration" });
    expect(box.model.requests.map(({ who }) => who)).toEqual(["judge"]);
    expect(trusted.code, trusted.stderr + trusted.stdout).toBe(0);
    expect(proxy.asked).toEqual(["CONNECT model.test:443", "CONNECT model.test:443"]);
  });
});

test.each([
  [
    "en",
    /The proxy http:\/\/127\.0\.0\.1:\d+ does not let .* model\.test \(407\)[\s\S]*user and password into HTTPS_PROXY/,
  ],
  ["ja", /プロキシ http:\/\/127\.0\.0\.1:\d+ が model\.test への接続を許可しません[\s\S]*ユーザー名とパスワード/],
])("a proxy that refuses ends the run and says what to do: %s", async (language, said) => {
  const box = await quickSandbox();
  const proxy = await proxyServer(1, { refuses: 407 });
  const args = [...JUDGED.filter((word) => word !== "--json"), ...FAR, "--lang", language];

  const ended = await box.e8(args, { env: { HTTPS_PROXY: proxy.url.replace("://", "://me:secret-word@") } });

  expect(ended.code).toBe(2);
  expect(ended.stdout + ended.stderr).toMatch(said);
  expect(ended.stdout + ended.stderr).not.toContain("secret-word");
});

test("a proxy of a kind that cannot be used is refused before anything starts", async () => {
  const box = await quickSandbox();

  const ended = await box.e8([...JUDGED, ...FAR], { env: { HTTPS_PROXY: "socks5://me:secret-word@p:1" } });

  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("HTTPS_PROXY");
  expect(ended.stderr).not.toContain("secret-word");
  expect(await box.records().catch(() => [])).toEqual([]);
});

test("the demo needs no proxy and works where one is set", async () => {
  const box = await sandbox();
  const everywhere = { HTTP_PROXY: "http://127.0.0.1:1", https_proxy: "http://127.0.0.1:1", NO_PROXY: "example.com" };

  const ended = await box.e8(["demo"], { env: everywhere });

  expect(ended.code, ended.stderr).toBe(0);
});
