import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes = "queue_package_missing" | "queue_not_made" | "task_in_line" | "task_not_in_line";

/** 作業プロセスを待つタスクの列についての文。 */
export const jaQueueErrors: Pick<ErrorTexts, ErrorCodes> = {
  queue_package_missing: [
    "待っているタスクの列を管理するパッケージ bullmq がインストールされていません。",
    "データベースのドライバーと一緒に、endless8 と同じ場所へインストールしてください：npm install -g bullmq@6.7.0 pg",
  ],
  queue_not_made: (d) => [
    `${d.store} には、まだタスクの列がありません。`,
    "endless8 と同じ場所に bullmq をインストールしてから、e8 fleet init <URL> をもう一度実行してください。",
  ],
  task_in_line: (d) => [
    `タスク ${d.id} はすでに作業プロセスを待っているか、作業プロセスが作業中です。`,
    "e8 watch で様子を見るか、e8 cancel でキャンセルしてください。",
  ],
  task_not_in_line: (d) => [
    `タスク ${d.id} は終了したかキャンセルされたため、もう作業プロセスを待っていません。`,
    "続きがある場合は、e8 submit --resume でもう一度登録してください。",
  ],
};
