import { z } from "zod";
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
  schema_issue: {
    en: ({ message, ...issue }) => message ?? schemaWords.en(issue),
    ja: ({ message, ...issue }) => `${schemaWords.ja(issue)}${message === undefined ? "" : `（${message}）`}`,
  },
};

const schemaWords = { en: localized(z.locales.en()), ja: localized(z.locales.ja()) };

function localized({ localeError }: ReturnType<typeof z.locales.en>): (issue: object) => string {
  return (issue) => {
    const words = localeError(issue as z.core.$ZodRawIssue);
    return (typeof words === "string" ? words : words?.message) ?? "";
  };
}
