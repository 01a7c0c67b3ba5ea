import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/** A real MCP server with one tool. Writes into the file it is given that it was started, and what it was asked. */
const [diary] = process.argv.slice(2);
const note = (text) => diary && appendFileSync(diary, `${text}\n`);

note("started");
const server = new McpServer({ name: "sums", version: "1.0.0" });
server.registerTool(
  "add",
  { description: "Adds two numbers", inputSchema: { a: z.number(), b: z.number() } },
  async ({ a, b }) => {
    note(`${a} + ${b}`);
    return { content: [{ type: "text", text: String(a + b) }] };
  },
);
await server.connect(new StdioServerTransport());
