import { cancelling, candidateLines, type ErrorTexts, numbered } from "../message-texts.ts";
import { jaAgentErrors } from "./agent-errors.ts";
import { jaDashboardErrors } from "./dashboard.ts";
import { jaDatabaseErrors } from "./databases.ts";
import { jaDoorsErrors } from "./doors.ts";
import { jaFleetErrors } from "./fleet-errors.ts";
import { jaFlowErrors } from "./flow-errors.ts";
import { jaInputErrors } from "./input-errors.ts";
import { jaModelErrors } from "./model-errors.ts";
import { jaQueueErrors } from "./queue-errors.ts";
import { jaTamperingErrors } from "./tampering.ts";

const ALL_LOST = "控えがなければ、記録はすべて失われました。タスクを最初から始めてください。";
const COPY_KEPT =
  "記録の控えがプロジェクトの外にあります。`e8 run --resume` で記録を元に戻し、止まったところから続けられます。";

export const jaErrors: ErrorTexts = {
  ...jaDashboardErrors,
  ...jaDatabaseErrors,
  ...jaDoorsErrors,
  ...jaQueueErrors,
  ...jaFleetErrors,
  ...jaInputErrors,
  ...jaFlowErrors,
  ...jaTamperingErrors,
  ...jaAgentErrors,
  ...jaModelErrors,
  project_missing: (d) => [
    `プロジェクトディレクトリ ${d.path} がありません。`,
    "先に作成するか、--project を直してください。",
  ],
  project_not_directory: (d) => [
    `${d.path} はディレクトリではありません。`,
    "--project にはディレクトリを指定してください。",
  ],
  no_permission: (d) => [
    `${d.path} に書き込む権限がありません。`,
    "所有者か権限を変えるか、別の --project を指定してください。",
  ],
  disk_full: (d) => [
    `${d.path} に書き込めません：ディスクまたは割り当て容量が一杯です。`,
    "空きを作ってからやり直してください。実行中だったタスクは `e8 run --resume` で続けられます。",
  ],
  write_failed: (d, tell) => [
    `${d.path} に書き込めません：${tell(d.problem)}`,
    "ファイルシステムを確認してください。これまでの記録は失われていません。",
  ],
  records_lost: (d, tell) => [
    `${d.path} に書き込めません：${tell(d.problem)}`,
    `${d.all ? ALL_LOST : COPY_KEPT}作業者が \`.e8\` に触れないようにしてください（\`git clean -e .e8\`）。`,
  ],
  output_lost: (d) => [
    `標準出力に書き込めません：${d.problem}`,
    "空きを作るか、別の出力先を選んでください。記録されたものは失われていません。",
  ],
  task_id_invalid: (d) => [
    `${JSON.stringify(d.id)} はタスク ID ではありません。`,
    "`e8 list` で ID を確認できます。先頭か末尾の一部、または `latest` でも指定できます。",
  ],
  task_not_found: (d) => [
    `タスク ${d.id} はこのプロジェクトにありません。`,
    "`e8 list` で一覧を確認できます。別のプロジェクトは --project で指定します。",
  ],
  task_ambiguous: (d) => [
    `${d.id === undefined ? "該当するタスクが複数あります" : `${d.id} に一致するタスクが複数あります`}：\n${candidateLines(d.candidates, (count) => `…（ほかに古いもの ${count} 件）`)}`,
    "ID、またはほかと重ならない ID の先頭か末尾で、1 つ指定してください。",
  ],
  nothing_running: (d) => [`${d.directory} に実行中のタスクはありません。`, "`e8 list` で一覧を確認できます。"],
  nothing_asked: (d) => [`${d.directory} に回答待ちのタスクはありません。`, "`e8 list` で一覧を確認できます。"],
  no_tasks: (d) => [`${d.directory} にはタスクがありません。`, '最初のタスクを始めるには：e8 run "…" --check "…"'],
  backlog_taken: (d, tell) => [
    `このプロジェクトのイシューはすでに処理中です：${tell(d.who)}、${d.since} から。`,
    d.lock
      ? `終わるのを待ってください。そのマシンがもう存在しないなら ${d.lock} を削除してください。`
      : "終わるのを待つか、Ctrl-C で止めてください。",
  ],
  handover_impossible: (d, tell) => [
    `workflow.json の handoff ${d.id} を書き出せません：${tell(d.problem)}。`,
    "それか、値を渡すエージェントを直してから、`e8 orchestrate --resume` を実行してください。",
  ],
  task_locked: (d, tell) => [
    `タスク ${d.id} は ${tell(d.who)} が ${d.since} から実行中です。`,
    d.lock
      ? `終わるのを待つか、止めてください：e8 cancel ${d.id}。そのマシンがもう存在しないなら ${d.lock} を削除してください。`
      : `終わるのを待つか、止めてください：e8 cancel ${d.id}`,
  ],
  place_taken: (d, tell) => [
    `${d.directory} ではすでにタスク ${d.id} が作業中です（${tell(d.who)}、${d.since} から）。`,
    [
      `終わるのを待つか、止めてください：${cancelling(d)}。`,
      "同時に作業するには、git worktree などディレクトリのコピーを使ってください。実行に --same-place を付けると、同じ場所で両方が作業します。",
      ...(d.lock ? [`そのマシンがもう存在しないなら ${d.lock} を削除してください。`] : []),
    ].join(""),
  ],
  branch_impossible: (d, tell) => [
    `専用のブランチを作れません：${tell(d.problem)}。`,
    "原因を取り除くか、--worktree なしで実行してください。その場合はチェックアウトの中で作業します。",
  ],
  clean_room_missing: (d, tell) => [
    `\`--proof clean\` にはクリーンなチェックアウトが必要ですが、作れません：${tell(d.problem)}。`,
    "原因を取り除いて `e8 run --resume` で続けてください。`--proof auto` を付けると、必要なときは作業場所で証明し、そのことを表示します。",
  ],
  worktree_setup_failed: (d, tell) => [
    `ワークツリーを準備できませんでした：\`${d.command}\`：${tell(d.problem)}。\n${d.output.trimEnd()}`,
    "worktree.setup を直してから、`e8 run --resume` で続けてください。",
  ],
  branch_taken: (d, tell) => [
    `タスク ${d.id} がブランチ ${d.branch} で作業中です：${tell(d.who)}、${d.since} から。`,
    d.lock === undefined
      ? `終わるのを待つか、止めてください：e8 cancel ${d.id}`
      : `終わるのを待ってください。そこではもう動いていないなら、${d.lock} を削除してください。`,
  ],
  task_taken: (d, tell) =>
    d.has_lapsed
      ? [
          `タスク ${d.id} はこの実行のものではなくなりました。リースより長く応答がなかったためです${d.since === "" ? "" : `（${d.since} からは ${tell(d.who)} が実行しています）`}。`,
          "この実行は終わり、ほかの実行の記録には何も書きません。保存先の URL の lease=… を長くすると、より長い中断に耐えます。",
        ]
      : [
          `タスク ${d.id} は ${d.since} に ${tell(d.who)} に引き継がれました。この実行のロックが（おそらく作業者によって）削除されたためです。`,
          "この実行は終了し、相手の記録には何も書き込みません。作業者が `.e8` に触れないようにしてください。",
        ],
  task_file_broken: (d, tell) => [
    `${d.path} を使えません：${tell(d.problem)}`,
    "ファイルを復元するか、タスクを新しく始めてください。",
  ],
  task_not_running: (d) => [`タスク ${d.id} は実行中ではありません。`, "`e8 list` で状態を確認できます。"],
  task_not_paused: (d) => [`タスク ${d.id} は実行中で、一時停止していません。`, `様子を見るには：e8 watch ${d.id}`],
  task_is_running: (d) => [`タスク ${d.id} は実行中です。`, `先に止めてください：e8 cancel ${d.id}`],
  snapshot_missing: (d) => [
    `タスク ${d.id} には${d.iteration === 0 ? "開始時" : `イテレーション ${d.iteration} `}のスナップショットがありません。`,
    `\`e8 show ${d.id}\` でイテレーションを確認できます。\`e8 clean\` は終わったタスクのスナップショットを削除します。`,
  ],
  range_invalid: (d) => [
    `「${d.range}」はイテレーションの範囲ではありません。`,
    "2、1..3、1.. のように書いてください（0 は開始時です）。",
  ],
  rollback_failed: (d, tell) => [
    `ファイルを元に戻せませんでした：${tell(d.problem)}`,
    "妨げになっているものをプロジェクトの外に移してから、もう一度実行してください。",
  ],
  task_completed: (d) => [
    `タスク ${d.id} は完了しています。このあと作業が始まることはありません。`,
    '残りの作業は新しいタスクにしてください：e8 run "…"',
  ],
  note_empty: ["伝言がありません。", 'コマンドの後に書いてください：e8 tell "古い API はそのままにして"'],
  note_too_long: (d) => [
    `伝言は ${d.length} 文字ですが、${d.limit} 文字までです。`,
    "残りはプロジェクトのファイルに書き、伝言でそのファイル名を知らせてください。",
  ],
  nothing_to_answer: (d) => [
    `タスク ${d.id} に未回答の質問はありません。`,
    `状況を確認するには：e8 show ${d.id}。続きを実行するには：e8 run --resume ${d.id}`,
  ],
  answered_elsewhere: (d, tell) => [
    `タスク ${d.id} は実行中です（${tell(d.who)}、${d.since} から）。`,
    d.count > 0
      ? `質問はそちらで表示されています。そちらで答えるか、止めてからここで答えてください：e8 cancel ${d.id} && e8 answer ${d.id}`
      : `未回答の質問はありません。進み具合を確認するには：e8 show ${d.id}。止めるには：e8 cancel ${d.id}`,
  ],
  answer_not_offered: (d) => [
    `「${d.question}」に ${d.answer} 番の選択肢はありません。選択肢：\n${numbered(d.choices)}`,
    "選択肢の番号を指定するか、言葉で回答してください。",
  ],
  answers_missing: (d) => [
    `タスク ${d.id} には未回答の質問が ${d.count} 件あり、すべてに回答が必要です。`,
    `順番に回答を渡してください：e8 answer ${d.id} -a "1つ目" -a "2つ目"`,
  ],
  placeholder_unfilled: (d) => [
    `${d.file} の {uv-${d.name}} に入る値がありません。`,
    "プレースホルダーの名前を直してください。",
  ],
  tracker_failed: (d, tell) => [
    `イシュートラッカーの操作に失敗しました（${tell(d.what)}）：${tell(d.problem)}`,
    d.file
      ? `イシューを ${d.file} に書くか、git のリモート origin と GITHUB_TOKEN を用意して、\`${d.again ?? "e8 run --resume"}\` で続けてください。`
      : `ネットワーク、トークン（GITHUB_TOKEN または \`gh auth login\`）、番号を確認し、\`${d.again ?? "e8 run --resume"}\` で続けてください。`,
  ],
  raw_log_off: (d) => [
    `タスク ${d.id} の生ログは残していません。`,
    "次のタスクは `e8 run --raw-log` で始めるか、task.yaml か endless8.yaml に `logging: {raw_log: true}` を書いてください。要約は `e8 show` で見られます。",
  ],
  raw_log_empty: (d) => [`タスク ${d.id} のログはまだありません。`, `実行中なら \`e8 logs ${d.id} -f\` で待てます。`],
  iteration_not_logged: (d) => [
    `タスク ${d.id} のイテレーション ${d.iteration} のログはありません。`,
    `ログがあるのは：${d.known}`,
  ],
  events_missing: (d) => [
    `タスク ${d.id} のイベントは保存されていません。以前のバージョンで実行されたためです。`,
    `内容は e8 show ${d.id} で見られます。`,
  ],
  query_failed: (d) => [
    `クエリに答えられません：${d.problem}`,
    "SQL を付けずに `e8 query` を実行すると、ビューと列の一覧が出ます。",
  ],
  query_not_reading: ["読み取り以外の文は実行できません。", "SELECT、FROM、WITH のいずれかで始めてください。"],
  query_not_one: ["SQL 文がちょうど 1 つではありません。", "1 回に 1 つの文を渡してください。"],
  story_broken: (d, tell) => [
    `台本 ${d.file} を再生できません：\n${tell(d.problems)}`,
    "形式は docs/scripted-model.md を参照してください。",
  ],
  directory_gone: ["いまいるディレクトリはもう存在しません。", "別のディレクトリに移ってください：cd <ディレクトリ>"],
  story_missing: (d) => [
    `タスク ${d.id} は台本 ${d.path} で再生しますが、そのファイルがもうありません。モデルには尋ねていません。`,
    `台本を元に戻し、\`e8 run --resume ${d.id}\` で続けてください。本物のモデルを使うには、--script を付けずに新しく始めてください。`,
  ],
  internal: (d) => [
    `endless8 内部の問題です：${d.message}`,
    "ENDLESS8_LOG_LEVEL=debug を付けて実行し、表示された内容を報告してください。",
  ],
};
