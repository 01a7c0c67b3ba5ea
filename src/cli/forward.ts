import { forwardCheckout } from "../compose/branch.ts";
import type { CliContext } from "./output.ts";
import { confirmAtTerminal, isTerminal } from "./questions.ts";

/** At a terminal, offers to bring the checkouts of these bases to what has landed. */
export async function offerForward(
  project: string,
  bases: Iterable<string>,
  { texts, output }: CliContext,
): Promise<void> {
  if (!isTerminal() || !(await confirmAtTerminal(texts.backlog.forwardAsk, texts))) return;
  for (const base of bases) output.progress(texts.backlog.forwarded(base, await forwardCheckout(project, base)));
}
