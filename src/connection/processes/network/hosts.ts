import { isIP } from "node:net";

export interface Target {
  host: string;
  port: number;
}

/** Ports of a pattern that names none. */
const USUAL_PORTS = [80, 443];

/**
 * Whether patterns such as `registry.npmjs.org`, `*.npmjs.org` and `localhost:5432` name a target: `exactly`, by a `wildcard`, or not at
 * all. A leading `*.` stands for any labels, another `*` for a part of one. Addresses must be named exactly, in their usual form.
 */
export function namedBy(patterns: readonly string[], { host, port }: Target): "exactly" | "wildcard" | undefined {
  const wanted = normalized(host);
  const fitting = patterns
    .map(targetOf)
    .filter((pattern) => (pattern.port ? pattern.port === port : USUAL_PORTS.includes(port)));
  if (fitting.some((pattern) => pattern.host === wanted)) return "exactly";
  if (isAddressLike(wanted) || !/^[a-z0-9_.-]+$/.test(wanted)) return undefined;
  return fitting.some((pattern) => expressionOf(pattern.host).test(wanted)) ? "wildcard" : undefined;
}

/** The parts of `host`, `host:port` and `[address]:port`; port 0 where none is named. */
export function targetOf(text: string): Target {
  const [, bracketed, plain = text, port = "0"] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: normalized(bracketed ?? plain), port: Number(port) };
}

function normalized(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** Also `127.1`, `0x7f000001` and `2130706433`, which programs read as addresses. */
function isAddressLike(host: string): boolean {
  return isIP(host) !== 0 || /(?:^|\.)(?:0x[0-9a-f]*|\d+)$/.test(host);
}

function expressionOf(pattern: string): RegExp {
  const [, leading, rest = ""] = /^(\*\.)?(.*)$/.exec(pattern) ?? [];
  const inner = rest.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^.]*");
  return new RegExp(`^${leading ? "(?:[^.]+\\.)+" : ""}${inner}$`);
}

/** Addresses that do not lead to the Internet: of this machine, of the local network, and of a cloud's own services. */
export function isLocalAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return isLocalAddress(mapped);
  if (isIP(address) === 6)
    return /^(?:::1?$|f[cd]|fe[89a-f]|ff)/i.test(address) || address.toLowerCase().startsWith("::ffff:");
  const [first = 0, second = 0] = address.split(".").map(Number);
  return (
    [0, 10, 127].includes(first) ||
    first >= 224 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}
