import { z } from "zod";
import type { SystemMessages } from "../../model/messages/system.ts";
import { counted, type MessageTexts } from "../message-texts.ts";

export const systemMessages: MessageTexts<SystemMessages> = {
  snapshot_failed: {
    en: ({ problem }) => `git could not keep the files as a commit${problem ? ` (${problem})` : ""}`,
    ja: ({ problem }) => `git がファイルをコミットとして保存できませんでした${problem ? `（${problem}）` : ""}`,
  },
  restore_failed: {
    en: ({ problem }) => `git could not put the files back${problem ? ` (${problem})` : ""}; none was changed`,
    ja: ({ problem }) =>
      `git がファイルを元に戻せませんでした${problem ? `（${problem}）` : ""}。変更されたファイルはありません`,
  },
  restore_would_lose: {
    en: ({ count, files }) =>
      `${counted(count, "file")} would be lost (${files}${count > 5 ? " …" : ""}), which no snapshot can keep because git ignores ${count === 1 ? "it or it is" : "them or they are"} too large; no file was changed`,
    ja: ({ count, files }) =>
      `${count} ファイルが失われます（${files}${count > 5 ? " …" : ""}）。git が無視しているか大きすぎるため、スナップショットに残せません。変更されたファイルはありません`,
  },
  restore_halfway: {
    en: ({ problem, id, commit }) =>
      `git could not put all files back${problem ? ` (${problem})` : ""} and has changed some; those from before are kept: e8 rollback ${id} --to ${commit}`,
    ja: ({ problem, id, commit }) =>
      `git がすべてのファイルを元に戻すことができず${problem ? `（${problem}）` : ""}、一部を変更しました。変更前のファイルは残っています：e8 rollback ${id} --to ${commit}`,
  },
  room_taken: {
    en: "another run has been using the project's clean checkout for a minute",
    ja: "別の実行が 1 分間このプロジェクトのクリーンなチェックアウトを使っています",
  },
  room_submodules: {
    en: "the repository has submodules, which a checkout would not have",
    ja: "リポジトリにサブモジュールがあり、チェックアウトには含まれません",
  },
  host_refused: {
    en: ({ host }) =>
      `endless8: the sandbox leads to named hosts only, and ${host} is not one of them (--allow-host, sandbox_hosts)`,
    ja: ({ host }) =>
      `endless8：サンドボックスから届くのは指定したホストだけで、${host} は指定されていません（--allow-host、sandbox_hosts）`,
  },
  sandbox_off: { en: "the sandbox is off", ja: "サンドボックスが無効になっています" },
  sandbox_programs_missing: {
    en: ({ adapter }) =>
      adapter ? `${adapter} is not here` : "neither bubblewrap nor the programs of util-linux are here",
    ja: ({ adapter }) => (adapter ? `${adapter} がありません` : "bubblewrap も util-linux のプログラムもありません"),
  },
  sandbox_refused: {
    en: ({ said }) => `this system does not allow it (${said})`,
    ja: ({ said }) => `このシステムでは許可されていません（${said}）`,
  },
  room_failed: {
    en: ({ problem }) => `it could not be made (${problem})`,
    ja: ({ problem }) => `作れませんでした（${problem}）`,
  },
  room_full: {
    en: ({ path }) => `the disk is full (${path})`,
    ja: ({ path }) => `ディスクがいっぱいです（${path}）`,
  },
  room_too_large: {
    en: ({ gigabytes, most }) =>
      `git ignores ${gigabytes} GB of files, and at most ${most} GB are copied; name those that the checks need under keep`,
    ja: ({ gigabytes, most }) =>
      `git が無視するファイルが ${gigabytes} GB あり、コピーするのは ${most} GB までです。チェックに必要なものを keep に書いてください`,
  },
  setup_failed: {
    en: ({ command, outcome, output }, tell) =>
      `its setup \`${command}\` did not succeed (${tell(outcome)})${output === "" ? "" : `: ${output}`}`,
    ja: ({ command, outcome, output }, tell) =>
      `準備のコマンド \`${command}\` が成功しませんでした（${tell(outcome)}）${output === "" ? "" : `：${output}`}`,
  },
  git_missing: { en: "git is not installed", ja: "git がインストールされていません" },
  list: {
    en: ({ items, separator }, tell) => items.map(tell).join(separator),
    ja: ({ items, separator }, tell) =>
      items.map(tell).reduce((left, right) => left + between(left, separator) + right),
  },
  file_missing: {
    en: ({ path }) => `${path ?? "it"} does not exist`,
    ja: ({ path }) => (path === undefined ? "ファイルがありません" : `${path} がありません`),
  },
  file_count: { en: ({ count }) => counted(count, "file"), ja: ({ count }) => `${count} ファイル` },
  is_directory: { en: "it is a directory", ja: "ディレクトリです" },
  not_a_regular_file: { en: "it is not a regular file", ja: "通常のファイルではありません" },
  no_permission: { en: "no permission", ja: "権限がありません" },
  directory_missing: {
    en: ({ path }) => `the directory ${path} does not exist`,
    ja: ({ path }) => `ディレクトリ ${path} がありません`,
  },
  not_a_directory: {
    en: ({ path }) => `${path} is not a directory`,
    ja: ({ path }) => `${path} はディレクトリではありません`,
  },
  command_not_started: {
    en: ({ problem }, tell) => `could not be started: ${tell(problem)}`,
    ja: ({ problem }, tell) => `起動できませんでした：${tell(problem)}`,
  },
  command_exited: {
    en: ({ exit_code, seconds }) =>
      `exit code ${exit_code}${seconds === undefined ? "" : ` after ${seconds.toFixed(1)} s`}`,
    ja: ({ exit_code, seconds }) =>
      `終了コード ${exit_code}${seconds === undefined ? "" : `（${seconds.toFixed(1)} 秒）`}`,
  },
  command_killed: {
    en: ({ signal }) => `ended by signal ${signal}`,
    ja: ({ signal }) => `シグナル ${signal} で終了しました`,
  },
  command_timed_out: {
    en: ({ limit }) =>
      limit
        ? `timed out after ${limit.seconds} s; the whole process tree was ended (for more time: ${limit.setting})`
        : "timed out",
    ja: ({ limit }) =>
      limit
        ? `${limit.seconds} 秒でタイムアウトし、プロセスツリー全体を終了しました（延ばすには ${limit.setting}）`
        : "タイムアウトしました",
  },
  program_missing: {
    en: ({ program }) => `there is no ${program} on the PATH`,
    ja: ({ program }) => `PATH に ${program} がありません`,
  },
  http_status: {
    en: ({ status }) => `the server answered with ${status}`,
    ja: ({ status }) => `サーバーが ${status} を返しました`,
  },
  cancelled: { en: "it was cancelled", ja: "キャンセルされました" },
  cancelled_before_start: { en: "it was cancelled before it started", ja: "始まる前にキャンセルされました" },
  default_export_missing: { en: "it has no default export", ja: "default export がありません" },
  typescript_unsupported: {
    en: "this Node.js does not run TypeScript; compile it to .js or .mjs first",
    ja: "この Node.js では TypeScript を実行できません。先に .js か .mjs に変換してください",
  },
  flow_name_invalid: {
    en: "a name begins with a letter and has only lower-case letters, digits and hyphens",
    ja: "名前は英小文字で始め、英小文字、数字、ハイフンだけを使ってください",
  },
  schema_issue: {
    en: ({ message, ...issue }) => message ?? schemaWords.en(issue),
    ja: ({ message, ...issue }) => `${schemaWords.ja(issue)}${message === undefined ? "" : `（${message}）`}`,
  },
};

/** Names of files and keys keep the colon of code. */
function between(left: string, separator: string): string {
  if (separator === ": ") return /[\u3040-\u9fff）」]$/.test(left) ? "：" : separator;
  return separator === "; " ? "、" : separator;
}

const schemaWords = { en: localized(z.locales.en()), ja: fullWidth(localized(z.locales.ja())) };

/** The library's Japanese has half-width colons. */
function fullWidth(words: (issue: object) => string): (issue: object) => string {
  return (issue) => words(issue).replaceAll(/(?<=[\u3040-\u9fff]): ?/g, "：");
}

function localized({ localeError }: ReturnType<typeof z.locales.en>): (issue: object) => string {
  return (issue) => {
    const words = localeError(issue as z.core.$ZodRawIssue);
    return (typeof words === "string" ? words : words?.message) ?? "";
  };
}
