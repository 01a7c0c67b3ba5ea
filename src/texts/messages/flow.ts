import type { FlowMessages } from "../../model/messages/flow.ts";
import type { MessageTexts } from "../message-texts.ts";

export const flowMessages: MessageTexts<FlowMessages> = {};
