/** What a task may be given. It stands here by itself because the command line says it without reading any task. */
export const MOST_ITERATIONS = 100;
