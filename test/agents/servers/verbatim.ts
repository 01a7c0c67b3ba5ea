import type { Dialect } from "../../../src/connection/agents/scripted/model/dialects.ts";

/** A fault whose message is JSON is sent as it stands: what a vendor says of a used-up limit has a form of its own. */
export function orVerbatim(worded: Dialect["error"]): Dialect["error"] {
  return (type, message) => (message.startsWith("{") ? (JSON.parse(message) as object) : worded(type, message));
}
