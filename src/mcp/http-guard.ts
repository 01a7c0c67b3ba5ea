import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";

interface Guarded {
  port: number;
  token: string;
  path: string;
}

interface Refusal {
  status: number;
  headers?: OutgoingHttpHeaders;
}

/**
 * Why a request is not even read. A page in the user's browser can send requests to loopback: its Origin gives it away, and a name that
 * it has pointed at us stands in Host.
 */
export function refusal({ headers, url = "" }: IncomingMessage, { port, token, path }: Guarded): Refusal | undefined {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((host) => `${host}:${port}`);
  if (!hosts.includes(headers.host ?? "")) return { status: 403 };
  if (headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`))
    return { status: 403 };
  if (new URL(url, "http://loopback").pathname !== path) return { status: 404 };
  const [, given = ""] = /^Bearer +(.+)$/i.exec(headers.authorization ?? "") ?? [];
  if (!isSame(given, token)) return { status: 401, headers: { "www-authenticate": "Bearer" } };
  return undefined;
}

/** Takes as long for a token that begins well as for one that does not. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
