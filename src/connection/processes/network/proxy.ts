import { lookup } from "node:dns/promises";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isLocalAddress, namedBy, type Target, targetOf } from "./hosts.ts";

export interface ProxyOptions {
  /** The path of a Unix socket to listen on. */
  socket: string;
  /** Patterns of the hosts that may be reached. */
  hosts: readonly string[];
  /** What a program is told that asks for another host. */
  refusal: (host: string) => string;
}

export interface FilteringProxy {
  close(): Promise<void>;
}

const CONNECT_MILLISECONDS = 30_000;

/**
 * An HTTP proxy for programs that have no other network: it forwards plain requests and makes tunnels (CONNECT), to named hosts only. It
 * resolves names itself and connects to what it has looked at. A host that only a wildcard names must not lead to a local address.
 */
export async function startFilteringProxy(options: ProxyOptions): Promise<FilteringProxy> {
  const server = createServer((request, response) => void forwarded(request, response, options));
  server.on("connect", (request, client, head) => void tunnelled(request, { client, head }, options));
  server.on("upgrade", (_, client) => client.destroy());
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.socket, resolve);
  });
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

interface Tunnel {
  client: Duplex;
  head: Buffer;
}

async function tunnelled(
  { url = "" }: IncomingMessage,
  { client, head }: Tunnel,
  options: ProxyOptions,
): Promise<void> {
  client.on("error", () => {});
  const target = targetOf(url);
  const addresses = await addressesOf(target, options.hosts);
  if (!addresses) {
    const said = `${options.refusal(url)}\n`;
    client.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(said)}\r\nconnection: close\r\n\r\n${said}`,
    );
    return;
  }
  const server = connect({ ...target, lookup: only(addresses), autoSelectFamily: true, timeout: CONNECT_MILLISECONDS });
  server.once("connect", () => {
    server.setTimeout(0);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.write(head);
    server.pipe(client).pipe(server);
  });
  server.on("timeout", () => server.destroy());
  server.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n"));
  server.on("close", () => client.destroy());
  client.on("close", () => server.destroy());
}

async function forwarded(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  const target = url && { host: url.hostname, port: Number(url.port || "80") };
  const addresses = url?.protocol === "http:" && target ? await addressesOf(target, options.hosts) : undefined;
  if (!url || !target || !addresses) {
    response.writeHead(403, { "content-type": "text/plain", connection: "close" });
    response.end(`${options.refusal(url?.host ?? String(request.url))}\n`);
    return;
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => !/^(?:proxy-|connection$|keep-alive$|host$)/.test(name),
  );
  const sent = forward({
    host: bare(target.host),
    port: target.port,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(headers), host: url.host },
    lookup: only(addresses),
    agent: false,
  });
  sent.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on("close", () => sent.destroy());
  request.pipe(sent);
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

interface Address {
  address: string;
  family: number;
}

/** The addresses that a target may be reached at; undefined where it is not named, or leads elsewhere. */
async function addressesOf(target: Target, hosts: readonly string[]): Promise<Address[] | undefined> {
  const named = namedBy(hosts, target);
  if (!named) return undefined;
  const found = await lookup(bare(target.host), { all: true }).catch(() => []);
  const allowed = named === "exactly" ? found : found.filter(({ address }) => !isLocalAddress(address));
  return found.length > 0 && allowed.length === 0 ? undefined : allowed;
}

/** No second lookup: its answer could be another one. */
function only(addresses: readonly Address[]): LookupFunction {
  return (host, { all }, done) => {
    const [first] = addresses;
    if (!first) done(new Error(`${host} not found`), "", 0);
    else if (all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}
