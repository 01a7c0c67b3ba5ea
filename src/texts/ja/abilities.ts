import type { Ability } from "../../model/abilities.ts";

export const jaAbilities: Readonly<Record<Ability, string>> = {
  structured_answers: "決められた形式で答える",
  reports_tokens: "トークン数をすべて報告する",
  reports_cost: "費用を報告する",
  priced_by_tokens: "費用を `prices` から計算する",
  tells_limits: "アカウントを使い切ったことを知らせる",
  withholds_tools: "禁止されたツールの呼び出しをすべて止める",
  takes_servers: "タスクの MCP サーバーを使う",
  takes_skills: "タスクのスキルを使う",
  takes_claude_setup: ".claude/skills と、Claude Code に設定した MCP サーバーを使う",
  takes_permissions: "許可を求められたとき、allowed_tools と permission_mode に従って答える",
  limits_turns: "claude_options.max_turns のターン数で止める",
  shows_calls: "ツールの呼び出しをその場で表示する",
  changes_seen: "変更したファイルを調べる",
  ends_in_time: "制限時間や無反応で終わらせる",
  ends_whole: "起動したものも含めて中止する",
  raw_log: "やり取りをそのままログに残す",
  in_sandbox: "サンドボックスの中で作業する",
  opened_in_strict: "strict サンドボックスで自分のディレクトリに書き込み、モデルのホストに接続する",
  fresh_context: "毎回新しいコンテキストで答える",
  all_roles: "作業者以外の役割でも答える",
};
