import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { say, scene, story } from "../../../src/connection/agents/scripted/model/builders.ts";
import { assign, claudeBox, hear } from "./support.ts";

/** Speaks Claude Code's protocol as far as one answer needs it: 300 pieces of 100 KB, then the result. */
const TALKATIVE = `#!/usr/bin/env node
const say = (message) => new Promise((resolve) => process.stdout.write(JSON.stringify({ session_id: "s", uuid: "u", ...message }) + "\\n", resolve));
const success = { type: "result", subtype: "success", is_error: false, result: "", usage: {}, modelUsage: {}, permission_denials: [] };
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const { type, request_id, message } = JSON.parse(line);
  if (type === "control_request") await say({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
  if (type !== "user") return;
  if (message.content[0].text === "/clear") return say(success);
  await say({ type: "system", subtype: "init", mcp_servers: [], tools: [] });
  for (let piece = 0; piece < 300; piece++)
    await say({ type: "stream_event", event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: String(piece).repeat(50_000) } } });
  await say({ ...success, structured_output: { status: "done" } });
}).on("close", () => process.exit());
`;

test("what a Claude Code has said is not kept in memory for as long as it is there", async () => {
  const box = await claudeBox(story(scene("executor", say("never asked"))));
  const executable = join(box.home, "talkative");
  await writeFile(executable, TALKATIVE);
  await chmod(executable, 0o755);
  const agent = box.agent({ executable });
  const assignment = assign();
  const answer = async () => {
    agent.prepare?.(assignment);
    const { reply } = await hear(agent, assignment, AbortSignal.any([new AbortController().signal]));
    expect(reply).toMatchObject({ structured: { status: "done" } });
    return heapMegabytes();
  };

  const first = await answer();
  await answer();
  const last = await answer();

  expect(last - first).toBeLessThan(15);
});

function heapMegabytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}
