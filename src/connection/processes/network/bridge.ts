import { targetOf } from "./hosts.ts";

/** Where programs inside find the proxy. Their network is their own, so no other program has this port. */
const PROXY_PORT = 3128;

export interface BridgeOptions {
  /** The proxy's socket, as seen inside. */
  socket: string;
  /** Patterns of the hosts that the proxy allows. */
  hosts: readonly string[];
}

/**
 * Listens inside, where there is no network but the program's own loopback, and hands connections to the proxy's socket: those to the
 * proxy's port as they are, those to another port as a tunnel to that port of the machine. Then it closes its standard output, which
 * its starter waits for.
 */
const BRIDGE = `
const net = require("node:net");
const [socket, proxy, ...locals] = process.argv.slice(1);
const joined = (client, server) => {
  client.pipe(server).pipe(client);
  client.on("error", () => server.destroy()).on("close", () => server.destroy());
  server.on("error", () => client.destroy()).on("close", () => client.destroy());
};
const tunnel = (target) => (client) => {
  const server = net.connect(socket);
  server.on("error", () => client.destroy());
  server.write("CONNECT " + target + " HTTP/1.1\\r\\n\\r\\n");
  let answer = Buffer.alloc(0);
  const read = (chunk) => {
    answer = Buffer.concat([answer, chunk]);
    const end = answer.indexOf("\\r\\n\\r\\n");
    if (end < 0) return;
    server.off("data", read).pause();
    if (!/^HTTP\\/1.1 200/.test(answer.toString("latin1"))) return client.destroy();
    if (answer.length > end + 4) server.unshift(answer.subarray(end + 4));
    joined(client, server);
  };
  server.on("data", read);
};
const listen = (port, serve) => new Promise((resolve, reject) => {
  net.createServer(serve).on("error", reject).listen(Number(port), "127.0.0.1", resolve);
});
const listening = [
  listen(proxy, (client) => joined(client, net.connect(socket))),
  ...locals.map((target) => listen(target.split(":")[1], tunnel(target)).catch(() => {})),
];
process.on("SIGTERM", () => {}).on("SIGINT", () => {}).on("SIGHUP", () => {});
Promise.all(listening).then(() => { process.stdout.write("ready"); require("node:fs").closeSync(1); }, () => process.exit(1));
`;

/** Runs the bridge beside the program, as a child of the first process, and then the program in the shell's own place. */
const START = `
ready=$( ("$1" -e "$2" -- "$3" $4 </dev/null 2>/dev/null &) )
[ "$ready" = ready ] || exit 126
shift 4
exec "$@"
`;

/** The command line that runs a program beside a bridge. */
export function bridged(program: readonly string[], { socket, hosts }: BridgeOptions): string[] {
  const heard = [PROXY_PORT, ...localTargets(hosts)].join(" ");
  return ["/bin/sh", "-c", START, "e8", process.execPath, BRIDGE, socket, heard, ...program];
}

/** Ports of this machine that the patterns name: `localhost:5432`. */
function localTargets(hosts: readonly string[]): string[] {
  const named = hosts.map(targetOf).filter(({ host, port }) => LOCAL.includes(host) && port > 0 && port !== PROXY_PORT);
  return [...new Map(named.map(({ host, port }) => [port, `${host}:${port}`])).values()];
}

const LOCAL = ["localhost", "127.0.0.1"];

/** Variables by which programs find the proxy. */
export function proxyVariables(): Record<string, string> {
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const own = "localhost,127.0.0.1,::1";
  return Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
      .flatMap((name) => [name, name.toLowerCase()].map((spelling) => [spelling, proxy]))
      .concat([
        ["NO_PROXY", own],
        ["no_proxy", own],
      ]),
  );
}
