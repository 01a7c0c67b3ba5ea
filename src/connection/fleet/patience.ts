import { setTimeout as sleep } from "node:timers/promises";
import type { GitAnswer } from "../processes/git.ts";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const LONGEST_WAIT = 300_000;

/** Git's code for a remote that it could not talk to. A refusal by the remote has another one. */
const FATAL = 128;
/** To ask again would give the same answer. */
const FOR_GOOD =
  /couldn't find remote ref|does not appear to be a git repository|not found|authentication failed|permission denied|could not read (username|password)|terminal prompts disabled|access denied|host key verification failed/i;

/** Asks a remote again for minutes while it is away: the work of an iteration should not be lost to a short outage. */
export async function patiently(ask: () => Promise<GitAnswer>, signal: AbortSignal): Promise<GitAnswer> {
  const until = Date.now() + LONGEST_WAIT;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    const answer = await ask();
    const isAway = (answer.exit_code === FATAL || answer.exit_code === null) && !FOR_GOOD.test(answer.said);
    if (!isAway || Date.now() + pause > until) return answer;
    await sleep(pause, undefined, { signal });
  }
}
