import { readFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { claudeSession } from "../support/claude-code.ts";
import { sandbox } from "../support/sandbox.ts";
import { summarizes, works } from "../support/stories.ts";

const PLUGIN = fileURLToPath(new URL("../../plugin/", import.meta.url));
const RUN = "mcp__plugin_endless8_endless8__run_task";

test.each([
  ["/endless8:e8", "with the plugin"],
  ["/e8", "with the plugin, and its command copied to the user's own"],
])("%s in the real Claude Code, %s, hands a task over to its server, and its skill is there", async (command, how) => {
  const box = await sandbox(
    story(
      scene(
        { when: "wants endless8 to take this over: write a greeting" },
        use(RUN, { task: "Write a greeting into greeting.txt", checks: ["grep -q Hello greeting.txt"] }),
        { say: "It has begun; look in with e8 watch." },
      ),
      works("wrote it", use("Write", { file_path: "greeting.txt", content: "Hello\n" })),
      summarizes("wrote the greeting"),
    ),
  );

  if (how.includes("copied")) {
    const own = join(box.home, ".claude", "commands");
    await mkdir(own, { recursive: true });
    await copyFile(join(PLUGIN, "commands", "e8.md"), join(own, "e8.md"));
  }

  const said = await claudeSession(box, `${command} write a greeting`, "--plugin-dir", PLUGIN, "--allowedTools", RUN);

  expect(said).toContain("It has begun");
  const told = JSON.stringify(box.model.requests.map(({ body }) => body));
  for (const words of ["endless8:long-work", "keep going until the tests pass"])
    expect(told.includes(words), `Claude Code tells its model: ${words}`).toBe(true);
  await vi.waitFor(
    async () => expect((await box.records()).at(-1)).toMatchObject({ type: "final_result", status: "completed" }),
    { timeout: 100_000, interval: 200 },
  );
});

test("the plugin has the package's version, and is packed with it", () => {
  const read = (path: string) =>
    JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8"));
  const { version, files } = read("package.json");

  expect(read("plugin/.claude-plugin/plugin.json")).toMatchObject({ name: "endless8", version });
  expect(read(".claude-plugin/marketplace.json").plugins).toMatchObject([{ name: "endless8", source: "./plugin" }]);
  expect(files).toContain("plugin");
});
