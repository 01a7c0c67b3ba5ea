import { Role } from "../../../model/roles.ts";
import { readTextFile, within } from "../../files.ts";
import { type AgentNeed, argumentOf, type Backend } from "../backend.ts";
import { commonOptions } from "../claude/settings.ts";

export const scriptedBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_tokens: true,
    reports_cost: true, // nothing
    tells_limits: true,
    chooses_model: false,
    withholds_tools: true,
    takes_servers: false,
    takes_skills: false,
    shows_calls: true,
    takes_permissions: true,
    limits_turns: true,
    takes_claude_setup: true, // a story needs none
    fresh_context: true,
    roles: Role.options,
  },
  chosen_by: "argument",
  async create({ configuration, ...setup }) {
    const { createScriptedAgent } = await import("./scripted-agent.ts");
    const story = await storyOf({ configuration, ...setup });
    return createScriptedAgent({ ...setup, ...story, ...commonOptions(configuration) });
  },
  async access() {
    return { hosts: [], kept: [], made: [], writable: [], readable: [] }; // a story has nothing of its own
  },
  async verify(need) {
    await storyOf(need);
  },
};

/** Throws an E8Error when the story is missing or broken. */
async function storyOf({ configuration, project }: Pick<AgentNeed, "configuration" | "project">) {
  const { loadStory } = await import("./model/load-story.ts");
  const { name, text } = await readTextFile(within(project, argumentOf(configuration.agent)));
  return { file: name, story: loadStory(text, name) };
}
