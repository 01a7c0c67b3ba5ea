import { once } from "node:events";
import process from "node:process";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Door } from "./door.ts";
import { createServer } from "./server.ts";

/** Serves one client on standard input and output until it closes them. Runs that it has started go on. */
export async function serveStdio(door: Door, version: string): Promise<void> {
  const server = await createServer(door, version);
  const closed = once(process.stdin, "close");
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
