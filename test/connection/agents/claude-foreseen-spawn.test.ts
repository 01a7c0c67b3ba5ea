import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Options, query, type SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { foreseenSpawn, isSameSpawn } from "../../../src/connection/agents/claude/foreseen-spawn.ts";
import { prepareOptions } from "../../../src/connection/agents/claude/options.ts";
import { makePrivateDirectory } from "../../../src/connection/agents/claude/private-directory.ts";
import { say, scene, story } from "../../../src/connection/models/scripted/builders.ts";
import type { Expectation } from "../../../src/connection/ports/agent.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { expected } from "./claude-warm-support.ts";
import { claudeBox, claudeOptions } from "./support.ts";

/** What the SDK really asks for. Nothing is started but a program that says nothing. */
async function asked(options: Options): Promise<SpawnOptions> {
  let ended = () => {};
  const silence = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const spawned = await new Promise<SpawnOptions>((resolve) => {
    const spawnClaudeCodeProcess = (start: SpawnOptions) => {
      const child = spawn("cat", [], { stdio: ["pipe", "pipe", "ignore"] });
      child.once("exit", ended);
      setImmediate(() => child.kill());
      resolve(start);
      return child;
    };
    const prompt = (async function* () {
      await silence;
    })();
    const answers = query({ prompt, options: { ...options, spawnClaudeCodeProcess } });
    answers.initializationResult().catch(() => {});
    answers.next().catch(() => {});
  });
  await silence;
  return spawned;
}

const CASES: [string, Partial<Expectation>, Partial<Parameters<typeof claudeOptions>[1]>][] = [
  ["a role", { role: "judge" }, {}],
  ["a role without a schema", { role: "judge", schema: {} }, {}],
  ["an executor", {}, {}],
  ["an executor with tools", {}, { allowed_tools: ["Read", "Edit", "Write", "Bash"] }],
  ["an executor with a budget", { max_cost_usd: 0.25, max_turns: 3 }, {}],
  ["an executor that asks nobody", {}, { permission_mode: "bypassPermissions" }],
  ["an executor with another model", { model: "claude-opus-5" }, {}],
  ["an executor with servers", {}, { mcp_servers: { one: { type: "stdio", command: "true", args: [] } } }],
  ["an executor with skills", {}, { skills_dir: "skills" }],
  ["a program of the user's", {}, { executable: "cat" }],
];

test.each(CASES)("%s: what is foreseen is what the SDK asks for", async (_what, given, settings) => {
  const box = await claudeBox(story(scene("judge", say("nothing"))));
  await box.write("project/skills/one/SKILL.md", "---\nname: one\ndescription: x\n---\n");
  await box.write("home/.claude/settings.json", { env: { ANTHROPIC_AUTH_TOKEN: "x" } });
  const environment = { ...box.environment, NODE_OPTIONS: "--no-warnings", DEBUG: "1", UNSET: undefined };
  const options = claudeOptions({ ...box, environment }, settings);
  const directory = await makePrivateDirectory(options);
  const { sdk } = await prepareOptions(options, expected(given), directory);

  const foreseen = foreseenSpawn(sdk);
  const real = await asked(sdk);
  await directory.remove();

  expect(foreseen).toMatchObject({ command: real.command, args: real.args, cwd: real.cwd });
  expect(foreseen && isSameSpawn(foreseen, real)).toBe(true);
  expect(foreseen && isSameSpawn(foreseen, { ...real, args: [...real.args, "--more"] })).toBe(false);
  expect(foreseen && isSameSpawn(foreseen, { ...real, env: { ...real.env, MORE: "1" } })).toBe(false);
});

test("a program that the SDK starts with another one is not foreseen", () => {
  expect(foreseenSpawn({ pathToClaudeCodeExecutable: "/somewhere/cli.js" })).toBeUndefined();
});

test("where the SDK is in no directory of its own, as in a bundled program, nothing is foreseen and nothing fails", async () => {
  const directory = await temporaryDirectory();
  const input = fileURLToPath(new URL("../../../src/connection/agents/claude/foreseen-spawn.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "node" });
  await bundle.write({ file: join(directory, "bundled.mjs"), format: "esm" });
  await bundle.close();
  const { foreseenSpawn: bundled } = await import(pathToFileURL(join(directory, "bundled.mjs")).href);

  expect(bundled({})).toBeUndefined();
  expect(bundled({ pathToClaudeCodeExecutable: "/bin/cat" })).toBeUndefined();
});
