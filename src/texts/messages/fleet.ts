import type { FleetMessages } from "../../model/messages/fleet.ts";
import type { MessageTexts } from "../message-texts.ts";

export const fleetMessages: MessageTexts<FleetMessages> = {
  repository_url_secret: {
    en: "its URL holds a password, which everybody who can read the database would see",
    ja: "URL にパスワードが含まれています。データベースを読める人全員に見えてしまいます",
  },
  repository_url_scheme: {
    en: ({ url }) => `${url} is not a URL of https, http, ssh or git, nor host:path`,
    ja: ({ url }) => `${url} は https、http、ssh、git の URL でも、host:path の形でもありません`,
  },
  repository_url_local: {
    en: ({ url }) => `${url} is a path of one machine`,
    ja: ({ url }) => `${url} は 1 台のマシンだけのパスです`,
  },
  ref_name_invalid: {
    en: ({ key, name }) => `${key}: ${name} is no name of a branch`,
    ja: ({ key, name }) => `${key}：${name} はブランチ名として使えません`,
  },
  submitted_path_outside: {
    en: ({ key, path }) => `${key}: ${path} is outside the repository`,
    ja: ({ key, path }) => `${key}：${path} はリポジトリの外にあります`,
  },
  submitted_key_refused: {
    en: ({ key }) => `${key} is about one machine's files or its user, so a task for a fleet cannot have it`,
    ja: ({ key }) => `${key} は特定のマシンのファイルや利用者に関わるため、共有のタスクには指定できません`,
  },
  submitted_value_secret: {
    en: ({ key }) => `${key} holds a secret, which everybody who can read the database would see`,
    ja: ({ key }) => `${key} に秘密の値が含まれています。データベースを読める人全員に見えてしまいます`,
  },
  submitted_repository_missing: {
    en: "it names no repository",
    ja: "リポジトリの指定がありません",
  },
  allowance_repository: {
    en: ({ url }) => `the repository ${url} is not on this machine's list`,
    ja: ({ url }) => `リポジトリ ${url} はこのマシンの許可リストにありません`,
  },
  allowance_base: {
    en: ({ base }) => `the base ${base} is not on this machine's list`,
    ja: ({ base }) => `ベース ${base} はこのマシンの許可リストにありません`,
  },
  allowance_command: {
    en: ({ key, command }) => `${key}: the command \`${command}\` is not on this machine's list`,
    ja: ({ key, command }) => `${key}：コマンド \`${command}\` はこのマシンの許可リストにありません`,
  },
  allowance_agent: {
    en: ({ agent }) => `the agent ${agent} is not on this machine's list`,
    ja: ({ agent }) => `エージェント ${agent} はこのマシンの許可リストにありません`,
  },
  allowance_server: {
    en: ({ name }) => `mcp_servers: ${name} is not on this machine's list`,
    ja: ({ name }) => `mcp_servers：${name} はこのマシンの許可リストにありません`,
  },
  allowance_credential: {
    en: ({ name }) => `pass_credentials: this machine does not hand on ${name}`,
    ja: ({ name }) => `pass_credentials：このマシンは ${name} を渡しません`,
  },
  allowance_host: {
    en: ({ key, host }) => `${key}: the host ${host} is not on this machine's list`,
    ja: ({ key, host }) => `${key}：ホスト ${host} はこのマシンの許可リストにありません`,
  },
  allowance_sandbox: {
    en: ({ level, least }) => `sandbox: ${level} is weaker than ${least}, which this machine asks for`,
    ja: ({ level, least }) => `sandbox：${level} は、このマシンが求める ${least} より弱い設定です`,
  },
};
