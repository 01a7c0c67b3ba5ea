import { asTyped } from "../../model/shell-quotes.ts";
import { changeLines, type ErrorTexts, type NoticeTexts } from "../message-texts.ts";

type ErrorCodes = "task_unknown" | "changes_unaccepted" | "task_copy_lost" | "fork_of_flow" | "hidden_check_lost";
type NoticeCodes =
  | "forked"
  | "records_rewritten"
  | "task_changed"
  | "task_change_accepted"
  | "task_in_future"
  | "task_unverified"
  | "vault_unwritable";

const more = (count: number) => `ほか ${count} 件`;

/** About what a worker may have changed between two runs. */
export const jaTamperingErrors: Pick<ErrorTexts, ErrorCodes> = {
  task_unknown: (d) => [
    `タスク ${d.id} は、endless8 がここで始めたものではありません。作業者が書いたか、別の場所からコピーされた可能性があります。`,
    `\`e8 show ${d.id}\` で内容を確認してください。自分のタスクなら：e8 run --resume ${d.id} --accept-changes。そうでなければ：e8 rm ${d.id}`,
  ],
  changes_unaccepted: (d) => [
    `タスク ${d.id} の実行中に（おそらく作業者によって）、この実行が使うファイルが変更されました：${changeLines(d.changes, more)}`,
    `意図したものなら --accept-changes を付けてください（尋ねるのは一度だけです）。そうでなければ元に戻してください：git checkout HEAD -- ${d.files.map(asTyped).join(" ")}`,
  ],
  task_copy_lost: (d) => [
    `タスク ${d.id} はここで始まりましたが、プロジェクトの外にあった記録の控えがありません。記録が変更されたかどうか分かりません。`,
    `\`e8 show ${d.id}\` で内容を確認してください。今の記録のまま続けるには：e8 run --resume ${d.id} --accept-changes`,
  ],
  fork_of_flow: (d) => [
    `タスク ${d.id} はステップからなるエージェントです。プロジェクトの外で行われたことは元に戻せないため、分岐できません。`,
    "`e8 agent run` で新しく始めてください。",
  ],
  hidden_check_lost: (d) => [
    `タスク ${d.id} の隠しチェックのコマンドが、ここでは分かりません。コマンドは、タスクを始めたマシンの、プロジェクトの外にあります。`,
    "そのマシンで再開するか、タスクファイルから新しく始めてください。",
  ],
};

export const jaTamperingNotices: Pick<NoticeTexts, NoticeCodes> = {
  records_rewritten: (d) =>
    `${d.file} が前回の実行のあと、endless8 以外のものによって変更されました（追加 ${d.added} 件、変更または削除 ${d.missing} 件）。記録を元に戻しました。変更されたファイルは隣に残してあります。`,
  task_changed: (d) =>
    `task.json が前回の実行のあと、endless8 以外のものによって変更されました。タスクは元の内容で続けます：${changeLines(d.changes, more)}\n変更を使うには、task.json.changed を task.json に上書きしてから：e8 run --resume ${d.id} --accept-changes`,
  task_change_accepted: (d) => `task.json の次の変更を受け入れました：${changeLines(d.changes, more)}`,
  forked: (d) =>
    `タスク ${d.id} の${d.iteration === 0 ? "開始時" : `イテレーション ${d.iteration} の終わり`}から続けます。${d.left_out ? jaLeftOut(d.left_out) : ""}それまでのファイルも残っています。元に戻すには：e8 rollback ${d.id} --to ${d.before}`,
  task_in_future: (d) =>
    `タスク ${d.id} の日付は未来です。最新のタスクとは見なしません。自分のものでなければ：e8 rm ${d.id}`,
  task_unverified: (d) =>
    `タスク ${d.id} の記録が前回の実行のあとに変更されたかどうかは分かりません。以前のバージョン、別のマシン、または別のホームで始まったためです。次からは分かります。`,
  vault_unwritable: (d, tell) =>
    `${d.path} に書き込めません（理由：${tell(d.problem)}）。この実行が強制終了されると、作業者が記録を変更しても次の実行では分かりません。`,
};

/** Files that neither a rollback nor a fork has changed. */
export function jaLeftOut({ count, files }: { count: number; files: readonly string[] }): string {
  return `${count} ファイルは、大きさまたは数のためスナップショットに入らず、今のまま残っています（${files.join(", ")}${count > files.length ? " …" : ""}）。`;
}
