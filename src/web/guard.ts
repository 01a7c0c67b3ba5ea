import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { E8Error } from "../model/errors.ts";

/** Nothing comes from elsewhere, no script stands in a page, and no other page may show or embed ours. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

export function withHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
    if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
  };
}

/**
 * Refuses requests under another name: a page elsewhere can have its own name point to this machine. An address in numbers is
 * nobody's name, so where the server is open to others, any such address will do.
 */
export function onlyOwnHost({ host, port }: { host: string; port: () => number }): MiddlewareHandler {
  return async (context, next) => {
    if (!isOwnHost(context.req.header("host") ?? "", host, port()))
      throw new E8Error("dashboard_refused", { why: "host" });
    await next();
  };
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

function isOwnHost(given: string, host: string, port: number): boolean {
  const [, name = "", number = "80"] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d+))?$/i.exec(given) ?? [];
  if (Number(number) !== port) return false;
  const isOpen = !isLoopback(host);
  return LOOPBACK.includes(name.toLowerCase()) || name === host || (isOpen && isIP(name.replace(/^\[|\]$/g, "")) > 0);
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

/** Refuses what another site's page has its reader's browser ask for. */
export function onlyOwnOrigin(): MiddlewareHandler {
  return async (context, next) => {
    const { method } = context.req;
    const [origin, site] = [context.req.header("origin"), context.req.header("sec-fetch-site")];
    const isRead = method === "GET" || method === "HEAD";
    const isOwn =
      origin === undefined ? isRead || site === "same-origin" : origin === ownOrigin(context.req.header("host"));
    const isElsewhere = site !== undefined && site !== "same-origin" && site !== "none";
    if (!isOwn || (isElsewhere && context.req.path.startsWith("/api/")))
      throw new E8Error("dashboard_refused", { why: "origin" });
    await next();
  };
}

function ownOrigin(host: string | undefined): string {
  return `http://${host}`;
}
