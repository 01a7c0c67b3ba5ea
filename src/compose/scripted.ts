import { demoStory, demoTask } from "../connection/models/scripted/demo-story.ts";

export { loadStory } from "../connection/models/scripted/load-story.ts";
export { startScriptedModel } from "../connection/models/scripted/server.ts";
export const demo = { story: demoStory, task: demoTask };
