import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ProxyServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** `CONNECT model.test:443`, `POST http://model.test/v1/…` in order. */
  asked: string[];
  credentials: (string | undefined)[];
}

export interface ProxySettings {
  /** Answers every request with this status instead of passing it on. */
  refuses?: number;
}

/** A company's proxy on loopback: whatever host it is asked for, it passes the request on to this port of this machine. */
export async function proxyServer(port: number, { refuses }: ProxySettings = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    credentials.push(headers["proxy-authorization"]);
  };
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    note(incoming);
    if (refuses) return void response.writeHead(refuses).end();
    const { pathname, search } = new URL(incoming.url ?? "");
    const { method, headers } = incoming;
    const onward = request({ host: "127.0.0.1", port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (incoming, socket) => {
    note(incoming);
    if (refuses) return void socket.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
    const onward = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    sockets.add(onward);
    onward.on("error", () => socket.destroy()).pipe(socket);
    socket.on("error", () => onward.destroy()).pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, credentials };
}
