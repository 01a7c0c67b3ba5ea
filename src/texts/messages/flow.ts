import type { FlowMessages } from "../../model/messages/flow.ts";
import type { MessageTexts } from "../message-texts.ts";

export const flowMessages: MessageTexts<FlowMessages> = {
  issue_label_effect: {
    en: ({ issue, ...change }) => `issue ${issue}: labels ${signed(change)}`,
    ja: ({ issue, ...change }) => `イシュー ${issue}: ラベルの付け替え ${signed(change)}`,
  },
  issue_close_effect: {
    en: ({ issue }) => `issue ${issue}: close`,
    ja: ({ issue }) => `イシュー ${issue}: クローズ`,
  },
  issue_still_open: {
    en: ({ state }) => `it is ${state} after it was closed`,
    ja: ({ state }) => `閉じましたが、状態は ${state} のままです`,
  },
};

function signed({ add, remove }: { add: readonly string[]; remove: readonly string[] }): string {
  return [...add.map((label) => `+${label}`), ...remove.map((label) => `-${label}`)].join(" ");
}
