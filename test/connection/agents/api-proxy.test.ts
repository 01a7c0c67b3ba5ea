import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fetchThrough, proxyFor, wrongProxy } from "../../../src/connection/fetch.ts";
import { PROVIDERS, type Provider } from "../../../src/model/api-model.ts";
import { proxyServer } from "../../support/proxy-server.ts";
import { eventually } from "../processes/helpers.ts";
import { addressesAt, answers, json, judgeAt, KEYS, question, vendor } from "./api-support.ts";
import { hear } from "./support.ts";

const FAR = "http://model.test:8080";

function judgeBehind(provider: Provider, environment: Record<string, string>, url = FAR) {
  return judgeAt(url, provider, { environment: { ...KEYS, ...addressesAt(url), ...environment } });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

describe.each(PROVIDERS)("over %s,", (provider) => {
  test("a request goes through the proxy of the environment, which gets its own user and password and no key of ours", async () => {
    const server = await vendor((response) => json(response, 200, answers[provider]('{"status":"ok"}')));
    const proxy = await proxyServer(portOf(server.url));
    const url = proxy.url.replace("://", "://someone:p%40ss@");

    const { reply } = await hear(judgeBehind(provider, { HTTP_PROXY: url }), question());

    expect(reply.structured).toEqual({ status: "ok" });
    expect(proxy.asked).toEqual([expect.stringMatching(/^POST http:\/\/model\.test:8080\/[\w/.%:-]+$/)]);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from("someone:p@ss").toString("base64")}`]);
    expect(server.requests[0]?.headers).toMatchObject({ host: "model.test:8080" });
  });

  test("a proxy that wants a password ends it at once and names itself without one", async () => {
    const proxy = await proxyServer(1, { refuses: 407 });
    const url = proxy.url.replace("://", "://someone:wrong-password@");

    const { reply } = await hear(judgeBehind(provider, { http_proxy: url }), question());

    const refusal = { proxy: proxy.url, address: "model.test:8080", status: 407 };
    expect(reply.failure).toMatchObject({ code: "configuration", proxy: refusal });
    expect(JSON.stringify(reply)).not.toContain("wrong-password");
  });
});

test.each([403, 407])(
  "a proxy that refuses the tunnel to a secure server (%i) is named as the cause",
  async (status) => {
    const proxy = await proxyServer(1, { refuses: status });

    const { reply } = await hear(judgeBehind("openai", { HTTPS_PROXY: proxy.url }, "https://model.test"), question());

    expect(proxy.asked).toEqual(["CONNECT model.test:443"]);
    expect(reply.failure).toMatchObject({
      code: "configuration",
      proxy: { proxy: proxy.url, address: "model.test", status },
    });
  },
);

test.each([
  [
    "a proxy that cannot be reached",
    "http://127.0.0.1:1",
    "connect ECONNREFUSED 127.0.0.1:1 (proxy http://127.0.0.1:1)",
  ],
  ["a proxy that cannot reach the server", 502, "CONNECT model.test:443: 502 (proxy http://127.0.0.1:"],
])("%s is waited for, and named", async (_, where, message) => {
  const HTTPS_PROXY = typeof where === "string" ? where : (await proxyServer(1, { refuses: where })).url;

  const { reply } = await hear(judgeBehind("openai", { HTTPS_PROXY }, "https://model.test"), question());

  expect(reply.failure?.code).toBe("network");
  expect(reply.failure?.message).toContain(message);
});

test("a proxy that never answers is given up like a server that never does, and its connection is ended", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {}).resume()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const HTTPS_PROXY = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { ...KEYS, HTTPS_PROXY, OPENAI_BASE_URL: "https://model.test/v1" };

  const { reply } = await hear(judgeAt(FAR, "openai", { environment, silence_seconds: 0.3 }), question());

  expect(reply.failure?.code).toBe("silent");
  expect(sockets.size).toBe(1);
  await eventually("the connection is ended", () => [...sockets].every(({ destroyed }) => destroyed));
});

test("a model on this machine is asked without the proxy, which could not reach it", async () => {
  const server = await vendor((response) => json(response, 200, answers.openai('{"status":"ok"}')));
  const proxy = await proxyServer(1);

  const { reply } = await hear(judgeBehind("openai", { HTTP_PROXY: proxy.url }, server.url), question());

  expect(reply.structured).toEqual({ status: "ok" });
  expect(proxy.asked).toEqual([]);
});

const SECURE = "https://api.openai.com/v1";

test.each<[string, string, Record<string, string>, string | undefined]>([
  ["nothing is set", SECURE, {}, undefined],
  ["it is empty", SECURE, { HTTPS_PROXY: " " }, undefined],
  ["the small letters are set, too", SECURE, { HTTPS_PROXY: "http://big:1", https_proxy: "http://small:1" }, "small:1"],
  ["only the other one is set", SECURE, { HTTP_PROXY: "http://plain:1" }, "plain:1"],
  ["a plain address meets the secure one", "http://far/v1", { HTTPS_PROXY: "http://p:1" }, undefined],
  ["it has no scheme", SECURE, { HTTPS_PROXY: "proxy.corp:3128" }, "proxy.corp:3128"],
  ["it is spoken to securely", SECURE, { HTTPS_PROXY: "https://p:1" }, "p:1"],
  ["it is this machine", "http://localhost:11434/v1", { HTTP_PROXY: "http://p:1" }, undefined],
  ["it is this machine by its IPv6 address", "http://[::1]:11434/v1", { HTTP_PROXY: "http://p:1" }, undefined],
])("when %s, the proxy is the right one", (_, address, environment, host) => {
  expect(proxyFor(new URL(address), environment)?.url?.host).toBe(host);
});

test.each<[string, string, boolean]>([
  ["the host", "a.b, API.model.test", true],
  ["its domain", "model.test", true],
  ["its domain with a dot", ".model.test", true],
  ["its domain with a star", "*.model.test", true],
  ["everything", "a.b,*", true],
  ["its port", "api.model.test:80", true],
  ["another port", "api.model.test:8443", false],
  ["a name that only ends alike", "el.test", false],
])("where NO_PROXY names %s, the proxy is passed by: %j %j", async (_, NO_PROXY, isPassedBy) => {
  const proxy = await proxyServer(1, { refuses: 403 });

  const asked = await fetchThrough({ HTTP_PROXY: proxy.url, NO_PROXY }, "http://api.model.test/").catch(
    () => undefined,
  );

  expect(proxy.asked).toHaveLength(isPassedBy ? 0 : 1);
  expect(asked?.status).toBe(isPassedBy ? undefined : 403);
});

test("the proxies of this process are not used, only those of the run", async () => {
  const proxy = await proxyServer(1, { refuses: 403 });
  vi.stubEnv("HTTP_PROXY", proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());

  await fetchThrough({}, "http://api.model.test/").catch(() => {});

  expect(proxy.asked).toEqual([]);
});

test.each(["socks5://p:1", "http://p:port", "::"])("%j is reported as a wrong proxy", (HTTPS_PROXY) => {
  expect(wrongProxy(SECURE, { HTTPS_PROXY })).toBe("HTTPS_PROXY");
  expect(wrongProxy(SECURE, { HTTPS_PROXY, NO_PROXY: "openai.com" })).toBeUndefined();
  expect(wrongProxy("http://localhost:1/", { HTTP_PROXY: HTTPS_PROXY })).toBeUndefined();
});
