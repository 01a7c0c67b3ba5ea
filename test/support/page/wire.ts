import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What is between a browser and a server. */
export interface Wire {
  port: number;
  /** From now on nothing passes on the connections that there are, and neither end is told. New ones are as good as ever. */
  cut: () => void;
  /** How many were made. */
  connections: () => number;
}

/** A wire to a port of this machine, which can be cut as a network is: without a word. */
export async function wireTo(target: () => number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let made = 0;
  const server = createServer((near) => {
    made += 1;
    const far = connect(target(), "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const [one, other] of [pair, [far, near] as const])
      one.on("error", () => other.destroy()).on("close", () => (pairs.has(pair) ? other.destroy() : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of [...sockets, ...[...pairs].flat()]) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      for (const pair of pairs) {
        const [near, far] = pair;
        near.unpipe(far).pause();
        far.unpipe(near).pause();
        sockets.push(near, far);
        pairs.delete(pair);
      }
    },
    connections: () => made,
  };
}
