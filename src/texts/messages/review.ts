import type { Language } from "../../model/language.ts";
import type { ReviewMessages } from "../../model/messages/review.ts";
import type { FindingKind } from "../../model/roles.ts";
import type { MessageTexts } from "../message-texts.ts";

/** What each kind of finding says about the quoted place. */
export const findingKinds: Record<Language, Record<FindingKind, string>> = {
  en: {
    special_case: "treats inputs of the tests as special cases",
    weakened_test: "weakens, skips or removes a test",
    disabled_check: "disables a check",
    not_computed: "gives a result that is not computed",
    unasked_deletion: "deletes what the task does not ask to delete",
  },
  ja: {
    special_case: "テストの入力だけを特別扱いしています",
    weakened_test: "テストを弱めたり、飛ばしたり、消したりしています",
    disabled_check: "チェックを無効にしています",
    not_computed: "計算していない結果を返しています",
    unasked_deletion: "タスクが求めていないものを削除しています",
  },
};

export const reviewMessages: MessageTexts<ReviewMessages> = {
  review_off: { en: "none: it was turned off", ja: "なし：行わない設定です" },
  review_without_model: { en: "none: the run has no model for it", ja: "なし：レビューに使うモデルがありません" },
  review_without_snapshot: {
    en: "none: the work could not be kept as a commit, so no diff could be shown",
    ja: "なし：作業をコミットとして保存できず、差分を示せませんでした",
  },
  review_nothing_changed: { en: "none: no file has changed", ja: "なし：変更されたファイルがありません" },
  review_not_reached: {
    en: "none: the claim was refuted before",
    ja: "なし：その前に完了の主張が成り立たないとわかりました",
  },
  review_finding: {
    en: ({ kind, file, line, quote, explanation }) =>
      sentence(`${file}:${line} ${findingKinds.en[kind] ?? kind}: \`${quote}\`.`, explanation),
    ja: ({ kind, file, line, quote, explanation }) =>
      sentence(`${file}:${line} は${findingKinds.ja[kind] ?? kind}：\`${quote}\`。`, explanation),
  },
  review_unmet: {
    en: ({ id, criterion, explanation }) =>
      sentence(`Criterion ${id} is not met in the files (${criterion}).`, explanation),
    ja: ({ id, criterion, explanation }) =>
      sentence(`完了条件 ${id} はファイルの上では未達です（${criterion}）。`, explanation),
  },
  review_unquoted: {
    en: ({ id, criterion }) => `Criterion ${id} has no line in the files that shows it (${criterion}).`,
    ja: ({ id, criterion }) => `完了条件 ${id} を示す行がファイルにありません（${criterion}）。`,
  },
  review_wants_file: {
    en: "No file has changed, and a report is not shown to the reviewer. Write the result that a criterion asks for to a file of the project.",
    ja: "変更されたファイルがなく、報告はレビューエージェントに見せません。完了条件が求める結果をプロジェクトのファイルに書いてください。",
  },
  review_text_unread: {
    en: ({ ids }) => `The task asks for a text (criterion ${ids}): the judges have read it, and no reviewer has.`,
    ja: ({ ids }) =>
      `タスクは文章を求めています（完了条件 ${ids}）。それを読んだのは判定エージェントだけで、レビューエージェントは読んでいません。`,
  },
  review_undemanded: {
    en: ({ file, explanation }) =>
      sentence(`The checks rest on ${file}, and the task does not demand that it changes. Put it back.`, explanation),
    ja: ({ file, explanation }) =>
      sentence(
        `チェックは ${file} を拠り所としていますが、タスクはその変更を求めていません。元に戻してください。`,
        explanation,
      ),
  },
  review_stamp: {
    en: ({ files, explanation }) =>
      sentence(`The checks pass only with files that are not built from the sources: ${files}.`, explanation),
    ja: ({ files, explanation }) =>
      sentence(`チェックは、ソースからビルドされていないファイルがあるときだけ成功します：${files}。`, explanation),
  },
  review_unusable: {
    en: ({ model, problem }, tell) => `The reviewer (${model}) gave no usable answer: ${tell(problem)}.`,
    ja: ({ model, problem }, tell) => `レビューエージェント（${model}）から使える回答がありません：${tell(problem)}。`,
  },
  review_criterion_skipped: {
    en: ({ id }) => `criterion ${id} is missing in criteria`,
    ja: ({ id }) => `完了条件 ${id} が criteria にありません`,
  },
  review_criterion_contradicted: {
    en: ({ id }) => `criterion ${id} is both met and not met`,
    ja: ({ id }) => `完了条件 ${id} が達成とも未達ともされています`,
  },
  review_file_skipped: {
    en: ({ file }) => `the protected file ${file} is missing in protected_files`,
    ja: ({ file }) => `保護されたファイル ${file} が protected_files にありません`,
  },
  review_file_contradicted: {
    en: ({ file }) => `the change of ${file} is both demanded and not demanded`,
    ja: ({ file }) => `${file} の変更が、求められているとも、いないともされています`,
  },
  review_ignored_skipped: { en: "ignored_files is missing", ja: "ignored_files がありません" },
  review_quote_missing: {
    en: ({ file, line, quote }) => `these words do not stand in ${file || "any file"} at line ${line}: ${quote}`,
    ja: ({ file, line, quote }) => `この引用は ${file || "どのファイル"} の ${line} 行目にありません：${quote}`,
  },
  review_demand_missing: {
    en: ({ file, demand }) => `the user has not written this demand for a change of ${file}: ${demand}`,
    ja: ({ file, demand }) => `${file} の変更を求めるこの言葉を、ユーザーは書いていません：${demand}`,
  },
};

function sentence(...parts: string[]): string {
  return parts.filter(Boolean).join(" ");
}
