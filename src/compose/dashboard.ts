import { ownKey } from "../connection/own-key.ts";
import type { Redact } from "../model/redaction.ts";
import { redactionOf } from "./store.ts";

/** Takes the secrets of several projects out of texts. */
export function redactionOfAll(projects: readonly string[]): Redact {
  const redactions = projects.map(redactionOf);
  return (text) => redactions.reduce((rest, redact) => redact(rest), text);
}

/** Signs the cookies of the dashboard's readers, so that a page that is open survives a restart of its server. */
export function dashboardKey(): Promise<Uint8Array> {
  return ownKey("dashboard-key");
}
