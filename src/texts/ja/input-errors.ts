import { asTyped } from "../../model/shell-quotes.ts";
import type { enInputErrors } from "../en/input-errors.ts";

/** ユーザーが与えるもの：ファイル、設定、フラグ、タスク。 */
export const jaInputErrors: typeof enInputErrors = {
  file_not_found: (d) => [`${d.path} がありません。`, "パスを確認してください。"],
  file_unreadable: (d, tell) => [`${d.path} を読めません：${tell(d.problem)}`, "パスと権限を確認してください。"],
  file_is_directory: (d) => [
    `${d.path} はディレクトリですが、ファイルでなければなりません。`,
    "別の場所に移すか、別のファイルを指定してください。タスクは、そのファイルにあった記録なしで続けられます。task.json だけは元に戻す必要があります。",
  ],
  file_exists: (d) => [
    `${d.path} はすでにあります。変更していません。`,
    "別の名前を指定するか、--force で上書きしてください。",
  ],
  yaml_broken: (d, tell) => [
    `${d.file} は正しい YAML ではありません：${tell(d.problem)}`,
    "その箇所を直してからやり直してください。",
  ],
  file_too_large: (d, tell) => [`${d.path} は ${tell(d.limit)} を超えています。`, "正しいファイルか確認してください。"],
  environment_invalid: (d, tell) => [`環境変数 ${d.variable}：${tell(d.problem)}`, "直すか、設定を外してください。"],
  configuration_invalid: (d, tell) => [
    `${tell(d.file)} に使えない設定があります：\n${tell(d.problems)}`,
    "直してからやり直してください。まだ何も実行していません。",
  ],
  flag_invalid: (d, tell) => [
    `${d.flag}: ${tell(d.problem)}`,
    `\`${["e8", d.command ?? "run", "--help"].filter(Boolean).join(" ")}\` を参照してください。`,
  ],
  deadline_past: (d) => [
    `期限 ${d.value} はもう過ぎています。`,
    "先の時刻を指定してください。--until 07:00 は、このマシンの時計で次の 07:00 です。",
  ],
  strict_unavailable: (d, tell) => [
    `ここでは --sandbox strict を使えません：${tell(d.problem)}。`,
    "bubblewrap（apt install bubblewrap）とユーザー名前空間のある Linux が必要です。ここで何が使えるかは `e8 doctor` が示します。--sandbox contain はこれより弱く、そのことを表示します。",
  ],
  task_empty: ({ place }) =>
    place === undefined
      ? ["タスクがありません。", '例：e8 run "失敗しているテストを直す" --check "npm test"']
      : [`${place} の task が空です。`, "やりたいことをそこに自分の言葉で書いてください。"],
  task_is_file: (d) => [
    `${d.file} はファイルで、言葉で書いたタスクではありません。`,
    `ファイルに書かれたタスクを実行するには：e8 run --config ${asTyped(d.file)}`,
  ],
  criteria_missing: ({ place }) =>
    place === undefined
      ? [
          "完了条件がないため、いつ完了したのか誰にも判断できません。",
          '-c "満たすべきこと" または --check "終了コード 0 になるべきコマンド" を付けてください。',
        ]
      : [
          `${place} の criteria が空のため、いつ完了したのか誰にも判断できません。`,
          "満たすべきこと、または終了コード 0 になるべきコマンドをそこに書いてください。",
        ],
  files_unmatched: (d) => [
    `${d.files} に一致するファイルがないため、何も保護されません。`,
    "パターンを直してください。チェックを実行するディレクトリから見たパスです。",
  ],
  files_too_many: (d) => [
    `${d.files} に一致するファイルが ${d.count} 件ありますが、保護できるのは ${d.limit} 件までです。`,
    "チェックの土台になるファイルだけに絞ってください。",
  ],
};
