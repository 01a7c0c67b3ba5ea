import type { Language } from "./language.ts";

export { type Language, languageOf } from "./language.ts";

/** Sentences that we write ourselves into records and prompts. */
export interface Phrases {
  language: Language;
  exited: (code: number, seconds: string) => string;
  killed: (signal: string) => string;
  /** `setting`: what would have to be raised. */
  timedOut: (seconds: number, setting: string) => string;
  notStarted: (problem: string) => string;
  filesAsBefore: (count: number) => string;
  filesNotAsBefore: (count: number) => string;
  hiddenFailed: string;
  allChecksPassed: (count: number) => string;
  checksFailed: (failed: number, count: number) => string;
  notEvaluated: string;
  noEvidence: string;
  contradiction: string;
  judgeFailed: (problem: string) => string;
  judgeWithheld: string;
  agentFailed: (code: string, message: string) => string;
  emptyReply: string;
  noApproach: string;
  none: string;
  outputOf: (lines: string) => string;
  leftOut: (count: number) => string;
  cut: string;
}

const en: Phrases = {
  language: "en",
  exited: (code, seconds) => `exit code ${code} after ${seconds} s`,
  killed: (signal) => `ended by signal ${signal}`,
  timedOut: (seconds, setting) => `timed out after ${seconds} s (${setting}); the whole process tree was ended`,
  notStarted: (problem) => `could not be started: ${problem}`,
  filesAsBefore: (count) =>
    count === 1
      ? "the file is as it was when the task began"
      : `all ${count} files are as they were when the task began`,
  filesNotAsBefore: (count) =>
    `${count === 1 ? "1 file is not as it was" : `${count} files are not as they were`} when the task began (M changed, A added, D deleted); put back what was there:`,
  hiddenFailed: "This check failed. Its command and output are not shown.",
  allChecksPassed: (count) => (count === 1 ? "The check passed." : `All ${count} checks passed.`),
  checksFailed: (failed, count) => (count === 1 ? "The check failed." : `${failed} of ${count} checks failed.`),
  notEvaluated: "Nobody evaluated this criterion, so it counts as not met.",
  noEvidence: "Called met without any evidence, so it counts as not met.",
  contradiction: "The evaluations of this criterion contradict each other, so it counts as not met.",
  judgeFailed: (problem) => `The judge gave no usable answer: ${problem}.`,
  judgeWithheld: "Every criterion was called met, but the judge's answer as a whole contradicts that.",
  agentFailed: (code, message) => `The agent did not finish (${code}): ${message}`,
  emptyReply: "The agent ended without saying anything.",
  noApproach: "(no approach was reported)",
  none: "(none)",
  outputOf: (lines) => `output ends with:\n${lines}`,
  leftOut: (count) => `(${count} more left out)`,
  cut: "[… cut …]",
};

const ja: Phrases = {
  language: "ja",
  exited: (code, seconds) => `終了コード ${code}（${seconds} 秒）`,
  killed: (signal) => `シグナル ${signal} で終了`,
  timedOut: (seconds, setting) => `${seconds} 秒でタイムアウトし（${setting}）、プロセスツリー全体を終了した`,
  notStarted: (problem) => `起動できなかった: ${problem}`,
  filesAsBefore: (count) => `${count} 件のファイルはすべてタスク開始時のまま`,
  filesNotAsBefore: (count) => `${count} 件のファイルがタスク開始時と異なる（M 変更、A 追加、D 削除）。元に戻すこと:`,
  hiddenFailed: "このチェックは失敗した。コマンドと出力は非公開。",
  allChecksPassed: (count) => (count === 1 ? "チェックは成功した。" : `${count} 件のチェックがすべて成功した。`),
  checksFailed: (failed, count) =>
    count === 1 ? "チェックは失敗した。" : `${count} 件中 ${failed} 件のチェックが失敗した。`,
  notEvaluated: "この条件は誰にも評価されていないため、未達とみなす。",
  noEvidence: "根拠なしに達成とされたため、未達とみなす。",
  contradiction: "この条件の評価が互いに矛盾しているため、未達とみなす。",
  judgeFailed: (problem) => `判定エージェントから使える回答が得られなかった: ${problem}`,
  judgeWithheld: "すべての条件が達成とされたが、判定全体がそれと矛盾している。",
  agentFailed: (code, message) => `エージェントが最後まで実行できなかった（${code}）: ${message}`,
  emptyReply: "エージェントは何も報告せずに終了した。",
  noApproach: "（アプローチの報告なし）",
  none: "（なし）",
  outputOf: (lines) => `出力の末尾:\n${lines}`,
  leftOut: (count) => `（ほか ${count} 件を省略）`,
  cut: "［… 省略 …］",
};

export const phrases = { en, ja } as const satisfies Record<Language, Phrases>;
