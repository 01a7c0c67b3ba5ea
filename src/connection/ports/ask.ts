import type { ClarificationQuestion } from "../../model/roles.ts";
import type { Answer } from "../../model/task.ts";

/** Asks the user. Undefined: no user is there to answer. */
export type Ask = (questions: readonly ClarificationQuestion[]) => Promise<Answer[] | undefined>;
