import type { Environment } from "../../../model/environment.ts";

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

/**
 * The proxy for an address, as the environment has it: as curl and Claude Code read it, but this machine itself is never asked
 * for through a proxy, which could not reach it.
 */
export function proxyFor(address: string, environment: Environment): NamedProxy | WrongProxy | undefined {
  const url = new URL(address);
  const names = url.protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"];
  const variable = names.flatMap((name) => [name, name.toUpperCase()]).find((name) => environment[name]?.trim());
  if (!variable || isLoopback(url.hostname) || isExcepted(url, environment)) return undefined;
  const value = environment[variable]?.trim() ?? "";
  const proxy = parsed(value);
  return proxy ? { variable, url: proxy } : { variable, value };
}

/** How a proxy may be named to anybody: without its password. */
export function proxyName({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** Many write `proxy.example.com:8080`. */
function parsed(value: string): URL | undefined {
  const text = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ["http:", "https:"].includes(url.protocol) ? url : undefined;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

/** `example.com` and `.example.com` also mean what lies below it; `host:port` means that port alone; `*` means everything. */
function isExcepted({ hostname, port, protocol }: URL, environment: Environment): boolean {
  const list = environment.no_proxy?.trim() || environment.NO_PROXY?.trim() || "";
  const actualPort = port || (protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, name = entry, onlyPort] = /^(.+?):(\d+)$/.exec(entry) ?? [];
      if (onlyPort && onlyPort !== actualPort) return false;
      const host = name.replace(/^\*?\./, "");
      return host === "*" || hostname === host || hostname.endsWith(`.${host}`);
    });
}
