import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes = "queue_package_missing" | "queue_not_made" | "task_in_line" | "task_not_in_line";

/** About the line of tasks that wait for workers. */
export const enQueueErrors: Pick<ErrorTexts, ErrorCodes> = {
  queue_package_missing: [
    "The package bullmq, which keeps the line of waiting tasks, is not installed.",
    "Install it beside endless8, with the driver of the database: npm install -g bullmq@6.7.0 pg.",
  ],
  queue_not_made: (d) => [
    `${d.store} has no line of waiting tasks yet.`,
    "Install bullmq beside endless8, and run e8 fleet init <URL> once more.",
  ],
  task_in_line: (d) => [
    `Task ${d.id} waits for a worker already, or one works on it.`,
    "Follow it with e8 watch, or take it back with e8 cancel.",
  ],
  task_not_in_line: (d) => [
    `Task ${d.id} waits for no worker any more: it has ended, or was taken back.`,
    "Give it again with e8 submit --resume, if there is more to do.",
  ],
};
