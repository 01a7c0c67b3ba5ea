import type { PolicyMessages } from "../../model/messages/policy.ts";
import type { MessageTexts } from "../message-texts.ts";

export const policyMessages: MessageTexts<PolicyMessages> = {};
