import type { Language } from "../../../../model/language.ts";
import { answer, say, scene, story, use } from "./builders.ts";
import { type DemoWords, demoWords } from "./demo-words.ts";
import type { Story } from "./story.ts";

/** A task and the model's side of it. Two bugs hide behind one complaint, and the first worker finds only one of them. */
export function demoIn(language: Language) {
  const words = demoWords[language];
  const task = {
    task: words.task,
    criteria: [
      words.changelogCriterion,
      { type: "command" as const, command: "node --test --test-reporter=spec", description: words.testsPass },
    ],
  };
  return { task, story: storyOf(words) };
}

/** Every edit below is really made by Claude Code's own tools. */
function storyOf(words: DemoWords): Story {
  const { task, changelogCriterion } = words;
  return story(
    scene("intake", answer({ status: "accepted", task, criteria: [changelogCriterion], clarification_questions: [] })),
    ...firstIteration(words),
    ...secondIteration(words),
  );
}

/** The first worker mends one bug, does not run the tests, and says that it is done. */
function firstIteration(words: DemoWords): Story["scenes"] {
  const nothingToTell = { strategy_tags: ["bug-fix"], discoveries: [] };
  const result = {
    status: "success",
    output: words.firstOutput,
    artifacts: ["cart.js"],
    semantic_metadata: { approach: words.firstApproach, ...nothingToTell },
  };
  const known = { type: "codebase", category: "structure", content: words.whereItIs, example_file: "cart.js:2" };
  return [
    scene(
      "executor",
      use("Read", { file_path: "cart.js" }),
      use("Edit", { file_path: "cart.js", old_string: "sum = count", new_string: "sum += count" }),
      { ...say(words.claim), ...answer(result) },
    ),
    scene(
      "summarizer",
      answer({
        approach: words.firstSummary,
        reason: words.firstReason,
        artifacts: ["cart.js"],
        next: { suggested_action: words.firstNext, pending_items: ["CHANGELOG.md"] },
        knowledge: [{ ...known, confidence: "high" }],
      }),
    ),
    scene(
      "judge",
      answer({
        is_complete: false,
        evaluations: [evaluation(words, { is_met: false, evidence: words.changelogUntouched, confidence: 0.97 })],
        overall_reason: words.firstVerdict,
        suggested_next_action: words.firstAdvice,
      }),
    ),
  ];
}

/** The second worker knows nothing but what was recorded. It reads why the check failed, and mends that. */
function secondIteration(words: DemoWords): Story["scenes"] {
  const artifacts = ["cart.js", "CHANGELOG.md"];
  const semantic_metadata = {
    approach: words.secondApproach,
    strategy_tags: ["bug-fix", "test-driven"],
    discoveries: [words.discovery],
  };
  const learned = { type: "lesson", category: "testing", content: words.lesson, confidence: "high" };
  return [
    scene(
      "executor",
      use("Read", { file_path: "cart.js" }),
      use("Edit", { file_path: "cart.js", old_string: "count > 10", new_string: "count >= 10" }),
      use("Bash", { command: "node --test --test-reporter=spec", description: words.runTests }),
      use("Read", { file_path: "CHANGELOG.md" }),
      use("Write", { file_path: "CHANGELOG.md", content: `# Changelog\n\n- ${words.entry}\n` }),
      answer({ status: "success", output: words.secondOutput, artifacts, semantic_metadata }),
    ),
    scene(
      "summarizer",
      answer({ approach: words.secondSummary, reason: words.secondReason, artifacts, knowledge: [learned] }),
    ),
    scene(
      { who: "judge", repeat: true }, // the proof asks a second time
      answer({
        is_complete: true,
        evaluations: [evaluation(words, { is_met: true, evidence: words.changelogReads, confidence: 0.96 })],
        overall_reason: words.secondVerdict,
      }),
    ),
    scene("reviewer", use("Read", { file_path: "cart.js" }), answer(review(words))),
  ];
}

/** The reviewer looks at the files, and quotes what it rests on. */
function review({ entry, reviewed }: DemoWords): Record<string, unknown> {
  const quotation = { file: "CHANGELOG.md", line: 3, quote: `- ${entry}` };
  return {
    findings: [],
    criteria: [{ id: 1, is_met: true, ...quotation, explanation: reviewed }],
    protected_files: [],
    ignored_files: null,
  };
}

function evaluation(
  { changelogCriterion }: DemoWords,
  found: { is_met: boolean; evidence: string; confidence: number },
): object {
  return { id: 1, criterion: changelogCriterion, ...found };
}
