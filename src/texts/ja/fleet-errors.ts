import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes =
  | "repository_url_invalid"
  | "remote_unreachable"
  | "remote_base_missing"
  | "snapshot_elsewhere"
  | "snapshot_lost"
  | "snapshot_refused"
  | "fleet_limit_reached"
  | "fleet_budget_spent"
  | "task_refused"
  | "task_not_allowed"
  | "sandbox_needed"
  | "task_stays"
  | "place_unusable";

/** どのマシンでも作業できるタスクについて。 */
export const jaFleetErrors: Pick<ErrorTexts, ErrorCodes> = {
  repository_url_invalid: (d, tell) => [
    `リポジトリを使えません：${tell(d.problem)}。`,
    "タスクを実行するどのマシンからも届く URL を、パスワードなしで指定してください（例：https://github.com/team/app.git）。",
  ],
  remote_unreachable: (d) => [
    `このマシンから ${d.repository} に接続できません：${d.said}`,
    "ネットワークと認証情報を確認してください（git ls-remote）。タスクは最後のスナップショットから続けられます。",
  ],
  remote_base_missing: (d) => [
    `${d.repository} にブランチ ${d.base} がありません。`,
    "ブランチを push するか、タスクに別のベースを指定してください。",
  ],
  snapshot_elsewhere: (d) => [
    `タスク ${d.id} のファイルは ${d.repository} にあります。${d.directory} は、タスクが始まったコミットを含むそのチェックアウトではありません。`,
    `そのクローンで実行してください（git clone ${d.repository}）。チェックアウトが古い場合は git fetch してください。\`e8 diff ${d.id}\` はここでも使えます。`,
  ],
  snapshot_lost: (d) => [
    `${d.repository} に ${d.commit} がもうありません。タスク ${d.id} はそこから続ける必要があります。`,
    `refs/e8/${d.id}/ が削除されています。コミットが残っているクローンがあれば、そこに push してください。なければ、タスクを新しく投入してください。`,
  ],
  snapshot_refused: (d) => [
    `${d.repository} がタスク ${d.id} の ${d.ref} を拒否しました：${d.said}`,
    "タスクを実行するマシンには refs/e8/ 以下の作成・更新・削除を許可してください。このイテレーションは、タスクを続けるときにやり直されます。",
  ],
  fleet_limit_reached: (d) => [
    `${d.kind} ${d.name} は同時に ${d.limit} 件までです。上限に達しています。`,
    "ほかのタスクが終わるまで待ってください。上限の一覧は `e8 fleet limit` で見られます。",
  ],
  fleet_budget_spent: (d) => [
    `${d.project} の予算を使い切ったか、応答待ちの分として確保済みです。`,
    "翌日（UTC）になるか、所有者が上限を上げると、タスクは続けられます。`e8 fleet limit` で確認できます。",
  ],
  task_refused: (d, tell) => [
    `${d.id === undefined ? "このタスク" : `タスク ${d.id}`} は受け付けられません：${tell(d.problems)}`,
    d.id === undefined
      ? "タスクファイルを直してください。まだ何も投入していません。共有タスクに指定できるものは docs/ja/fleet.md にあります。"
      : "どのマシンも受け付けません。その指定をやめて投入し直してください。指定できるものは docs/ja/fleet.md にあります。",
  ],
  task_not_allowed: (d, tell) => [
    `タスク ${d.id} はこのマシン向けではありません：${tell(d.problems)}`,
    "ほかのマシンなら受け付けるかもしれません。このマシンの許可は `--repo`、`--allow-command`、`--allow` のファイルで決まります。",
  ],
  sandbox_needed: (d, tell) => [
    `ほかの人のタスクを実行するためのサンドボックスが、このマシンにありません：${tell(d.problem)}。`,
    "bubblewrap をインストールしてください。コンテナのようにマシン自体が境界になる場合は、`--allow` のファイルに `sandbox: off` と書いてください。",
  ],
  task_stays: (d) => [
    `タスク ${d.id} にはリポジトリの指定がないので、${d.directory} のあるマシンでしか作業できません。`,
    `そのマシンで続けてください：e8 run --resume ${d.id}。どのマシンでも作業できるタスクは、e8 submit で投入します。`,
  ],
  place_unusable: (d, tell) => [
    `${d.path} にチェックアウトを作れませんでした：${tell(d.problem)}。`,
    "このマシンにあるリポジトリのコピーが壊れている場合は、どの実行も使っていないときにそのディレクトリを削除してください。新しく作り直されます。",
  ],
};
