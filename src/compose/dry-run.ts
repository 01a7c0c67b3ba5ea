import { pipeNotices } from "../configuration/task/pipes.ts";
import type { AgentChoice } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import type { Notice } from "../model/notices.ts";
import { type Abilities, abilitiesOf, settingNotices } from "./agent-abilities.ts";
import { withheldNotices } from "./credentials.ts";
import type { ConfiguredTask } from "./tasks.ts";

/** What is said of a run before it begins, besides its settings. */
export interface Foretold {
  abilities: Abilities[];
  notices: Notice[];
}

/** For every way to see what would run; `steps` are the agents that steps of a flow name. */
export function foretold(
  configured: ConfiguredTask,
  environment: Environment,
  steps: readonly AgentChoice[] = [],
): Foretold {
  const { configuration, notices } = configured;
  return {
    abilities: abilitiesOf(configuration, steps),
    notices: [
      ...notices,
      ...withheldNotices(environment, configured),
      ...settingNotices(configuration, steps),
      ...pipeNotices(configuration.criteria),
    ],
  };
}
