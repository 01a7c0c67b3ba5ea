import type { CompletionType } from "../../../model/flow/agent-file.ts";
import type { ResolvedSchema } from "../../../model/flow/definition.ts";
import type { RegistryJson } from "../../../model/flow/registry-json.ts";
import type { Step } from "../../../model/flow/steps-registry.ts";
import type { Place, Report } from "../report.ts";
import type { FlowGraph } from "./paths.ts";

/** A registry while it is being checked. */
export interface Draft {
  report: Report;
  files: ReadonlyMap<string, string>;
  /** The registry's file name. */
  file: string;
  json: RegistryJson;
  steps: Readonly<Record<string, Step>>;
  schemas: Readonly<Record<string, ResolvedSchema>>;
  /** The folder of the schema files. */
  schemasBase: string;
  /** Undefined when agent.json could not be read. */
  completion: CompletionType | undefined;
  /** Where the flow begins; undefined when no usable entry is named. */
  entry: string | undefined;
  graph: FlowGraph;
}

export function placeIn(draft: Pick<Draft, "file">, ...path: PropertyKey[]): Place {
  return { file: draft.file, path };
}

export function stepPlace(draft: Pick<Draft, "file">, stepId: string, ...path: PropertyKey[]): Place {
  return placeIn(draft, "steps", stepId, ...path);
}
