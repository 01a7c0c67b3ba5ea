import type { ConfigurationMessages } from "../../model/messages/configuration.ts";
import type { MessageTexts } from "../message-texts.ts";

export const configurationMessages: MessageTexts<ConfigurationMessages> = {};
