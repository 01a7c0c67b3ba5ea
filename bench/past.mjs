const WORDS = "The migration of the parser broke three tests that rely on the order of keys, so it was taken back. ";

/** Records of iterations that all failed differently: the hardest history to condense. */
export function pastOf(iterations) {
  const timestamp = new Date(0).toISOString();
  return Array.from({ length: iterations }, (_, index) => index + 1).flatMap((iteration) => [
    {
      ...{ type: "summary", iteration, result: "failure", artifacts: ["src/parser.ts"], next: null, timestamp },
      ...{ approach: `Way ${iteration}: ${WORDS}`, reason: `Reason ${iteration}: ${WORDS.repeat(2)}` },
      metadata: {
        ...{ tools_used: ["Read", "Edit", "Bash(npm)"], files_modified: ["src/parser.ts"], error_type: null },
        ...{ tokens_used: 20_000, strategy_tags: [] },
      },
    },
    {
      ...{ type: "judgment", iteration, is_complete: false, overall_reason: "no", suggested_next_action: null },
      evaluations: [
        { id: 1, criterion: "true", is_met: false, evidence: WORDS.repeat(4), confidence: 1, source: "command" },
      ],
      timestamp,
    },
  ]);
}
