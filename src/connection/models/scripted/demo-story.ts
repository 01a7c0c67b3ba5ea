import { answer, say, scene, story, use } from "./builders.ts";

/** What the demo asks for: two bugs hide behind one complaint, and the first worker will find only one of them. */
export const demoTask = {
  task: "The cart of our corner shop charges wrong totals. Find out why and mend cart.js.",
  criteria: [
    "CHANGELOG.md tells customers in plain words what was wrong",
    { type: "command" as const, command: "node --test --test-reporter=spec", description: "all tests pass" },
  ],
};

const [changelogCriterion] = demoTask.criteria as [string, object];

/** The model's side of the demo. Every edit below is really made by Claude Code's own tools. */
export const demoStory = story(
  scene(
    "intake",
    answer({ status: "accepted", task: demoTask.task, criteria: [changelogCriterion], clarification_questions: [] }),
  ),

  // The first worker mends one bug, does not run the tests, and says that it is done.
  scene(
    "executor",
    use("Read", { file_path: "cart.js" }),
    use("Edit", { file_path: "cart.js", old_string: "sum = count", new_string: "sum += count" }),
    {
      ...say("All done! The cart adds up every item now, so the totals are right. <promise>COMPLETE</promise>"),
      ...answer({
        status: "success",
        output: "All done! The cart only counted its last item. It now adds them up. <promise>COMPLETE</promise>",
        artifacts: ["cart.js"],
        semantic_metadata: {
          approach: "Add up instead of overwriting the sum",
          strategy_tags: ["bug-fix"],
          discoveries: [],
        },
      }),
    },
  ),
  scene(
    "summarizer",
    answer({
      approach: "Changed `sum =` to `sum +=` in cart.js",
      reason:
        "cart.js now adds up all items. The worker says that everything is done but shows no test run. CHANGELOG.md was not touched.",
      artifacts: ["cart.js"],
      next: { suggested_action: "Run node --test and write the changelog entry", pending_items: ["CHANGELOG.md"] },
      knowledge: [
        {
          type: "codebase",
          category: "structure",
          content: "Prices and discounts are computed in cart.js.",
          example_file: "cart.js:2",
          confidence: "high",
        },
      ],
    }),
  ),
  scene(
    "judge",
    answer({
      is_complete: false,
      evaluations: [
        {
          id: 1,
          criterion: changelogCriterion,
          is_met: false,
          evidence: "The record says that CHANGELOG.md was not touched.",
          confidence: 0.97,
        },
      ],
      overall_reason: "The worker claims to be done, but the tests fail and the changelog is empty.",
      suggested_next_action:
        "The discount test fails: look at the boundary of ten items, then write the changelog entry.",
    }),
  ),

  // The second worker knows nothing but what was recorded. It reads why the check failed, and mends that.
  scene(
    "executor",
    use("Read", { file_path: "cart.js" }),
    use("Edit", { file_path: "cart.js", old_string: "count > 10", new_string: "count >= 10" }),
    use("Bash", { command: "node --test --test-reporter=spec", description: "Run the tests" }),
    use("Read", { file_path: "CHANGELOG.md" }),
    use("Write", {
      file_path: "CHANGELOG.md",
      content:
        "# Changelog\n\n- Totals count every item in the cart, and the discount already applies at ten of one item.\n",
    }),
    answer({
      status: "success",
      output:
        "The discount began at eleven items instead of ten. Mended; node --test printed: tests 3, pass 3, fail 0. CHANGELOG.md says: Totals count every item in the cart, and the discount already applies at ten of one item.",
      artifacts: ["cart.js", "CHANGELOG.md"],
      semantic_metadata: {
        approach: "Follow the failing test to the discount's boundary",
        strategy_tags: ["bug-fix", "test-driven"],
        discoveries: ["node --test runs all tests without a dependency"],
      },
    }),
  ),
  scene(
    "summarizer",
    answer({
      approach: "Moved the discount's boundary from eleven to ten items; wrote the changelog entry",
      reason:
        "node --test printed tests 3, pass 3, fail 0. CHANGELOG.md now reads: Totals count every item in the cart, and the discount already applies at ten of one item.",
      artifacts: ["cart.js", "CHANGELOG.md"],
      knowledge: [
        {
          type: "lesson",
          category: "testing",
          content: "Run node --test before reporting: a claim of success was wrong once.",
          confidence: "high",
        },
      ],
    }),
  ),
  scene(
    "judge",
    answer({
      is_complete: true,
      evaluations: [
        {
          id: 1,
          criterion: changelogCriterion,
          is_met: true,
          evidence:
            "CHANGELOG.md reads: Totals count every item in the cart, and the discount already applies at ten of one item.",
          confidence: 0.96,
        },
      ],
      overall_reason: "The changelog entry is there in plain words.",
    }),
  ),
);
