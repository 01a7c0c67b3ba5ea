import type { EnvHttpProxyAgent } from "undici";
import type { Environment } from "../model/environment.ts";

/** A proxy, and the variable that names it. */
export interface NamedProxy {
  url: URL;
  variable: string;
}

/** A variable whose value names no proxy that we can speak to. */
export interface WrongProxy {
  variable: string;
  value: string;
}

/** A proxy that does not let a request through. */
export class ProxyRefusal extends Error {
  readonly proxy: string;
  readonly address: string;
  readonly status: number;

  constructor(proxy: URL, url: URL, status: number) {
    super(`${status} (proxy ${nameOf(proxy)})`);
    this.proxy = nameOf(proxy);
    this.address = url.host;
    this.status = status;
  }
}

/**
 * `fetch` through the proxies of an environment, which need not be this process's. It waits as long as its signal lets it, follows no
 * redirect unless told to, so that a key goes nowhere else, and throws the cause instead of "fetch failed". Loads undici when it is first called.
 */
export async function fetchThrough(
  environment: Environment,
  address: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const { url, headers } = withoutCredentials(new URL(address), init.headers);
  const proxy = proxyFor(url, environment);
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent(settingsFor(url, environment));
  try {
    const options = { redirect: "manual", ...init, headers, dispatcher } as Parameters<typeof fetch>[1];
    const response = (await fetch(url, options)) as unknown as Response;
    if (proxy && "url" in proxy && response.status === 407) throw new ProxyRefusal(proxy.url, url, 407);
    void dispatcher.close(); // once the answer is read
    return response;
  } catch (error) {
    void dispatcher.destroy(); // a proxy that never answers would be waited for, whatever the signal says
    throw causeOf(error, url, proxy);
  }
}

/** `https://user:password@host` is refused by `fetch`; a key goes before them. */
function withoutCredentials(address: URL, given: RequestInit["headers"]): { url: URL; headers: [string, string][] } {
  const headers = new Headers(given);
  const { username, password } = address;
  const url = new URL(address);
  url.username = "";
  url.password = "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  if (username !== "" && !headers.has("authorization"))
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  return { url, headers: [...headers] };
}

/**
 * The proxy that an environment has for an address, as curl and Claude Code read it. This machine is never asked for through a proxy,
 * which could not reach it. Which hosts NO_PROXY excepts is undici's business.
 */
export function proxyFor(url: URL, environment: Environment): NamedProxy | WrongProxy | undefined {
  if (isLoopback(url)) return undefined;
  const variable = (url.protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"])
    .flatMap((name) => [name, name.toUpperCase()])
    .find((name) => environment[name]?.trim());
  if (!variable) return undefined;
  const value = environment[variable]?.trim() ?? "";
  const proxy = parsed(value);
  return proxy ? { variable, url: proxy } : { variable, value };
}

/** The variable that keeps an address from being asked, because it names a proxy of the wrong kind. */
export function wrongProxy(address: string, environment: Environment): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const proxy = proxyFor(url, environment);
  const isExcepted = exceptions(environment).some(
    (name) => name === "*" || `.${url.hostname}`.endsWith(`.${name.replace(/^\*?\.|:\d+$/g, "")}`),
  );
  return proxy && "value" in proxy && !isExcepted ? proxy.variable : undefined;
}

function settingsFor(url: URL, environment: Environment): EnvHttpProxyAgent.Options {
  const proxyOf = (protocol: string) => {
    const proxy = isLoopback(url) ? undefined : proxyFor(new URL(`${protocol}://host`), environment);
    return proxy && "url" in proxy ? proxy.url.href : "";
  };
  const names = exceptions(environment);
  return {
    httpProxy: proxyOf("http"),
    httpsProxy: proxyOf("https"),
    noProxy: names.includes("*") ? "*" : names.join(","),
    proxyTunnel: false,
    // A model that answers in one piece is silent for longer than undici's five minutes.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function exceptions({ no_proxy, NO_PROXY }: Environment): string[] {
  const list = no_proxy?.trim() || NO_PROXY?.trim() || "";
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
}

/** Many write `proxy.example.com:8080`. */
function parsed(value: string): URL | undefined {
  const text = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ["http:", "https:"].includes(url.protocol) ? url : undefined;
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

/** How a proxy may be named to anybody: without its password. */
function nameOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

const REFUSALS = [401, 403, 405, 407];

/** What went wrong, with the proxy's name where it was the proxy's doing. */
function causeOf(error: unknown, url: URL, proxy: NamedProxy | WrongProxy | undefined): unknown {
  const causes = withCauses(error);
  const cause = causes.find((one) => one.message !== "fetch failed") ?? error;
  if (!proxy || !("url" in proxy)) return cause;
  const [, status] = causes.flatMap(({ message }) => TUNNEL.exec(message) ?? []);
  if (REFUSALS.includes(Number(status))) return new ProxyRefusal(proxy.url, url, Number(status));
  const own = causes.find((one) => isAbout(one, proxy.url));
  const said = status ? `CONNECT ${url.hostname}:${url.port || 443}: ${status}` : own?.message;
  return said ? new Error(`${said} (proxy ${nameOf(proxy.url)})`, { cause: own ?? cause }) : cause;
}

function withCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...withCauses(error.cause)] : [];
}

/** How undici says that a proxy has opened no tunnel, or wants a password. */
const TUNNEL = /Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** An error of `connect` or of the search for the host. */
function isAbout(error: Error & { port?: number; hostname?: string }, { hostname, port, protocol }: URL): boolean {
  return error.hostname === hostname || error.port === Number(port || (protocol === "https:" ? 443 : 80));
}
