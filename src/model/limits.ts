/** The largest `max_iterations`. Here because the command line shows it without loading task schemas. */
export const MOST_ITERATIONS = 1000;

/** Settings of a task that nobody has chosen. Here because the command line's help shows them. */
export const DEFAULTS = {
  max_iterations: 10,
  command_timeout: 300,
  setup_timeout: 900,
  agent: "claude",
  model: "sonnet",
  /** Minutes. */
  fallback_after: 15,
} as const;

/** The most files, tools or artifacts in a record. A record with this many may have left some out. */
export const MOST_LISTED = 100;

/** SC-003: what the context of one iteration should stay under, in tokens. */
export const CONTEXT_TOKENS = 100_000;
/** The most changed files in the record of an ending. Its totals count the others, too. */
export const MOST_CHANGED = 1000;

/** setTimeout fires at once for anything longer. */
export const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;
