import type { Environment } from "../model/environment.ts";

/** A variable that names a proxy, and its address; undefined when we cannot speak to such a proxy. */
interface Proxy {
  variable: string;
  url: URL | undefined;
}

/** A proxy that does not let a request through. */
export class ProxyRefusal extends Error {
  readonly proxy: string;
  readonly address: string;
  readonly status: number;

  constructor(proxy: URL, url: URL, status: number) {
    super(`${status} (proxy ${proxy.origin})`); // the origin has no password
    this.proxy = proxy.origin;
    this.address = url.host;
    this.status = status;
  }
}

/** A model that answers in one piece is silent for longer than undici's five minutes. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * `fetch` through the proxies of an environment, which need not be this process's. Waits until its signal aborts, follows no
 * redirect by default, so that a key goes nowhere else, and throws the cause instead of "fetch failed". Loads undici at its first call.
 */
export async function fetchThrough(
  environment: Environment,
  address: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const { url, headers } = withoutCredentials(new URL(address), init.headers);
  const proxy = proxyFor(url, environment)?.url;
  const { Agent, fetch, ProxyAgent } = await import("undici");
  const dispatcher = proxy
    ? new ProxyAgent({ uri: proxy.href, proxyTunnel: false, ...NO_TIMEOUTS })
    : new Agent(NO_TIMEOUTS);
  try {
    const options = { redirect: "manual", ...init, headers, dispatcher } as Parameters<typeof fetch>[1];
    const response = (await fetch(url, options)) as unknown as Response;
    if (proxy && response.status === 407) throw new ProxyRefusal(proxy, url, 407);
    void dispatcher.close(); // once the answer is read
    return response;
  } catch (error) {
    void dispatcher.destroy(); // `close` would wait for a proxy that never answers
    throw causeOf(error, url, proxy);
  }
}

/** `fetch` refuses `https://user:password@host`: they become a header, unless a key is there. */
function withoutCredentials(url: URL, given: RequestInit["headers"]): { url: URL; headers: [string, string][] } {
  const headers = new Headers(given);
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  if (url.username !== "" && !headers.has("authorization"))
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  url.username = "";
  url.password = "";
  return { url, headers: [...headers] };
}

/** The proxy that an environment has for an address, as curl and Claude Code read it. A proxy could not reach this machine. */
export function proxyFor(url: URL, environment: Environment): Proxy | undefined {
  if (LOOPBACK.test(url.hostname) || isExcepted(url, environment)) return undefined;
  const variable = (url.protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"])
    .flatMap((name) => [name, name.toUpperCase()])
    .find((name) => environment[name]?.trim());
  return variable === undefined ? undefined : { variable, url: parsed(environment[variable]?.trim() ?? "") };
}

/** The variable that names a proxy of the wrong kind for an address. */
export function wrongProxy(address: string, environment: Environment): string | undefined {
  const proxy = URL.canParse(address) ? proxyFor(new URL(address), environment) : undefined;
  return proxy?.url ? undefined : proxy?.variable;
}

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether NO_PROXY names the host or its domain: `example.com`, `.example.com`, `*.example.com`, `example.com:8080` or `*`. */
function isExcepted(url: URL, { no_proxy, NO_PROXY }: Environment): boolean {
  const list = no_proxy?.trim() || NO_PROXY || "";
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = "", port] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "*") return true;
    const isHost = name !== "" && `.${url.hostname}`.endsWith(`.${name.replace(/^\*?\./, "")}`);
    return isHost && (port === undefined || Number(port) === portOf(url));
  });
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}

/** Many write `proxy.example.com:8080`. */
function parsed(value: string): URL | undefined {
  const text = value.includes("://") ? value : `http://${value}`;
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

const REFUSALS = [401, 403, 405, 407];
/** How undici says that a proxy opened no tunnel, or wants a password. */
const TUNNEL = /Proxy (?:response|Authentication Required) \((\d{3})\)/;

/** The error beneath "fetch failed". It names the proxy where the proxy failed. */
function causeOf(error: unknown, url: URL, proxy: URL | undefined): unknown {
  const causes = causesOf(error);
  const cause = causes.find(({ message }) => message !== "fetch failed") ?? error;
  if (!proxy) return cause;
  const [, status] = causes.flatMap(({ message }) => TUNNEL.exec(message) ?? []);
  if (REFUSALS.includes(Number(status))) return new ProxyRefusal(proxy, url, Number(status));
  const own = causes.find(({ hostname, port }) => hostname === proxy.hostname || port === portOf(proxy));
  const said = status ? `CONNECT ${url.hostname}:${portOf(url)}: ${status}` : own?.message;
  return said ? new Error(`${said} (proxy ${proxy.origin})`, { cause: own ?? cause }) : cause;
}

/** Errors of `connect` and of the search for a host name their target. */
type SystemError = Error & { hostname?: string; port?: number };

/** An error and its causes, outermost first. */
export function causesOf(error: unknown): SystemError[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
