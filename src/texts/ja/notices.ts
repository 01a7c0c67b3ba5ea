import type { Role } from "../../model/roles.ts";
import type { NoticeTexts } from "../message-texts.ts";
import { jaAbilities } from "./abilities.ts";
import { jaDatabaseNotices } from "./databases.ts";
import { jaTamperingNotices } from "./tampering.ts";

const roles: Record<Role, string> = {
  intake: "受付エージェント",
  executor: "実行エージェント",
  summarizer: "要約エージェント",
  judge: "判定エージェント",
  reviewer: "レビューエージェント",
};

export const jaNotices: NoticeTexts = {
  ...jaDatabaseNotices,
  ...jaTamperingNotices,
  records_restored: (d) =>
    `${d.file} がタスクの実行中に、endless8 以外のもの（おそらく作業者）によって変更されました。元に戻しました。`,
  torn_line: (d) =>
    `${d.file} の末尾に書きかけの記録（${d.bytes} バイト）がありました。停電かディスク不足とみて取り除きました。`,
  unreadable_lines: (d) => `${d.file} の読めない ${d.lines} 行を飛ばしました。`,
  file_left_out: (d, tell) => `${d.file} は読めないため飛ばしました（理由：${tell(d.problem)}）。`,
  raw_log_unwritable: (d, tell) =>
    `${d.file} に書き込めません（理由：${tell(d.problem)}）。生ログは完全ではありませんが、実行は続けます。`,
  copy_unwritable: (d, tell) =>
    `${d.file} に書き込めません（理由：${tell(d.problem)}）。実行の結果はタスク自身の履歴にあります。`,
  history_scanned: (d) => `DuckDB を使えないため（${d.problem}）、履歴を直接読みました。結果は同じですが遅くなります。`,
  mcp_left_out: (d) =>
    `.mcp.json の未承認の MCP サーバーは起動しませんでした：${d.servers}。使うには mcp_servers に名前を書いてください。`,
  mcp_failed: (d) => `MCP サーバー ${d.server} を起動できませんでした。エージェントはこれなしで作業します。`,
  criteria_added: (d) =>
    `${d.file} の完了条件（${d.count} 件）に、コマンドラインの完了条件（${d.added} 件）を加えました。ファイルの条件を除くには --only を付けてください。`,
  going_on: (d) =>
    `タスク ${d.id} の続きから再開します。${d.file} に記録があり、タスクと完了条件が同じで、まだ終わっていないためです。新しく始めるには --fresh を付けてください。`,
  criteria_replaced: (d) => `${d.file} の完了条件（${d.count} 件）は使わず、コマンドラインの完了条件だけを使います。`,
  orphans_ended: (d) => `以前の実行が残したプロセス ${d.count} 個を終了しました。`,
  sandbox_missing: (d, tell) =>
    `作業者とチェックはサンドボックスなしで実行します：${tell(d.problem)}。用意のしかたは \`e8 doctor\` で確認できます。`,
  completed_before:
    "このタスクはすでに完了しています。今回は何も実行も確認もしていません。確認し直すには新しいタスクを始めてください。",
  judged_again: (d) =>
    `イテレーション ${d.iteration} は完了と判定されましたが、その実行は終了前に途切れました。作業結果が失われている可能性があるため、判定し直します。`,
  definition_changed: (d) =>
    `エージェント ${d.name} は、このタスクの開始後に変更されています（${d.files}）。変更後の内容で続けます。完了条件が意図どおりか確認してください。`,
  definition_changed_during: (d) =>
    `エージェント ${d.name} のファイルが、実行中に変更されました（${d.files}）。次の実行からは変更後の内容が使われます。完了条件が意図どおりか確認してください。`,
  played_again: (d) =>
    `前回と同じく、モデルは台本 ${d.script} どおりに答えます（最初から再生します）。言語モデルの回答ではありません。`,
  scripted_agent: (d) =>
    `エージェントは台本で動いています。発言も作業も台本 ${d.story} によるもので、言語モデルの回答ではありません。`,
  asked_again: (d, tell) => `${roles[d.role]}の回答を使えないため、もう一度尋ねます（理由：${tell(d.problem)}）。`,
  role_failed: (d, tell) => `${roles[d.role]}から使える回答が得られませんでした（理由：${tell(d.problem)}）。`,
  summary_mechanical: (d, tell) => `要約は機械的に作りました（理由：${tell(d.problem)}）。`,
  intake_ignored: (d, tell) => `受付の言い換えは使わず、元の文のまま進めます（理由：${tell(d.problem)}）。`,
  notes_unread: ({ count, is_over }) => {
    const next = is_over
      ? "タスクは完了しています。残りは新しいタスクにしてください。"
      : "続きを実行すると伝わります。";
    return `伝言 ${count} 件は、その後に始まった作業者がいないため、まだ読まれていません。${next}`;
  },
  telemetry_failed: (d) =>
    `トレースまたはメトリクスが OTEL_EXPORTER_OTLP_ENDPOINT の送信先に届きませんでした：${d.problem}。`,
  notification_failed: (d, tell) => `通知できませんでした（notify.${d.channel}）：${tell(d.problem)}。`,
  context_cut: (d) => `プロンプトを小さく保つため、古い記録 ${d.entries} 件を省略しました。`,
  context_large: (d) =>
    `イテレーション ${d.iteration} は ${d.tokens.toLocaleString("en")} トークンを使い、コンテキストの目安 ${d.limit.toLocaleString("en")} トークンを超えました。作業を小さく分けるか、使うツールを絞ってください。`,
  cost_unknown: (d) =>
    `${d.model} の料金が分からないため、トークンは数えますが費用は数えません。費用の予算に含めるには prices に料金を書いてください。`,
  agent_lacks: ({ agent, abilities }) =>
    `${agent} には、できるとは限らないことがあります（${abilities.map((ability) => jaAbilities[ability]).join("、")}）。その場合の扱いは docs/ja/other-agents.md にあります。`,
  agent_closed_in: (d) =>
    `${d.agent} が使うファイルとホストを endless8 は知りません。strict サンドボックスの中で書き込めるのは、プロジェクト、~/.cache などのキャッシュ、一時ファイルだけで、接続できるのは sandbox_hosts（--allow-host）のホストだけです。ほかの場所にファイルを置くエージェントなら、その環境変数（agent.acp.env）で置き場所をキャッシュに変えるか、--sandbox contain を使ってください。`,
  agent_ignores: (d) => `${d.agent} では ${d.keys} を使えません。設定なしで作業します。`,
  agent_price_unknown: (d) =>
    `${d.agent} はトークン数を報告しますが、費用は報告しません。このままでは費用の予算で止められません。モデルの料金を prices に書くか（${d.model}: {input: …, output: …}）、--max-tokens か --max-time を指定してください。`,
  agent_cost_unknown: (d) =>
    `${d.agent} は費用を報告しないことがあります。報告のない分は「不明」と表示し、費用の予算では止められません。--max-time も指定してください。`,
  agent_tokens_unknown: (d) =>
    `${d.agent} はトークン数を報告しないことがあります。報告のない分は「不明」と表示し、トークンの予算では止められません。--max-time も指定してください。`,
  credentials_withheld: (d) =>
    `作業者とチェックには次のログイン情報を渡しません：${d.names}。渡すには --pass-credentials で指定してください。`,
  worktree_cleared: (d) =>
    `ワークツリー ${d.path} を削除しました。git が無視する次のファイルも消えました：${d.ignored}。`,
  worktree_stays: (d, tell) =>
    `作業は ${d.path} のブランチ ${d.branch} にあります${d.problem ? `：${tell(d.problem)}` : ""}。マージするには：git merge ${d.branch}`,
  work_on_remote: (d, tell) =>
    `作業はまだ取り込まれていません${d.problem ? `：${tell(d.problem)}` : ""}。取得するには：git fetch ${d.repository} ${d.ref}`,
  pipe_hides_exit: (d) =>
    `\`${d.command}\` にはパイプがあり、最後のコマンドの終了コードしか見えません。完了条件に \`pipefail: true\` を付けてください。`,
};
