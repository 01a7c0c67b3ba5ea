import { cp, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DEMO_PROJECT, demoIn, playing } from "../../compose/scripted.ts";
import { beginTask, configure, type RunOptions } from "../../compose/tasks.ts";
import { type FollowOptions, runToEnd } from "../follow.ts";
import { isLive } from "../live/screen.ts";
import type { CliContext } from "../output.ts";

/** A real run on a copy of the example project. Only the model is not real. */
export async function demoCommand({ dashboard, open, ...flags }: DemoFlags, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const home = await realpath(await mkdtemp(join(tmpdir(), "e8-demo-")));
  const project = join(home, "corner-shop");
  await cp(DEMO_PROJECT, project, { recursive: true });
  for (const line of [...texts.demo.intro, texts.demo.project(project), ""]) output.progress(line);
  const { task, story } = demoIn(texts.language);
  const script = join(home, "story.json");
  await writeFile(script, JSON.stringify(story));
  const settings = { ...task, model: "claude-sonnet-4-5", rawLog: true };
  const configured = await configure({ project, flags: settings, environment: {} });
  const page = dashboard ? await (await import("./dashboard.ts")).showInBrowser({ project, open }, context) : undefined;
  try {
    let requests: readonly unknown[] = [];
    const start = (options: RunOptions) =>
      playing(script, process.env, (environment, model) => {
        requests = model.requests;
        return beginTask(configured, { ...options, environment }, script);
      });
    const result = await runToEnd(start, { verbose: !isLive(flags), ...flags, project }, context);
    if (result.status === "completed") output.progress(`\n${texts.demo.outro}`);
    output.progress(texts.demo.scripted(requests.length));
    output.progress(texts.demo.next);
    await page?.untilInterrupted();
  } finally {
    await page?.close();
  }
}

interface DemoFlags extends Omit<FollowOptions, "project"> {
  dashboard?: boolean;
  /** Whether the browser is opened for it. */
  open?: boolean;
}
