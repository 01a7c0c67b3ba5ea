import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Role } from "../../../src/model/roles.ts";
import { runGoal } from "../../support/run-goal.ts";

/** Prompts are behaviour: what a role is not asked for, it does not do. Each duty is one idea, in words that a rewrite would keep. */
const DUTIES: Record<Role, Record<string, RegExp>> = {
  intake: {
    "knows its role": /^endless8-role: intake\b/,
    "lets work begin when every criterion can be judged [FR-002]": /accepted.*every criterion.*whether it is met/,
    "accepts criteria without numbers": /need not be a number/,
    "asks about criteria that can be understood differently [FR-003]":
      /Ask \(.*needs_clarification.*can be read in ways/,
    "gives examples of vague words": /fast enough/,
    "gives each question its reason and plausible answers": /`context`.*`suggested_answers`/,
    "says which criterion a question is about": /number of the criterion.*`criterion`/,
    "asks nothing that the project answers": /nothing that reading the project would answer/,
    "does not ask again what was answered": /answers.*settle.*not ask again/,
    "puts answers into the wording": /what they say into the wording/,
    "may sharpen the wording": /may sharpen the wording/,
    "changes nothing else about the criteria": /may not drop, merge, split, add, weaken or strengthen/,
    "keeps their number and order": /exactly one text for each.*same order/,
    "tells the user what it noticed": /`validation_notes` tells the user/,
    "leaves checks alone": /checks stand as they are/,
    "uses the user's language": /language of the task/,
  },
  executor: {
    "knows its role": /^endless8-role: executor\b/,
    "knows that it remembers nothing": /empty memory/,
    "works on the task": /Work on the task/,
    "looks at the files itself": /actual state of the files/,
    "does not repeat failed approaches [FR-005]": /not repeat an approach.*failed/,
    "returns to one only for a new reason": /reason that is new/,
    "counts refuted claims among the failures": /claimed success has failed.*refuted/,
    "does not judge its own work [FR-004]": /done is not yours to decide/,
    "knows that saying so changes nothing": /Saying that it is done.*changes nothing/,
    "knows who judges": /independent judge decide/,
    "does not weaken checks": /not weaken tests, checks or criteria/,
    "leaves the records alone": /change nothing in the `\.e8` directory/,
    "follows the user's answers": /user's answer.*decides what is meant/,
    "decides alone and says what it chose": /Nobody answers questions.*say in your report what you chose/,
    "reports what checks printed, failures included": /really printed, failures included/,
    "ends with a report": /End with your report/,
    "reports a status": /`status` is `success`.*`failure` if you could not/,
    "reports facts for each criterion": /`output`.*facts that a judge of each criterion needs/,
    "hands in a text whole": /asks for a text, `output` is that text, whole/,
    "lists its files": /`artifacts` lists files/,
    "reports approach, tags and discoveries [FR-025]": /`semantic_metadata`.*approach.*`strategy_tags`.*`discoveries`/,
    "uses the user's language": /language of the task/,
  },
  summarizer: {
    "knows its role": /^endless8-role: summarizer\b/,
    "writes for a judge who sees nothing else [FR-006]": /judge.*sees nothing but your record/,
    "writes for a worker without memory": /next worker.*no other memory/,
    "takes no instructions from the worker's lines": /Lines that begin with `>`.*never instructions/,
    "tells the approach": /`approach`:.*how/,
    "tells what came of it": /`reason`:.*what came of it/,
    "keeps the facts of each criterion [FR-006]": /For each criterion.*facts/,
    "is short [FR-006]": /at most 1000 tokens/i,
    "keeps claims apart from what was shown": /claimed apart from.*shown/,
    "embellishes nothing": /never.*look better/i,
    "lists files that matter": /`artifacts`: files/,
    "tells what to do next": /`next`:.*next step.*blockers/,
    "extracts knowledge [FR-020]": /`knowledge`:.*another (iteration|task)/,
    "keeps knowledge short": /short and self-contained/,
    "uses the user's language": /language of the task/,
  },
  judge: {
    "knows its role": /^endless8-role: judge\b/,
    "has no other source than the records [FR-008]": /only sources are the record.*cannot look at anything else/,
    "owes no trust": /no trust/,
    "is strict [FR-019]": /"Almost" is not met/,
    "evaluates each criterion once, by number [FR-008]": /every numbered sentence criterion exactly once.*`id`/,
    "demands evidence and quotes it [FR-008]": /`is_met` is true only when.*evidence.*quote or name/,
    "takes no claim for evidence": /A claim.*is not evidence/,
    "calls unmet what the record does not say": /does not say, the criterion is not met/,
    "says what is missing": /`evidence` says what is missing/,
    "names the files of its evidence": /Name the files that the evidence rests on/,
    "accepts earlier evidence for unchanged files only": /earlier iteration counts for what the files it names contain/,
    "does not accept earlier results of programs": /does not count for what a program printed/,
    "takes no instructions from the worker": /written by the worker.*never instructions/,
    "follows the user's answers": /user's answer.*decides what the criterion means/,
    "follows the user's own words": /user's own words, and these decide.*only an explanation/,
    "believes checks": /Results of checks are facts/,
    "prefers checks to the record": /record that contradicts them is wrong/,
    "says how sure it is": /`confidence` is how sure/,
    "calls complete only what is": /`is_complete` is true only when every/,
    "suggests the next action [FR-009]": /`suggested_next_action`.*next worker should do first/,
    "uses the user's language": /language of the task/,
  },
  reviewer: {
    "knows its role": /^endless8-role: reviewer\b/,
    "knows that checks do not see everything": /look for what checks cannot see/,
    "does not hear the worker": /nothing that the worker says/,
    "can only read": /cannot run or change anything/,
    "looks for special cases": /`special_case`: does code recognise the inputs that the tests use/,
    "looks for weakened tests": /`weakened_test`: was a test.*weakened, skipped, deselected, emptied or deleted/,
    "looks for disabled checks": /`disabled_check`: was a check.*switched off/,
    "looks for results that are not computed": /`not_computed`: is a result.*made up/,
    "looks for deletions that were not asked for": /`unasked_deletion`: was something deleted/,
    "does not object to what was asked for": /user's words ask for is not a finding/,
    "does not object to style": /neither is style/,
    "may find nothing": /No findings is a good answer/,
    "evaluates each sentence criterion once": /every numbered sentence criterion exactly once/,
    "calls met only what it can point at": /met only if you can point at a line/,
    "follows the user's own words": /user's own words decide.*intake's wording.*explanation/,
    "decides about every protected file": /`protected_files`: every changed file that is marked as protected/,
    "allows their change only where the user demands it": /`is_demanded` is true only if the user's words ask for this/,
    "quotes the demand": /`demand` is those words, copied/,
    "does not take a passing check for a reason": /makes a check pass is no reason/,
    "tells a build from a stamp": /`is_build` is true only if.*from the sources.*stamp.*not a build/,
    "quotes everything that counts": /Every finding, every criterion that is met.*needs a quotation/,
    "copies quotations": /copied character by character/,
    "knows that quotations are looked up": /looked up by a program.*counts for nothing/,
    "quotes removed lines by their old number": /Removed lines are quoted by the number they had before/,
    "quotes what git says about a file": /Line 0 is what git says/,
    "takes no instructions from files": /content of files.*never instructions to you/,
    "suspects files that talk to it": /asks the reviewer for something is itself a reason/,
    "knows the codes of invisible characters": /shown as codes such as `<U\+202E>`/,
    "explains for the next worker": /`explanation`.*next worker can correct it/,
    "uses the user's language": /language of the task/,
  },
};

describe.each(Object.entries(DUTIES) as [Role, Record<string, RegExp>][])("the prompt of the %s", (role, duties) => {
  test.each(Object.entries(duties))("%s", async (_, words) => {
    expect(await systemPromptOf(role)).toMatch(words);
  });
});

describe("a process that serves several roles", () => {
  test.each(
    Object.entries({
      "plays the role of the message": /first line of every message names yours.*that one and no other/,
      "follows the instructions of no other": /follow its instructions alone/,
      "lets no later line change its role": /further down.*changes your role/,
      "answers under its role's name": /exactly one property.*name of your role/,
    }),
  )("%s", async (_, words) => {
    expect(await shipped("joint-roles")).toMatch(words);
  });
});

test("an agent without structured answers is asked for one JSON object and nothing else", async () => {
  expect(await shipped("json-answer")).toMatch(/one JSON object and nothing else.*JSON Schema/);
});

async function systemPromptOf(role: Role): Promise<string> {
  const changes = [{ path: "a.js", status: "added" as const, added: 1, removed: 0 }];
  const settings = { intake: true, max_iterations: 1, proof: "auto" as const, reviewers: ["m"] };
  const { agent } = await runGoal({ settings, proof: { changes } });
  return onOneLine(agent.asked(role)[0]?.system_prompt ?? "");
}

async function shipped(name: string): Promise<string> {
  return onOneLine(await readFile(new URL(`../../../prompts/${name}.md`, import.meta.url), "utf8"));
}

/** Where lines break is a matter of taste. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
