// `node least-client.mjs <times> <command> …`: starts the agent, asks it so many times for the next step, each time in a session of its own, and
// kills it. What e8 takes beyond this is e8's own: its start, the sandbox, records, snapshots, checks and the proof.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";

const [times, command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], detached: true });
const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
let asked = 0;

async function ask(method, params) {
  const id = ++asked;
  send({ id, method, params });
  for (;;) {
    const message = JSON.parse((await lines.next()).value);
    if (message.method === "session/request_permission") permit(message);
    else if (message.id === id && message.error) throw new Error(message.error.message);
    else if (message.id === id) return message.result;
  }
}

function permit({ id, params }) {
  const { optionId } = params.options.find(({ kind }) => kind === "allow_once") ?? params.options[0];
  send({ id, result: { outcome: { outcome: "selected", optionId } } });
}

function send(message) {
  agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
for (let step = 1; step <= Number(times); step += 1) {
  const { sessionId } = await ask("session/new", { cwd: process.cwd(), mcpServers: [] });
  await ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "Write the file of the next step." }] });
}
process.kill(-agent.pid, "SIGKILL");
process.exit();
