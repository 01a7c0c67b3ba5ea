import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { judges } from "../support/stories.ts";

const HOOKS = `import { appendFileSync } from "node:fs";
const seen = new URL("seen.txt", import.meta.url);
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  appendFileSync(seen, resolved.url + "\\n");
  return resolved;
}`;

/** Runs e8 and lists the packages of models that were loaded on the way. */
async function packagesOf(box: Sandbox, args: string[]): Promise<string[]> {
  await box.write("hooks/hooks.mjs", HOOKS);
  await box.write(
    "hooks/register.mjs",
    'import { register } from "node:module"; register("./hooks.mjs", import.meta.url);',
  );
  const register = pathToFileURL(join(box.project, "hooks", "register.mjs")).href;
  const env = {
    NODE_OPTIONS: `--import ${register}`,
    OPENAI_API_KEY: "sk-fake-key",
    OPENAI_BASE_URL: `${box.model.url}/v1`,
  };
  const ended = await box.e8(args, { env });
  expect(ended.code, ended.stderr).toBe(0);
  const urls = await readFile(join(box.project, "hooks", "seen.txt"), "utf8");
  expect(urls).toContain("/bin/e8.js");
  return [
    ...new Set(
      [...urls.matchAll(/node_modules\/(@ai-sdk\/(?!provider)[\w-]+|ai|@anthropic-ai\/[\w-]+)\//g)].map(
        ([, name = ""]) => name,
      ),
    ),
  ];
}

test("a run without roles over an API loads nothing of theirs", async () => {
  const box = await sandbox();

  expect(await packagesOf(box, ["run", "x", "--check", "true", "--agent-command", "true"])).toEqual([]);
});

test("a run with one loads that vendor's package only", async () => {
  const box = await sandbox(story(judges(true, [{ id: 1, is_met: true }])));
  const run = ["run", "x", "-c", "done", "--no-intake", "--agent-command", "true", "--judge-model", "openai:gpt-5"];

  expect(await packagesOf(box, run)).toEqual(["@ai-sdk/openai"]);
});
