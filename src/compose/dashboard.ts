import { ownKey } from "../connection/own-key.ts";

/** Signs the cookies of the dashboard's readers, so that a page that is open survives a restart of its server. */
export function dashboardKey(): Promise<Uint8Array> {
  return ownKey("dashboard-key");
}
