import type { AgentMessages } from "./messages/agents.ts";
import type { BranchMessages } from "./messages/branches.ts";
import type { ConfigurationMessages } from "./messages/configuration.ts";
import type { ExecutionMessages } from "./messages/execution.ts";
import type { FleetMessages } from "./messages/fleet.ts";
import type { FlowMessages } from "./messages/flow.ts";
import type { PolicyMessages } from "./messages/policy.ts";
import type { ReviewMessages } from "./messages/review.ts";
import type { StoreMessages } from "./messages/stores.ts";
import type { SystemMessages } from "./messages/system.ts";
import type { TrackerMessages } from "./messages/trackers.ts";

/** Every message, by code, with the values it is about. Its sentences stand in `src/texts/messages`, one file an area as here. */
export interface MessageParams
  extends AgentMessages,
    BranchMessages,
    ConfigurationMessages,
    ExecutionMessages,
    FleetMessages,
    FlowMessages,
    PolicyMessages,
    ReviewMessages,
    StoreMessages,
    SystemMessages,
    TrackerMessages {}

export type MessageCode = keyof MessageParams;

/** A fact for people: records, events and errors carry these, and each surface makes sentences of them in its reader's language. */
export type Message = { [C in MessageCode]: { code: C; params: MessageParams[C] } }[MessageCode];

/** A message of ours, or the words of another program, quoted unchanged. */
export type Statement = string | Message;

export function message<C extends MessageCode>(code: C, params: MessageParams[C]): Message {
  return { code, params } as Message;
}

/** A statement as a message: other programs' words are wrapped. */
export function asMessage(statement: Statement): Message {
  return typeof statement === "object" ? statement : message("quoted_words", { words: statement });
}

/** Several statements, one after the other. */
export function listed(items: readonly Statement[], separator = "; "): Statement {
  const [first, ...others] = items;
  if (first === undefined) return "";
  return others.length === 0 ? first : message("list", { items, separator });
}
