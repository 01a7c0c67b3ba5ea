import { Role } from "../../../model/roles.ts";
import { readTextFile, within } from "../../files.ts";
import { type AgentSetup, argumentOf, type Backend } from "../backend.ts";
import { claudeSettings, turnLimits } from "../claude/settings.ts";
import type { Story } from "./model/story.ts";

export const scriptedBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_cost: false,
    withholds_tools: true,
    fresh_context: true,
    roles: Role.options,
  },
  chosen_by: "argument",
  async create({ configuration, ...setup }) {
    const { createScriptedAgent } = await import("./scripted-agent.ts");
    const { working_directory, models } = configuration;
    const settings = claudeSettings(configuration);
    const { allowed_tools, permission_mode } = settings;
    const story = await storyOf({ configuration, ...setup });
    return createScriptedAgent({
      ...setup,
      ...story,
      working_directory,
      models,
      allowed_tools,
      permission_mode,
      max_turns: turnLimits(settings),
    });
  },
  async verify(need) {
    await storyOf(need);
  },
};

/** Throws an E8Error when the story is missing or broken. */
async function storyOf({
  configuration,
  project,
}: Pick<AgentSetup, "configuration" | "project">): Promise<{ file: string; story: Story }> {
  const { loadStory } = await import("./model/load-story.ts");
  const { name, text } = await readTextFile(within(project, argumentOf(configuration.agent)));
  return { file: name, story: loadStory(text, name) };
}
