import { scriptedEnvironment } from "../connection/agents/scripted/model/environment.ts";
import { loadStory } from "../connection/agents/scripted/model/load-story.ts";
import { type ScriptedModel, startScriptedModel } from "../connection/agents/scripted/model/server.ts";
import type { Story } from "../connection/agents/scripted/model/story.ts";
import { absolute, readTextFile, readTextFileIfThere } from "../connection/files.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";

type Play<E, R> = (environment: Environment, model: ScriptedModel) => AsyncGenerator<E, R>;

/** Runs in an environment in which the model is played from a story: nothing in it reaches a language model. */
export async function* playing<E, R>(script: string, outer: Environment, play: Play<E, R>): AsyncGenerator<E, R> {
  const model = await startScriptedModel(await readStory(script));
  try {
    const { environment, remove } = await scriptedEnvironment(model.url, outer);
    try {
      return yield* play(environment, model);
    } finally {
      await remove();
    }
  } finally {
    await model.close();
  }
}

/** Throws an E8Error with all that is wrong with a story. */
export async function readStory(script: string): Promise<Story> {
  const { name, text } = await readTextFile(absolute(script));
  return loadStory(text, name);
}

/** A task that began with a story is never continued with a real model, which would cost money. */
export async function* playingAgain<E, R>(
  { id, script }: { id: string; script: string },
  outer: Environment,
  play: Play<E, R>,
): AsyncGenerator<E, R> {
  if (!(await readTextFileIfThere(script))) throw new E8Error("story_missing", { id, path: script });
  return yield* playing(script, outer, play);
}

export { backlogIn } from "../connection/agents/scripted/model/backlog-story.ts";
export { demoIn } from "../connection/agents/scripted/model/demo-story.ts";
export { DEMO_PROJECT } from "../connection/files.ts";
