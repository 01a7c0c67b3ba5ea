import type { SystemMessages } from "../../model/messages/system.ts";
import type { MessageTexts } from "../message-texts.ts";

export const systemMessages: MessageTexts<SystemMessages> = {
  list: {
    en: ({ items, separator }, tell) => items.map(tell).join(separator),
    ja: ({ items, separator }, tell) => items.map(tell).join(separator),
  },
  is_directory: { en: () => "it is a directory", ja: () => "ディレクトリです" },
  no_permission: { en: () => "no permission", ja: () => "権限がありません" },
  directory_missing: {
    en: ({ path }) => `the directory ${path} does not exist`,
    ja: ({ path }) => `ディレクトリ ${path} がありません`,
  },
  schema_issue: { en: ({ en }) => en, ja: ({ ja }) => ja },
};
