import type { ClarificationQuestion } from "../../model/roles.ts";
import type { Answer } from "../../model/task.ts";

/** Puts questions to the user. Undefined: nobody answers here. */
export type Ask = (questions: readonly ClarificationQuestion[]) => Promise<Answer[] | undefined>;
