import { E8Error } from "../../model/errors.ts";
import type { FlowPosition } from "../../model/flow/position.ts";
import { textOf } from "../../model/json.ts";
import { message } from "../../model/message.ts";
import type { Effect } from "../effects.ts";
import type { RunContext } from "../run-context.ts";
import { isGiven } from "./external-state.ts";
import type { FlowRun } from "./flow-run.ts";

/** The parameters that may hold the tag. The user chooses it: an agent's words do not decide what is published under which name. */
const TAG_NAMES = ["tag", "version"];
/** The key under which a step hands on what the release says. */
const NOTES = "release_notes";

/** The release that an agent with `defaultClosureAction: release` publishes. */
export function releaseEffects({ signal }: RunContext, run: FlowRun, { handoff }: FlowPosition): Effect[] {
  if (!publishes(run)) return [];
  const tag = requireTag(run);
  const notes = Object.values(handoff).flatMap((values) => (Object.hasOwn(values, NOTES) ? [values[NOTES]] : []));
  return [
    {
      key: `release/${tag}`,
      what: message("release_effect", { tag }),
      isDone: async () => false, // the tracker itself looks for the tag first
      apply: async () => {
        await run.tracker.release({ tag, title: tag, body: textOf(notes.at(-1)) }, signal);
      },
    },
  ];
}

/** Throws where a release is to be published and has no tag. */
export function requireTag(run: FlowRun): string {
  if (!publishes(run)) return "";
  const { agent } = run.definition;
  const name = TAG_NAMES.find((one) => isGiven(run.parameters[one]));
  if (name !== undefined) return textOf(run.parameters[name]);
  const flag = TAG_NAMES.map((one) => agent.parameters[one]?.cli).find((one) => one !== undefined) ?? "--tag";
  throw new E8Error("parameter_invalid", { flag, problem: message("tag_missing", {}), agent: agent.name });
}

function publishes({ definition }: FlowRun): boolean {
  const { enabled, defaultClosureAction } = definition.agent.runner.integrations.github;
  return enabled && defaultClosureAction === "release";
}
