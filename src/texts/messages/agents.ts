import type { AgentMessages } from "../../model/messages/agents.ts";
import type { MessageTexts } from "../message-texts.ts";

export const agentsMessages: MessageTexts<AgentMessages> = {};
