import type { Validator } from "../../model/flow/steps-registry.ts";

/** Programs whose answer depends on the repository, its remotes or the tracker, and not on the files alone. */
const ASKING = new Set(["git", "gh", "glab", "hub", "jj", "hg"]);
/** Programs that only pass on what the others say. */
const PASSING_ON = new Set(
  "! [ [[ test grep egrep rg wc head tail tr cut sed awk sort uniq jq cat echo printf true false xargs cd".split(" "),
);

/**
 * Whether a condition only makes sense in the workspace: a module of the flow, or a command of git or of the tracker's own program and
 * nothing else, such as `test -z "$(git status --porcelain)"`. It is asked again there, not in a clean checkout.
 */
export function asksWorkspace({ type, command = "" }: Pick<Validator, "type" | "command">): boolean {
  if (type === "custom") return true;
  if (type !== "command") return false;
  const programs = programsIn(command);
  const isKnown = programs.every((program) => ASKING.has(program) || PASSING_ON.has(program));
  return isKnown && programs.some((program) => ASKING.has(program));
}

const PROGRAM = /^[\w./@+-]+$|^\[\[?$/;

/** The first word of each simple command. Quoted text may be taken for a command: then the condition runs in the clean checkout. */
function programsIn(command: string): string[] {
  const parts = command.split(/\$\(|[;|&()`\n]+/);
  return parts.flatMap((part) => {
    const words = part.replace(/["']+$|^["']+/g, "").match(/\S+/g) ?? [];
    const program = words.find((word) => word !== "!" && !/^\w+=/.test(word) && !/^\d*[<>]/.test(word));
    return program !== undefined && PROGRAM.test(program) ? [program] : []; // else the rest of a comparison
  });
}
