import { cp, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { configure, demo, startScriptedModel, startTask } from "../../compose.ts";
import type { FollowOptions } from "../follow.ts";
import type { Surroundings } from "../surroundings.ts";
import { runToEnd } from "./run.ts";

const TEMPLATE = fileURLToPath(new URL("../../../examples/demo/", import.meta.url));

/** A real run on a copy of the example project. Only the model is not real. */
export async function demoCommand(flags: FollowOptions, surroundings: Surroundings): Promise<void> {
  const { texts, output } = surroundings;
  const home = await realpath(await mkdtemp(join(tmpdir(), "e8-demo-")));
  const project = join(home, "corner-shop");
  await cp(TEMPLATE, project, { recursive: true });
  for (const line of [...texts.demo.intro, texts.demo.project(project), ""]) output.progress(line);
  const model = await startScriptedModel(demo.story);
  try {
    const environment = await privateEnvironment(home, model.url);
    const configured = await configure({
      project,
      flags: { ...demo.task, model: "claude-sonnet-4-5" },
      environment: {},
    });
    const start = (options: object) => startTask(configured, { ...options, environment });
    const result = await runToEnd(start, { ...flags, verbose: true }, surroundings);
    if (result.status === "completed") output.progress(`\n${texts.demo.outro}`);
    output.progress(texts.demo.scripted(model.requests.length));
    output.progress(texts.demo.next);
  } finally {
    await model.close();
  }
}

/** Nothing of the user's own Claude Code is read or changed, and no request leaves this machine. */
async function privateEnvironment(home: string, url: string): Promise<Record<string, string | undefined>> {
  const temporary = join(home, "tmp");
  await mkdir(temporary);
  return {
    PATH: process.env.PATH,
    LANG: process.env.LANG,
    TERM: "dumb",
    HOME: join(home, "home"),
    CLAUDE_CONFIG_DIR: join(home, "home", ".claude"),
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-scripted-model",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}
