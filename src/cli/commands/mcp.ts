import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import process from "node:process";
import { packageVersion } from "../../compose/version.ts";
import type { Door } from "../../mcp/door.ts";
import { E8Error } from "../../model/errors.ts";
import type { CliContext } from "../output.ts";
import { unfitFlag } from "../run-flags.ts";

interface McpFlags {
  project: string;
  store?: string;
  http?: boolean;
  port?: string;
  root: string[];
}

/** `e8 mcp`: on standard input and output until the client closes them, or over HTTP until Ctrl-C. */
export async function mcpCommand(flags: McpFlags, context: CliContext): Promise<void> {
  const { project, store, root } = flags;
  const roots = [project, ...root.map((one) => resolve(one))];
  const door: Door = { project, roots, store, environment: process.env, texts: context.texts };
  if (flags.http) return serveHttp(door, flags, context);
  const { serveStdio } = await import("../../mcp/stdio.ts");
  await serveStdio(door, packageVersion());
}

async function serveHttp(door: Door, flags: McpFlags, { texts, output }: CliContext): Promise<void> {
  const port = portOf(flags, { texts, output });
  const own = process.env.ENDLESS8_MCP_TOKEN?.trim();
  const token = own || randomBytes(24).toString("base64url");
  const { serveHttp: serve } = await import("../../mcp/http.ts");
  const { url, close } = await serve(door, { port, token, version: packageVersion() }).catch((error: unknown) => {
    throw new E8Error("port_taken", { port, problem: error instanceof Error ? error.message : String(error) });
  });
  output.progress(texts.doors.listening(url));
  output.progress(texts.doors.roots(door.roots.join(texts.separator)));
  const shown = own ? "$ENDLESS8_MCP_TOKEN" : token;
  output.result(
    texts.doors.addIt(`claude mcp add --transport http endless8 ${url} --header "Authorization: Bearer ${shown}"`),
  );
  await interrupted();
  await close();
}

function interrupted(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
}

function portOf({ port = "0" }: McpFlags, { texts }: CliContext): number {
  const number = Number(port);
  if (/^\d+$/.test(port) && number <= 65_535) return number;
  throw unfitFlag({ flag: "--port", command: "mcp" }, port, texts.values.between(0, 65_535));
}
