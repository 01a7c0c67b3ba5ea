import type { ExecutionMessages } from "../../model/messages/execution.ts";
import { counted, type MessageTexts } from "../message-texts.ts";

export const executionMessages: MessageTexts<ExecutionMessages> = {
  files_unchanged: {
    en: ({ count }) =>
      count === 1
        ? "the file is as it was when the task began"
        : `all ${count} files are as they were when the task began`,
    ja: ({ count }) => `${count} 件のファイルはすべてタスク開始時のままです`,
  },
  files_changed: {
    en: ({ count }) =>
      `${count === 1 ? "1 file is not as it was" : `${count} files are not as they were`} when the task began (M changed, A added, D deleted); put back what was there`,
    ja: ({ count }) => `${count} 件のファイルがタスク開始時と異なります（M 変更、A 追加、D 削除）。元に戻してください`,
  },
  checks_passed: {
    en: ({ count }) => (count === 1 ? "The check passed." : `All ${count} checks passed.`),
    ja: ({ count }) => (count === 1 ? "チェックは成功しました。" : `${count} 件のチェックがすべて成功しました。`),
  },
  checks_failed: {
    en: ({ failed, count }) => (count === 1 ? "The check failed." : `${failed} of ${count} checks failed.`),
    ja: ({ failed, count }) =>
      count === 1 ? "チェックは失敗しました。" : `${count} 件中 ${failed} 件のチェックが失敗しました。`,
  },
  criterion_not_evaluated: {
    en: "The judge did not evaluate this criterion, so it counts as not met.",
    ja: "この条件は評価されなかったため、未達とみなします。",
  },
  criterion_without_evidence: {
    en: "Called met without any evidence, so it counts as not met.",
    ja: "根拠なしに達成とされたため、未達とみなします。",
  },
  criterion_contradicted: {
    en: "The evaluations of this criterion contradict each other, so it counts as not met.",
    ja: "この条件の評価が互いに矛盾しているため、未達とみなします。",
  },
  judge_failed: {
    en: ({ problem }, tell) => `The judge gave no usable answer: ${tell(problem)}.`,
    ja: ({ problem }, tell) => `判定エージェントから使える回答が得られませんでした: ${tell(problem)}`,
  },
  judge_withheld: {
    en: "Every criterion was called met, but the judge's answer as a whole contradicts that.",
    ja: "すべての条件が達成とされましたが、判定全体がそれと矛盾しています。",
  },
  agent_failed: {
    en: ({ code, problem }, tell) => `The agent did not finish (${code}): ${tell(problem)}`,
    ja: ({ code, problem }, tell) => `エージェントが最後まで実行できませんでした（${code}）: ${tell(problem)}`,
  },
  agent_said_nothing: {
    en: "The agent ended without saying anything.",
    ja: "エージェントは何も報告せずに終了しました。",
  },
  answer_missing: { en: "no answer", ja: "回答なし" },
  reason_too_long: {
    en: ({ tokens, limit }) => `\`reason\` is about ${tokens} tokens long; at most ${limit} are allowed`,
    ja: ({ tokens, limit }) => `\`reason\` が約 ${tokens} トークンあります（上限は ${limit} トークン）`,
  },
  answer_unstructured: { en: "there was no structured answer", ja: "構造化された回答がありませんでした" },
  time_budget_used: { en: "the run's time budget was used up", ja: "実行の時間の予算を使い切りました" },
  intake_criteria_count: {
    en: ({ found, expected }) => `criteria has ${counted(found, "text")} instead of ${expected}`,
    ja: ({ found, expected }) => `criteria は ${expected} 件のはずが ${found} 件です`,
  },
  intake_question_missing: {
    en: "clarification is needed but no question is asked",
    ja: "確認が必要とされていますが、質問がありません",
  },
  judge_skipped: {
    en: ({ id }) => `criterion ${id} has no evaluation`,
    ja: ({ id }) => `条件 ${id} の評価がありません`,
  },
  judge_contradicted: {
    en: ({ id }) => `the evaluations of criterion ${id} contradict each other`,
    ja: ({ id }) => `条件 ${id} の評価が互いに矛盾しています`,
  },
  judge_unfounded: {
    en: ({ id }) => `criterion ${id} is called met without evidence`,
    ja: ({ id }) => `条件 ${id} が根拠なしに達成とされています`,
  },
  judge_inconsistent: {
    en: ({ is_complete }) => `is_complete is ${is_complete}, which contradicts the evaluations and check results`,
    ja: ({ is_complete }) => `is_complete が ${is_complete} で、評価やチェックの結果と矛盾しています`,
  },
};
