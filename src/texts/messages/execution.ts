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
  fewer_tests: {
    en: ({ before, now }) =>
      `it passes, but ran ${now} tests, and ${before} before the work; the tests of the start must run and pass`,
    ja: ({ before, now }) =>
      `成功しましたが、実行されたテストは ${now} 件で、作業の前は ${before} 件でした。開始時のテストがすべて実行され、成功する必要があります`,
  },
  failures_reported: {
    en: "it exits with 0, but its last summary says that tests have failed; the exit code must be that of the tests",
    ja: "終了コードは 0 ですが、最後の集計ではテストが失敗しています。終了コードはテストの結果と一致する必要があります",
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
    ja: "この完了条件は評価されなかったため、未達とみなします。",
  },
  criterion_without_evidence: {
    en: "Called met without any evidence, so it counts as not met.",
    ja: "根拠なしに達成とされたため、未達とみなします。",
  },
  criterion_contradicted: {
    en: "The evaluations of this criterion contradict each other, so it counts as not met.",
    ja: "この完了条件の評価が互いに矛盾しているため、未達とみなします。",
  },
  judge_failed: {
    en: ({ problem }, tell) => `The judge gave no usable answer: ${tell(problem)}.`,
    ja: ({ problem }, tell) => `判定エージェントから使える回答が得られませんでした：${tell(problem)}`,
  },
  judge_withheld: {
    en: "Every criterion was called met, but the judge's answer as a whole contradicts that.",
    ja: "すべての完了条件が達成とされましたが、判定全体がそれと矛盾しています。",
  },
  judges_split: {
    en: ({ met, unmet }) =>
      `The judges disagree, so it counts as not met. Met, say: ${met.join(", ")}. Not met, say: ${unmet.join(", ")}.`,
    ja: ({ met, unmet }) =>
      `判定が分かれたため、未達とみなします。達成とした判定エージェント：${met.join("、")}。未達とした判定エージェント：${unmet.join("、")}。`,
  },
  judges_not_asked: {
    en: ({ models }) => `All judges must agree, so these were not asked any more: ${models.join(", ")}.`,
    ja: ({ models }) =>
      `すべての判定エージェントの一致が必要なため、次の判定エージェントには尋ねませんでした：${models.join("、")}。`,
  },
  not_judged_again: {
    en: ({ iteration }) =>
      `Nothing has changed that could be judged since iteration ${iteration}, so the judge was not asked again: its word of then stands. Another report alone changes nothing.`,
    ja: ({ iteration }) =>
      `イテレーション ${iteration} から判定できる変化がないため、判定エージェントには尋ねず、その判定のままとします。報告だけを書き直しても変わりません。`,
  },
  agent_failed: {
    en: ({ code, problem }, tell) => `The agent did not finish (${code}): ${tell(problem)}`,
    ja: ({ code, problem }, tell) => `エージェントが最後まで実行できませんでした（${code}）：${tell(problem)}`,
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
  deadline_passed: { en: "the run's deadline has passed", ja: "実行の期限を過ぎました" },
  time_budget_used: { en: "the run's time budget was used up", ja: "実行の時間の予算を使い切りました" },
  intake_criteria_count: {
    en: ({ found, expected }) => `criteria has ${counted(found, "text")} instead of ${expected}`,
    ja: ({ found, expected }) => `criteria は ${expected} 件のはずが ${found} 件です`,
  },
  intake_criteria_order: { en: "criteria is in another order", ja: "criteria の順序が異なります" },
  intake_question_missing: {
    en: "clarification is needed but no question is asked",
    ja: "確認が必要とされていますが、質問がありません",
  },
  judge_skipped: {
    en: ({ id }) => `criterion ${id} has no evaluation`,
    ja: ({ id }) => `完了条件 ${id} の評価がありません`,
  },
  judge_contradicted: {
    en: ({ id }) => `the evaluations of criterion ${id} contradict each other`,
    ja: ({ id }) => `完了条件 ${id} の評価が互いに矛盾しています`,
  },
  judge_unfounded: {
    en: ({ id }) => `criterion ${id} is called met without evidence`,
    ja: ({ id }) => `完了条件 ${id} が根拠なしに達成とされています`,
  },
  proof_in_place_asked: {
    en: "The proof was made in the workspace, as you asked.",
    ja: "指定どおり、作業場所で証明しました。",
  },
  proof_about_workspace: {
    en: "All conditions ask about the workspace or the tracker, so they were asked again there.",
    ja: "条件はすべて作業場所またはトラッカーについてのものなので、その場でもう一度確かめました。",
  },
  proof_judged_unmet: {
    en: "A second judge, who had not seen the first judgment, does not find every criterion met.",
    ja: "最初の判定を見ていない別の判定エージェントは、すべての完了条件が達成されたとは認めませんでした。",
  },
  proof_without_snapshot: {
    en: "the files of the work could not be kept as a commit",
    ja: "作業のファイルをコミットとして保存できませんでした",
  },
  room_missing: {
    en: ({ problem }, tell) => `There was no clean checkout: ${tell(problem)}. The proof was made in the workspace.`,
    ja: ({ problem }, tell) => `クリーンなチェックアウトを作れませんでした：${tell(problem)}。作業場所で証明しました。`,
  },
  hidden_check_not_run: {
    en: ({ problem }, tell) =>
      `was not run: a hidden check needs a clean checkout, and there was none: ${tell(problem)}. With --proof in-place it runs in the workspace, where the work could write down what it sees of the check.`,
    ja: ({ problem }, tell) =>
      `実行されませんでした。隠しチェックにはクリーンなチェックアウトが必要ですが、作れませんでした：${tell(problem)}。--proof in-place を指定すると作業場所で実行されますが、作業の成果物がチェックの内容を書き残せるようになります。`,
  },
  snapshot_left_out: {
    en: ({ count, files }) =>
      `${counted(count, "file")} of the project ${count === 1 ? "is" : "are"} too many or too large to be kept in a snapshot (${files}${count > 5 ? " …" : ""}): diff, rollback and protection do not see them.`,
    ja: ({ count, files }) =>
      `プロジェクトの ${count} ファイルは、数または大きさのためスナップショットに入りません（${files}${count > 5 ? " …" : ""}）。差分、巻き戻し、保護の対象になりません。`,
  },
  snapshot_unreadable: {
    en: ({ count, files }) =>
      `${counted(count, "file")} of the project cannot be read, so no snapshot has ${count === 1 ? "it" : "them"} (${files}${count > 5 ? " …" : ""}): diff, rollback and protection do not see ${count === 1 ? "it" : "them"}.`,
    ja: ({ count, files }) =>
      `プロジェクトの ${count} ファイルは読む権限がないため、スナップショットに入りません（${files}${count > 5 ? " …" : ""}）。差分、巻き戻し、保護の対象になりません。`,
  },
  proof_not_clean: {
    en: ({ problem }, tell) =>
      `A proof in a clean checkout was asked for, and none could be made${problem ? `: ${tell(problem)}` : ""}.`,
    ja: ({ problem }, tell) =>
      `クリーンなチェックアウトでの確認が指定されましたが、作れませんでした${problem ? `：${tell(problem)}` : ""}。`,
  },
  proof_checks_failed: {
    en: ({ count }) =>
      `${count === 1 ? "A check fails" : `${count} checks fail`} when the claim is proved: in a clean checkout, in reverse order.`,
    ja: ({ count }) => `完了の主張を確かめると、クリーンなチェックアウトで ${count} 件のチェックが失敗しました。`,
  },
  proof_rests_on: {
    en: ({ files }) =>
      `The checks pass only with files that git ignores and that were made since the start: ${files}. A check that needs a build should make it.`,
    ja: ({ files }) =>
      `チェックは、開始後に作られ git が無視するファイルがあるときだけ成功します：${files}。ビルドが必要なチェックは自分でビルドしてください。`,
  },
  unproved_as_asked: {
    en: "none was asked for; the verdict was reached in the workspace",
    ja: "指定がないため、作業場所での判定だけで完了としました",
  },
  unproved_already_true: {
    en: "none is needed; every check passed before any work",
    ja: "不要です。作業の前からすべてのチェックが成功していました",
  },
  unproved_claim: {
    en: "none; a signal, a count or a state outside the project completed the flow, which says nothing about the files",
    ja: "ありません。フローは合図、回数、またはプロジェクト外の状態で完了し、ファイルについては何も示しません",
  },
  unproved_open: {
    en: "none; the run ended before anything was proved",
    ja: "ありません。何も証明されないうちに実行が終わりました",
  },
  work_not_kept: {
    en: ({ problem }, tell) =>
      `The files were kept as a commit at the start and cannot be kept now, so the work cannot be compared with its start: ${tell(problem)}. Put right what keeps git from reading the project.`,
    ja: ({ problem }, tell) =>
      `開始時にはファイルをコミットとして保存できましたが、今はできず、作業を開始時と比べられません：${tell(problem)}。git がプロジェクトを読めない原因を取り除いてください。`,
  },
  start_lost: {
    en: "The snapshot of the start is gone from the repository, so the work cannot be compared with it.",
    ja: "開始時のスナップショットがリポジトリから失われ、作業と比べられません。",
  },
  setup_broken: {
    en: ({ problem, files }, tell) =>
      `The clean checkout cannot be prepared, and the work has changed what that rests on (${files}): ${tell(problem)}`,
    ja: ({ problem, files }, tell) =>
      `クリーンな作業場所を準備できず、準備の拠り所となるファイルを作業が変更しています（${files}）：${tell(problem)}`,
  },
  links_out: {
    en: ({ files }) =>
      `Links lead to files outside the project that were written during the work: ${files}. The work must lie in the project itself.`,
    ja: ({ files }) =>
      `リンクが、作業中に書かれたプロジェクト外のファイルを指しています：${files}。成果はプロジェクトの中になければなりません。`,
  },
  toolchain_changed: {
    en: ({ files }) =>
      `What checks and judges find outside the project is not as it was at the start: ${files}. Put it back: their word counts only with the programs and settings of the start.`,
    ja: ({ files }) =>
      `チェックや判定がプロジェクトの外で使うものが開始時と異なります：${files}。元に戻してください。その結果は開始時のプログラムと設定でのみ有効です。`,
  },
  protected_changed: {
    en: ({ files }) =>
      `Files that the checks rest on are not as they were at the start (M changed, A added, D deleted): ${files}. Put back what was there and make the work itself pass. If the task is to change one of them, the user can say so: --may-change PATH.`,
    ja: ({ files }) =>
      `チェックの拠り所となるファイルが開始時と異なります（M 変更、A 追加、D 削除）：${files}。元に戻し、作業そのものでチェックを成功させてください。変更がタスクの目的なら、利用者が --may-change パス で許可できます。`,
  },
  judge_inconsistent: {
    en: ({ is_complete }) => `is_complete is ${is_complete}, which contradicts the evaluations and check results`,
    ja: ({ is_complete }) => `is_complete が ${is_complete} で、評価やチェックの結果と矛盾しています`,
  },
};
