import type { StoreMessages } from "../../model/messages/stores.ts";
import type { MessageTexts } from "../message-texts.ts";

export const storesMessages: MessageTexts<StoreMessages> = {};
