import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import type { Sandbox } from "./sandbox.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

export interface Answered {
  text: string;
  isError: boolean;
  facts: Record<string, unknown>;
}

/** A client of the real server, as another program would be one. */
export interface McpClient {
  client: Client;
  call(tool: string, args?: Record<string, unknown>, onProgress?: (message: string) => void): Promise<Answered>;
  close(): Promise<void>;
}

/** Starts `e8 mcp` in the sandbox's project and speaks with it over its standard input and output. */
export async function mcpOverStdio({ project, env }: Sandbox, ...flags: string[]): Promise<McpClient> {
  const environment = Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [E8, "mcp", ...flags],
      cwd: project,
      env: environment,
    }),
  );
}

export async function connected(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const close = () => client.close();
  onTestFinished(close);
  return {
    client,
    close,
    call: async (name, args = {}, onProgress) => {
      const told = onProgress && { onprogress: ({ message }: Progress) => onProgress(message ?? "") };
      const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 100_000, ...told });
      const [first] = result.content as { text: string }[];
      const facts = (result.structuredContent ?? {}) as Record<string, unknown>;
      return { text: first?.text ?? "", isError: result.isError === true, facts };
    },
  };
}
