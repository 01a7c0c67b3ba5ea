import type { AgentMessages } from "../../model/messages/agents.ts";
import type { MessageTexts } from "../message-texts.ts";

export const agentsMessages: MessageTexts<AgentMessages> = {
  acp_command_missing: {
    en: "agent.acp needs a command: the program that speaks the Agent Client Protocol",
    ja: "agent.acp には command（Agent Client Protocol を話すプログラム）が必要です",
  },
  acp_mode_unknown: {
    en: ({ title, mode, known }) =>
      `${title} has no mode ${mode}${known.length > 0 ? `; it has: ${known.join(", ")}` : ""}`,
    ja: ({ title, mode, known }) =>
      `${title} にモード ${mode} はありません${known.length > 0 ? `。使えるモード：${known.join("、")}` : ""}`,
  },
  acp_model_unknown: {
    en: ({ title, model, known }) =>
      known.length > 0
        ? `${title} has no model ${model}; it has: ${known.join(", ")}`
        : `${title} does not let others choose its model (${model}); set it in its own configuration, and leave it out here`,
    ja: ({ title, model, known }) =>
      known.length > 0
        ? `${title} にモデル ${model} はありません。使えるモデル：${known.join("、")}`
        : `${title} のモデル（${model}）は外から選べません。${title} 自身の設定で選び、ここでは指定しないでください`,
  },
  acp_not_logged_in: {
    en: ({ title, said, command }) =>
      `${title} is not logged in: ${said}${command === "" ? "" : `. To log in: ${command}`}`,
    ja: ({ title, said, command }) =>
      `${title} にログインしていません：${said}${command === "" ? "" : `。ログインするには：${command}`}`,
  },
  acp_not_started: {
    en: ({ title, said }) =>
      `${title} did not begin to speak the Agent Client Protocol${said === "" ? "" : `: ${said}`}. Run its command yourself: it must wait for input and print nothing else`,
    ja: ({ title, said }) =>
      `${title} は Agent Client Protocol で応答しませんでした${said === "" ? "" : `：${said}`}。コマンドを手元で実行し、何も表示せずに入力を待つことを確かめてください`,
  },
  acp_other_version: {
    en: ({ title, spoken, ours }) =>
      `${title} speaks version ${spoken} of the Agent Client Protocol, endless8 speaks ${ours}. Update ${spoken < ours ? title : "endless8"}`,
    ja: ({ title, spoken, ours }) =>
      `${title} の Agent Client Protocol は版 ${spoken}、endless8 は版 ${ours} です。${spoken < ours ? title : "endless8"} を更新してください`,
  },
  acp_overspent: {
    en: ({ most }) => `it has cost $${most}, the rest of the budget`,
    ja: ({ most }) => `予算の残り $${most} を使い切りました`,
  },
  acp_program_missing: {
    en: ({ title, program, install }) =>
      `${title} was not found: there is no ${program} on the PATH${install === "" ? "" : `. To install it: ${install}`}`,
    ja: ({ title, program, install }) =>
      `${title} が見つかりません。PATH に ${program} がありません${install === "" ? "" : `。インストールするには：${install}`}`,
  },
  acp_refused: ({ title, said }) => `${title}: ${said}`,
  acp_server_unreachable: {
    en: ({ title, server, type }) => `${title} cannot use the MCP server ${server}: it does not speak ${type}`,
    ja: ({ title, server, type }) => `${title} は MCP サーバー ${server} を使えません。${type} に対応していません`,
  },
  acp_stopped: {
    en: ({ reason }) => `it stopped before the end (${reason})`,
    ja: ({ reason }) => `途中で止まりました（${reason}）`,
  },
  acp_write_outside: {
    en: ({ path }) => `${path} is outside of the working directory, or belongs to endless8 or git`,
    ja: ({ path }) => `${path} は作業ディレクトリの外にあるか、endless8 や git のファイルです`,
  },
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
  worker_away: {
    en: ({ worker }) => `${worker} cannot be asked now`,
    ja: ({ worker }) => `${worker} は今は使えません`,
  },
};
