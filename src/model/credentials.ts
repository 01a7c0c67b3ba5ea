import { z } from "zod";
import type { ValueForm } from "./messages/configuration.ts";

/** Logins that `pass_credentials` can name as a whole: those of two programs, git's helpers, and the ssh agent. */
const CREDENTIAL_GROUPS = ["gh", "glab", "git", "ssh"] as const;
export type CredentialGroup = (typeof CREDENTIAL_GROUPS)[number];

/** A group, `all`, or a variable of the environment. */
export const CredentialName = z
  .string()
  .trim()
  .refine((name) => isGroup(name) || /^[A-Z_][A-Z0-9_]*$/.test(name), "credential_name" satisfies ValueForm);

function isGroup(name: string): boolean {
  return name === "all" || CREDENTIAL_GROUPS.some((group) => group === name);
}
