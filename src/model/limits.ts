/** What a task may be given. It stands here by itself because the command line says it without reading any task. */
export const MOST_ITERATIONS = 100;

/** How many files, tools or artifacts the record of an iteration names. One that names so many may have left some out. */
export const MOST_LISTED = 100;

/** setTimeout fires at once for anything longer. */
export const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;
