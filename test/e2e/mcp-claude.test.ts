import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { claudeSession } from "../support/claude-code.ts";
import { sandbox } from "../support/sandbox.ts";
import { summarizes, works } from "../support/stories.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

test("in the real Claude Code, a user has e8 do the work overnight: the session ends, and the run goes on until it is done", async () => {
  const box = await sandbox(
    story(
      scene(
        { when: "Let e8 do this overnight" },
        use("mcp__endless8__run_task", {
          task: "Write a greeting into greeting.txt",
          checks: ["grep -q Hello greeting.txt"],
          until: "07:00",
        }),
        { say: "It is under way; e8 works on it overnight." },
      ),
      works("wrote it", use("Write", { file_path: "greeting.txt", content: "Hello\n" })),
      summarizes("wrote the greeting"),
    ),
  );
  const servers = { mcpServers: { endless8: { command: process.execPath, args: [E8, "mcp"] } } };

  const said = await claudeSession(
    box,
    "Let e8 do this overnight: write a greeting into greeting.txt, until `grep Hello` finds it.",
    ...["--mcp-config", JSON.stringify(servers), "--strict-mcp-config"],
    ...["--allowedTools", "mcp__endless8__run_task"],
  );

  expect(said).toContain("works on it overnight");
  const [id = ""] = await box.tasks();
  const result = box.model.requests
    .map(({ body }) => JSON.stringify(body))
    .find((body) => body.includes("tool_result"));
  expect(result?.includes(`Task ${id} has begun`), "what the model read of it").toBe(true);
  await vi.waitFor(
    async () => expect((await box.records()).at(-1)).toMatchObject({ type: "final_result", status: "completed" }),
    { timeout: 100_000, interval: 200 },
  );
  expect(await box.read("greeting.txt")).toBe("Hello\n");
});
