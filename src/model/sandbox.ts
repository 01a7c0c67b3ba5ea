import { z } from "zod";
import { MessageRecord } from "./message-record.ts";
import type { ValueForm } from "./messages/configuration.ts";

/** How far worker and checks are kept apart from the rest of the machine. */
export const SandboxLevel = z.enum(["contain", "strict", "off"]);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

/** A host that a sandbox may reach: `registry.npmjs.org`, `*.npmjs.org`, `localhost:5432`. This machine needs a port. */
export const HostPattern = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    (text) =>
      /^(?:\*\.)?[a-z0-9_*-]+(?:\.[a-z0-9_*-]+)*(?::\d{1,5})?$/.test(text) &&
      !/^(?:localhost|127\.0\.0\.1)$/.test(text),
    "host_pattern" satisfies ValueForm,
  );

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
