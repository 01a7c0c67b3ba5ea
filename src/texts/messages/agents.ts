import type { AgentMessages } from "../../model/messages/agents.ts";
import type { MessageTexts } from "../message-texts.ts";

export const agentsMessages: MessageTexts<AgentMessages> = {
  agent_silent: {
    en: ({ seconds }) => `it gave no sign of life for ${seconds} s`,
    ja: ({ seconds }) => `${seconds} 秒のあいだ何の反応もありませんでした`,
  },
  agent_still_working: {
    en: ({ seconds }) => `it was still working after ${seconds} s`,
    ja: ({ seconds }) => `${seconds} 秒たっても終わりませんでした`,
  },
  answer_cut_off: { en: "the answer was cut off at its longest length", ja: "回答が最大の長さで切れました" },
  answer_too_large: {
    en: ({ megabytes }) => `the answer is larger than ${megabytes} MB`,
    ja: ({ megabytes }) => `回答が ${megabytes} MB を超えています`,
  },
  claude_ended: {
    en: (end) => `Claude Code ended with ${"signal" in end ? end.signal : `code ${end.exit_code ?? "?"}`}`,
    ja: (end) =>
      `Claude Code が${"signal" in end ? `シグナル ${end.signal}` : `終了コード ${end.exit_code ?? "?"}`} で終了しました`,
  },
  denied_by_settings: { en: "by the permission settings", ja: "許可の設定によります" },
  executable_missing: {
    en: ({ executable }) => `claude_options.executable names ${executable}, which is not a program`,
    ja: ({ executable }) => `claude_options.executable の ${executable} はプログラムではありません`,
  },
  login_refused: { en: "the API key or login was refused (401)", ja: "API キーまたはログインが拒否されました（401）" },
  mcp_server_missing: {
    en: ({ server }) => `mcp_servers names ${server}, but no MCP server of that name is configured`,
    ja: ({ server }) => `mcp_servers に ${server} がありますが、その名前の MCP サーバーは設定されていません`,
  },
  model_broke_off: {
    en: ({ reason }) => `the model broke off (${reason})`,
    ja: ({ reason }) => `モデルが回答を中断しました（${reason}）`,
  },
  model_failed: ({ model, problem }, tell) => `${model}: ${tell(problem)}`,
  model_refused: {
    en: ({ reason }) => `the model refused to answer (${reason})`,
    ja: ({ reason }) => `モデルが回答を拒否しました（${reason}）`,
  },
  no_json: { en: "there was no JSON in the answer", ja: "回答に JSON がありませんでした" },
  no_reason_given: {
    en: ({ status }) => `it gave no reason${status === null ? "" : ` (${status})`}`,
    ja: ({ status }) => `理由は示されませんでした${status === null ? "" : `（${status}）`}`,
  },
  nothing_asked: { en: "nothing is being asked", ja: "いまは何も依頼していません" },
  policy_undecided: {
    en: ({ problem }, tell) => `the tool policy could not decide: ${tell(problem)}`,
    ja: ({ problem }, tell) => `ツールの制限を判断できませんでした：${tell(problem)}`,
  },
  program_ended: {
    en: ({ program, said, ...end }) =>
      `\`${program}\` ${"signal" in end ? `was ended by ${end.signal}` : `exited with code ${end.exit_code}`}${said === "" ? "" : `: ${said}`}`,
    ja: ({ program, said, ...end }) =>
      `\`${program}\` は${"signal" in end ? `シグナル ${end.signal}` : `終了コード ${end.exit_code}`} で終了しました${said === "" ? "" : `：${said}`}`,
  },
  proxy_unusable: {
    en: "models over an API need a proxy that is spelled http://host:port or https://host:port.",
    ja: "API のモデルで使えるプロキシは http://host:port か https://host:port の形式だけです。",
  },
  several_answers: {
    en: "there were several JSON objects in the answer, any of which could be it",
    ja: "回答に JSON が複数あり、どれが本来の回答か判別できませんでした",
  },
  skills_missing: {
    en: ({ path }) => `skills_dir names ${path}, which is not a directory`,
    ja: ({ path }) => `skills_dir の ${path} はディレクトリではありません`,
  },
  whole_story: { en: "the story: ", ja: "台本全体：" },
};
