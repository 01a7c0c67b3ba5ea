import { z } from "zod";
import { MessageRecord } from "./message-record.ts";

/** How far worker and checks are kept apart from the rest of the machine. */
export const SandboxLevel = z.enum(["contain", "off"]);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

/** What holds their process spaces. */
export const SandboxAdapter = z.enum(["bubblewrap", "namespaces", "none"]);
export type SandboxAdapter = z.infer<typeof SandboxAdapter>;

/** Where the worker and the checks of a run ran. */
export const SandboxUse = z.object({
  /** What was asked for. */
  level: SandboxLevel,
  /** What there was. */
  adapter: SandboxAdapter,
  /** Why a run that asked for more has `none`. */
  problem: MessageRecord.optional(),
});
export type SandboxUse = z.infer<typeof SandboxUse>;
