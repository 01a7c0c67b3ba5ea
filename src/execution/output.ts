import type { WorkerOutput } from "../connection/ports/open-task.ts";
import type { ExecutionSummary } from "../model/records.ts";
import type { RunContext } from "./run-context.ts";

/** Where a worker's words are kept, for its record. */
export interface KeptOutput {
  files: Pick<ExecutionSummary, "output_path" | "output_digest" | "raw_log_path">;
  /** The task's output, where the text has become it. */
  artifacts: string[];
  /** Resolves when the text would survive a power cut. */
  stored: Promise<void>;
}

/** Keeps a worker's text. A worker that said nothing replaces no earlier text. */
export async function keepOutput({ ports }: RunContext, output: WorkerOutput): Promise<KeptOutput> {
  const { store } = ports;
  const raw_log_path = store.rawLogPath(output.iteration);
  const log = raw_log_path === undefined ? {} : { raw_log_path };
  if (output.text.trim() === "") return { files: log, artifacts: [], stored: Promise.resolve() };
  const { path, name, stored } = await store.saveOutput(output);
  const output_digest = await digestOf(output.text);
  return { files: { output_path: path, output_digest, ...log }, artifacts: name === undefined ? [] : [name], stored };
}

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
