import { answer, say, scene } from "../../../src/connection/agents/scripted/model/builders.ts";
import { inPlace } from "../place.ts";
import { cell, type Trial } from "../trial.ts";
import { storyOf, works } from "./common.ts";

const CRITERION = "greeting.txt greets";

/** A task in words: every role is answered by the agent, and one of them first answers in prose. */
export const roles: Trial<"roles" | "garbage"> = {
  name: "roles",
  rows: {
    roles: "answers as intake, summarizer, judge and reviewer",
    garbage: "an answer in prose is asked for again",
  },
  async run(tried) {
    const judged = {
      is_complete: true,
      evaluations: [{ id: 1, criterion: CRITERION, is_met: true, evidence: "It says Hello!", confidence: 1 }],
      overall_reason: "The greeting is there.",
    };
    const quoted = { id: 1, is_met: true, file: "greeting.txt", line: 1, quote: "Hello!", explanation: "It greets." };
    const storyIn = (project: string) =>
      storyOf(
        scene("intake", answer({ status: "accepted", task: "", criteria: [CRITERION], clarification_questions: [] })),
        works({ use: [tried.agent.write(`${project}/greeting.txt`, "Hello!\n")] }),
        scene("summarizer", answer({ approach: "Wrote it.", reason: "greeting.txt says Hello!" })),
        scene("judge", say("I am quite content with it.")),
        { ...scene("judge", answer(judged)), repeat: true },
        { ...scene("reviewer", answer({ findings: [], criteria: [quoted] })), repeat: true },
      );
    return inPlace(tried, storyIn, async (place) => {
      const { code, result } = await place.run({ task: "Write a greeting.", criteria: [CRITERION] });
      const asked = new Set(place.model.asked.map(({ who }) => who));
      const missing = ["intake", "executor", "summarizer", "judge", "reviewer"].filter((role) => !asked.has(role));
      const told = `exit ${code}; not asked: ${missing.join(", ") || "none"}; ${JSON.stringify(result?.error_details)}`;
      const judgments = place.model.asked.filter(({ who }) => who === "judge").length;
      const isMet = result?.final_judgment?.is_complete === true;
      return {
        roles: cell(code === 0 && missing.length === 0, "", told),
        garbage: cell(isMet && judgments >= 2, "", `the judge was asked ${judgments} times; ${told}`),
      };
    });
  },
};
