import type { Criterion } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";
import { type Notice, notice } from "../../model/notices.ts";
import { CRITERIA_FLAGS } from "./flags.ts";
import type { Layer } from "./layer.ts";

interface AllCriteria {
  criteria: Criterion[];
  /** By path, where the criteria come from several places. */
  sources: Record<string, string>;
  notices: Notice[];
}

/** The task file's criteria with those of the command line, or with `only` the latter alone. */
export function allCriteria(flags: Layer, files: Layer, only: boolean): AllCriteria {
  const [typed, written] = [criteriaIn(flags), criteriaIn(files)];
  if (only && typed.length === 0)
    throw new E8Error("flag_invalid", { flag: "--only", problem: message("only_needs_criteria", {}) });
  if (typed.length === 0 || written.length === 0) return { criteria: [...written, ...typed], sources: {}, notices: [] };
  const source = files.get("criteria")?.source ?? "";
  const inFile = { file: source.replace(/:\d+$/, ""), count: written.length };
  if (only) return { criteria: typed, sources: {}, notices: [notice("criteria_replaced", inFile)] };
  const known = new Set(written.map((one) => JSON.stringify(one)));
  const added = typed.filter((one) => !known.has(JSON.stringify(one)));
  const paths = added.map((_, index) => [`criteria[${written.length + index}]`, `flag ${CRITERIA_FLAGS}`]);
  return {
    criteria: [...written, ...added],
    sources: { criteria: source, ...Object.fromEntries(paths) },
    notices: [notice("criteria_added", { ...inFile, added: added.length })],
  };
}

function criteriaIn(layer: Layer): Criterion[] {
  return (layer.get("criteria")?.value ?? []) as Criterion[];
}
