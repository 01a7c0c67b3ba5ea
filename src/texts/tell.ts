import type { Language } from "../model/language.ts";
import type { MessageParams } from "../model/message.ts";
import { filledIn, type MessageTexts, type Tell } from "./message-texts.ts";
import { agentsMessages } from "./messages/agents.ts";
import { branchesMessages } from "./messages/branches.ts";
import { configurationMessages } from "./messages/configuration.ts";
import { executionMessages } from "./messages/execution.ts";
import { fleetMessages } from "./messages/fleet.ts";
import { flowMessages } from "./messages/flow.ts";
import { policyMessages } from "./messages/policy.ts";
import { reviewMessages } from "./messages/review.ts";
import { storesMessages } from "./messages/stores.ts";
import { systemMessages } from "./messages/system.ts";
import { trackersMessages } from "./messages/trackers.ts";

const messages: MessageTexts<MessageParams> = {
  ...agentsMessages,
  ...configurationMessages,
  ...executionMessages,
  ...reviewMessages,
  ...flowMessages,
  ...policyMessages,
  ...fleetMessages,
  ...storesMessages,
  ...systemMessages,
  ...trackersMessages,
  ...branchesMessages,
};

/** Says statements in one language. Quoted words stay as they are; a code of a later version is shown with its values. */
export function teller(language: Language): Tell {
  const tell: Tell = (statement) => {
    if (typeof statement === "string") return statement;
    if (!("code" in statement)) return (statement as Record<Language, string>)[language]; // a record of the version before
    const { code, params } = statement;
    if (!Object.hasOwn(messages, code)) return `${code} ${JSON.stringify(params)}`;
    const text = messages[code];
    return filledIn(typeof text === "function" ? text : text[language], params, tell);
  };
  return tell;
}
