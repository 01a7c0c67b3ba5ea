import type { Ability } from "../../model/abilities.ts";

export const jaAbilities: Readonly<Record<Ability, string>> = {
  structured_answers: "決められた形式で答える",
  reports_tokens: "トークン数をすべて報告する",
  reports_cost: "費用を報告する",
  tells_limits: "アカウントを使い切ったことを知らせる",
  withholds_tools: "禁止されたツールの呼び出しをすべて止める",
  takes_servers: "タスクの MCP サーバーを使う",
  takes_skills: "タスクのスキルを使う",
  fresh_context: "毎回新しいコンテキストで答える",
  all_roles: "作業者以外の役割でも答える",
};
