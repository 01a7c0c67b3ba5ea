import { cp, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DEMO_PROJECT, demoIn, scriptedEnvironment, startScriptedModel } from "../../compose/scripted.ts";
import { configure, startTask } from "../../compose/tasks.ts";
import type { FollowOptions } from "../follow.ts";
import { isLive } from "../live/open-screen.ts";
import { runToEnd } from "../run-to-end.ts";
import type { Surroundings } from "../surroundings.ts";

/** A real run on a copy of the example project. Only the model is not real. */
export async function demoCommand(flags: FollowOptions, surroundings: Surroundings): Promise<void> {
  const { texts, output } = surroundings;
  const home = await realpath(await mkdtemp(join(tmpdir(), "e8-demo-")));
  const project = join(home, "corner-shop");
  await cp(DEMO_PROJECT, project, { recursive: true });
  for (const line of [...texts.demo.intro, texts.demo.project(project), ""]) output.progress(line);
  const { task, story } = demoIn(texts.language);
  const script = join(home, "story.json");
  await writeFile(script, JSON.stringify(story));
  const model = await startScriptedModel(story);
  const { environment, remove } = await scriptedEnvironment(model.url, process.env).catch(async (error) => {
    await model.close();
    throw error;
  });
  try {
    const configured = await configure({
      project,
      flags: { ...task, model: "claude-sonnet-4-5", rawLog: true },
      environment: {},
    });
    const start = (options: object) => startTask({ ...configured, script }, { ...options, environment });
    const result = await runToEnd(start, { verbose: !isLive(flags), ...flags }, surroundings);
    if (result.status === "completed") output.progress(`\n${texts.demo.outro}`);
    output.progress(texts.demo.scripted(model.requests.length));
    output.progress(texts.demo.next);
  } finally {
    await model.close();
    await remove();
  }
}
