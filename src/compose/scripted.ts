export { demoIn } from "../connection/models/scripted/demo-story.ts";
export { loadStory } from "../connection/models/scripted/load-story.ts";
export { startScriptedModel } from "../connection/models/scripted/server.ts";
export { DEMO_PROJECT } from "../connection/package-files.ts";
