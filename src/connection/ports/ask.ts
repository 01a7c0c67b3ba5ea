import type { ClarificationQuestion } from "../../model/roles.ts";
import type { Answer } from "../../model/task.ts";

/** Asks the user, who may leave the last questions open. Undefined: all of them stay open. */
export type Ask = (questions: readonly ClarificationQuestion[]) => Promise<Answer[] | undefined>;
