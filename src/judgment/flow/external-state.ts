import type { CompletionConfig, ResourceType } from "../../model/flow/agent-file.ts";
import type { Words } from "../../model/statement.ts";

const DEFAULT_TARGETS: Readonly<Record<ResourceType, string>> = {
  issue: "CLOSED",
  pr: "MERGED",
  file: "EXISTS",
  command: "PASSED",
};

/** The state that is waited for. A pull request that was closed without a merge is not what anybody waits for by default. */
function targetState({
  resourceType = "issue",
  targetState = DEFAULT_TARGETS[resourceType],
}: CompletionConfig): string {
  return targetState;
}

/** Whether the state that was read is the one waited for; case does not matter. A merged pull request is also closed. */
export function stateReached(
  config: CompletionConfig,
  state: string | undefined,
): { complete: boolean; reason: Words } {
  const target = targetState(config);
  const kind = config.resourceType ?? "issue";
  const [en, ja] = [`the ${kind} is`, `${JAPANESE[kind]} の状態は`];
  if (state === undefined)
    return { complete: false, reason: { en: `${en} in a state that nobody read`, ja: `${ja}読み取られていません` } };
  const [is, wanted] = [normal(state), normal(target)];
  if (is === wanted || (is === "merged" && wanted === "closed"))
    return { complete: true, reason: { en: `${en} ${state}`, ja: `${ja} ${state} です` } };
  return {
    complete: false,
    reason: { en: `${en} ${state}, not ${target}`, ja: `${ja} ${state} で、${target} ではありません` },
  };
}

/** Whether what our own boundary hook will do brings the state that is waited for. It has not been done yet, and may fail. */
export function stateToCome(config: CompletionConfig, state = ""): { complete: boolean; reason: Words } {
  const target = targetState(config);
  if (normal(state) === normal(target)) return { complete: true, reason: LEFT_TO_HOOK };
  const reason = {
    en: `the boundary hook makes the issue ${state}, not ${target}`,
    ja: `境界フックはイシューを ${state} にしますが、${target} にはしません`,
  };
  return { complete: false, reason };
}

const LEFT_TO_HOOK: Words = {
  en: "the work is done; closing the issue is left to the boundary hook",
  ja: "作業は終わりました。イシューは境界フックが閉じます",
};

const JAPANESE: Readonly<Record<ResourceType, string>> = {
  issue: "イシュー",
  pr: "プルリクエスト",
  file: "ファイル",
  command: "コマンド",
};

const SAME: Readonly<Record<string, string>> = {
  success: "passed",
  failure: "failed",
  present: "exists",
  absent: "missing",
};

function normal(state: string): string {
  const plain = state.trim().toLowerCase();
  return SAME[plain] ?? plain;
}
