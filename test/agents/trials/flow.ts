import { answer, say, scene } from "../../../src/connection/agents/scripted/model/builders.ts";
import { inPlace } from "../place.ts";
import { cell, type Trial } from "../trial.ts";
import { eventsOf, lastWords, storyOf } from "./common.ts";

/** The agent of a template, whose two steps have a gate. The first answer is prose. */
export const flow: Trial<"steps"> = {
  name: "flow",
  rows: { steps: "takes the steps of a flow, whose answers are held against their schemas" },
  async run(tried) {
    const next = { summary: "Wrote it.", changes: ["NOTES.md"], next_action: { action: "next" } };
    const closing = { summary: "It is there.", next_action: { action: "closing" } };
    const storyIn = (project: string) =>
      storyOf(
        scene(
          "initial.task",
          { use: [tried.agent.write(`${project}/NOTES.md`, "A project.\n")] },
          say("I have written it."),
        ),
        scene("initial.task", answer(next)),
        scene("closure.task", answer(closing)),
      );
    return inPlace(tried, storyIn, async (place) => {
      await place.start(["agent", "init", "small", "--from", "single-step"]).ended;
      const run = ["agent", "run", "small", "--json-events", "--agent", tried.agent.choice, "--no-review"];
      const { code, result, events, stderr } = await place.start(run).ended;
      const steps = eventsOf(events, "step-start").map(({ step_id, agent }) => `${step_id} by ${agent}`);
      const isAskedAgain = eventsOf(events, "notice").some(({ notice }) => notice.code === "asked_again");
      const starts = (await place.starts()).length;
      const told = `exit ${code}, ${result?.status}, ${steps.join(", ") || "no step"}, ${starts} starts: ${lastWords(stderr)}`;
      return { steps: cell(code === 0 && steps.length === 2 && isAskedAgain && starts === 1, "", told) };
    });
  },
};
