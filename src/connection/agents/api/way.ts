import { type ClientRequest, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as secured } from "node:tls";
import { proxyName } from "./proxy.ts";

/** Puts one request on its way. */
export type Way = (options: RequestOptions) => ClientRequest;

/** The way to an address: straight; through a proxy that passes requests on; or through one that opens a tunnel for TLS. */
export async function wayTo(url: URL, proxy?: URL, signal?: AbortSignal): Promise<Way> {
  const start = starter(url);
  if (!proxy) return (options) => start(url, options);
  if (url.protocol === "http:") return (options) => throughProxy(url, proxy, options);
  const socket = await tunnel(url, proxy, signal);
  const host = hostOf(url);
  const target = { socket, host, ...(isIP(host) === 0 && { servername: host }) };
  // No agent: it would make a connection of its own.
  return (options) => start(url, { ...options, createConnection: () => secured(target) });
}

/** A proxy that does not let us through. */
export class ProxyRefusal extends Error {
  readonly proxy: string;
  readonly address: string;
  readonly status: number;

  constructor(proxy: URL, url: URL, status: number) {
    super(`${status} (proxy ${proxyName(proxy)})`);
    this.proxy = proxyName(proxy);
    this.address = url.host;
    this.status = status;
  }
}

function throughProxy(url: URL, proxy: URL, options: RequestOptions): ClientRequest {
  const path = `${url.protocol}//${url.host}${url.pathname}${url.search}`;
  const headers = { ...options.headers, host: url.host, ...authorization(proxy) };
  return starter(proxy)({ ...options, ...placeOf(proxy), path, headers });
}

const REFUSALS = [401, 403, 405, 407];

function tunnel(url: URL, proxy: URL, signal?: AbortSignal): Promise<Socket> {
  const path = `${url.hostname}:${url.port || 443}`;
  const headers = { host: path, ...authorization(proxy) };
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new Error(`${cause.message} (proxy ${proxyName(proxy)})`, { cause }));
    const asked = starter(proxy)({ ...placeOf(proxy), method: "CONNECT", path, headers, ...(signal && { signal }) });
    asked.on("error", fail);
    asked.on("connect", ({ statusCode: status = 0 }, socket) => {
      if (status >= 200 && status < 300) return resolve(socket);
      socket.destroy();
      if (REFUSALS.includes(status)) reject(new ProxyRefusal(proxy, url, status));
      else fail(Object.assign(new Error(`CONNECT ${path}: ${status}`), { code: "ECONNREFUSED" }));
    });
    asked.end();
  });
}

function starter({ protocol }: URL): typeof plainRequest {
  return protocol === "https:" ? secureRequest : plainRequest;
}

/** Not the URL itself: Node would send its user and password on, as if they were meant for the server. */
function placeOf(url: URL): RequestOptions {
  return { host: hostOf(url), port: Number(url.port) || (url.protocol === "https:" ? 443 : 80), agent: false };
}

/** An IPv6 address stands in brackets in a URL, and nowhere else. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
