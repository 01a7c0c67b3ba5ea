// `node bench/acp-loop.mjs <command> …`: starts the agent, asks it for the next step, ends it, and looks whether the last file is there;
// three times. As small as such a loop can be: no sandbox, no proof, no records.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
const REQUESTS = [
  ["initialize", () => ({ protocolVersion: 1, clientCapabilities: {} })],
  ["session/new", () => ({ cwd: process.cwd(), mcpServers: [] })],
  [
    "session/prompt",
    ({ sessionId }) => ({ sessionId, prompt: [{ type: "text", text: "Write the file of the next step." }] }),
  ],
];

for (let step = 1; step <= 3 && !existsSync("step-3.txt"); step += 1) {
  const agent = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  let last = {};
  for (const [id, [method, params]] of REQUESTS.entries()) {
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: params(last) })}\n`);
    for (;;) {
      const message = JSON.parse((await lines.next()).value);
      if (message.id !== id) continue;
      last = message.result;
      break;
    }
  }
  agent.stdin.end();
  await once(agent, "exit");
}
