import type { FlowMessages } from "../../model/messages/flow.ts";
import type { MessageTexts } from "../message-texts.ts";
import { flowConditionMessages } from "./flow-conditions.ts";
import { flowStepMessages } from "./flow-steps.ts";

const RESOURCES = { issue: "イシュー", pr: "プルリクエスト", file: "ファイル", command: "コマンド" } as const;

export const flowMessages: MessageTexts<FlowMessages> = {
  ...flowStepMessages,
  ...flowConditionMessages,
  quoted_words: ({ words }, tell) => tell(words),

  closing_given: { en: "a closure step gave the closing signal", ja: "クロージャーのステップが closing を返しました" },
  closing_not_given: { en: "no closing signal yet", ja: "closing はまだ返されていません" },
  iterations_done: {
    en: (done) => `${isUsedUp(done) ? "the iteration budget is used up: " : ""}${ofLimit(done)} iterations done`,
    ja: (done) =>
      `${isUsedUp(done) ? "イテレーションの予算を使い切りました。" : ""}イテレーション${ofLimitInJapanese(done)}`,
  },
  completion_checks_done: {
    en: (done) => `${isUsedUp(done) ? "the check budget is used up: " : ""}${ofLimit(done)} checks done`,
    ja: (done) => `${isUsedUp(done) ? "完了の確認の予算を使い切りました。" : ""}完了の確認${ofLimitInJapanese(done)}`,
  },
  keyword_said: {
    en: ({ keyword }) => `the text contains ${keyword}`,
    ja: ({ keyword }) => `応答に ${keyword} があります`,
  },
  keyword_not_said: {
    en: ({ keyword }) => `the text does not contain ${keyword}`,
    ja: ({ keyword }) => `応答に ${keyword} がありません`,
  },
  signal_given: {
    en: ({ signal }) => `the output carries the signal ${signal} with its required fields`,
    ja: ({ signal }) => `出力に必須の項目を備えたシグナル ${signal} があります`,
  },
  signal_not_given: {
    en: ({ signal }) => `the output does not carry the signal ${signal} with its required fields`,
    ja: ({ signal }) => `出力に必須の項目を備えたシグナル ${signal} がありません`,
  },
  handler_says_complete: { en: "the handler says that it is complete", ja: "ハンドラーが完了と判断しました" },
  handler_says_incomplete: { en: "the handler says that it is not complete", ja: "ハンドラーが未完了と判断しました" },
  flow_criteria_met: { en: "every criterion is met", ja: "すべての完了条件を満たしています" },
  flow_criteria_unmet: { en: "not every criterion is met", ja: "満たしていない完了条件があります" },
  completion_empty: { en: "there are no conditions", ja: "完了条件がありません" },
  state_unread: {
    en: ({ resource }) => `the state of the ${resource} was not read`,
    ja: ({ resource }) => `${RESOURCES[resource]} の状態は読み取られていません`,
  },
  state_reached: {
    en: ({ state, ...which }) => `${named(which)} is ${state}`,
    ja: ({ state, ...which }) => `${namedInJapanese(which)} の状態は ${state} です`,
  },
  state_not_reached: {
    en: ({ state, target, ...which }) => `${named(which)} is ${state}, not ${target}`,
    ja: ({ state, target, ...which }) => `${namedInJapanese(which)} の状態は ${state} で、${target} ではありません`,
  },
  closing_left_to_hook: {
    en: "the work is done; closing the issue is left to the boundary hook",
    ja: "作業は終わりました。イシューは境界フックが閉じます",
  },
  hook_reaches_other_state: {
    en: ({ state, target }) => `the boundary hook makes the issue ${state}, not ${target}`,
    ja: ({ state, target }) => `境界フックはイシューを ${state} にしますが、${target} にはしません`,
  },

  issue_label_effect: {
    en: ({ issue, ...change }) => `issue ${issue}: labels ${signed(change)}`,
    ja: ({ issue, ...change }) => `イシュー ${issue}：ラベルの付け替え ${signed(change)}`,
  },
  release_effect: { en: ({ tag }) => `release ${tag}: publish`, ja: ({ tag }) => `リリース ${tag}：公開` },
  tag_missing: {
    en: "the release that this agent publishes needs a tag: a parameter named tag or version",
    ja: "このエージェントが公開するリリースにはタグが必要です（パラメーター tag か version）",
  },
  issue_close_effect: { en: ({ issue }) => `issue ${issue}: close`, ja: ({ issue }) => `イシュー ${issue}：クローズ` },
  issue_still_open: {
    en: ({ state }) => `it is ${state} after it was closed`,
    ja: ({ state }) => `閉じましたが、状態は ${state} のままです`,
  },
};

interface Resource {
  resource: keyof typeof RESOURCES;
  name?: string;
}

function named({ resource, name }: Resource): string {
  return name ? `the ${resource} ${name}` : `the ${resource}`;
}

function namedInJapanese({ resource, name }: Resource): string {
  return name ? `${RESOURCES[resource]} ${name}` : RESOURCES[resource];
}

interface Done {
  count: number;
  limit: number | null;
}

function isUsedUp({ count, limit }: Done): boolean {
  return limit !== null && count >= limit;
}

function ofLimit({ count, limit }: Done): string {
  return limit === null ? String(count) : `${count} of ${limit}`;
}

function ofLimitInJapanese({ count, limit }: Done): string {
  return limit === null ? `を ${count} 回終えました` : ` ${limit} 回のうち ${count} 回を終えました`;
}

function signed({ add, remove }: { add: readonly string[]; remove: readonly string[] }): string {
  return [...add.map((label) => `+${label}`), ...remove.map((label) => `-${label}`)].join(" ");
}
