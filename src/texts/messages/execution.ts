import type { ExecutionMessages } from "../../model/messages/execution.ts";
import type { MessageTexts } from "../message-texts.ts";

export const executionMessages: MessageTexts<ExecutionMessages> = {};
