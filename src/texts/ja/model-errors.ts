import { jaLogin } from "../login.ts";
import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes =
  | "authentication"
  | "package_missing"
  | "api_key_missing"
  | "proxy_refused"
  | "billing"
  | "review_unusable"
  | "agent_configuration"
  | "unreachable";

/** What keeps an agent or a model from answering. */
export const jaModelErrors: Pick<ErrorTexts, ErrorCodes> = {
  authentication: (d, tell) => [
    `エージェントがログインできません：${tell(d.message)}`,
    d.variable
      ? `${d.variable} を直してから \`e8 run --resume\` で続けてください。`
      : d.login
        ? `${jaLogin(d.login)}から \`e8 run --resume\` で続けてください。`
        : "`claude` を起動して /login するか（同梱のものの場所は `e8 doctor` が示します）、ANTHROPIC_API_KEY を設定し、`e8 run --resume` で続けてください。",
  ],
  package_missing: (d) => [
    `${d.model} にはパッケージ ${d.package} が必要です。使う人が少ないため、endless8 には含まれていません。`,
    `endless8 と同じ場所に入れる（npm install ${d.package}@4。endless8 をグローバルに入れている場合は -g を付けます）か、別のモデルを指定してください。まだ何も始めていません。`,
  ],
  api_key_missing: (d) => [
    `${d.model}（${d.roles}）は API で使うため、${d.variable} が必要です。`,
    `設定するか、Claude Code のモデルを指定してください。まだ何も始めていません。`,
  ],
  proxy_refused: (d) => [
    `プロキシ ${d.proxy} が ${d.address} への接続を許可しません（${d.status}）。`,
    d.status === 407
      ? "HTTPS_PROXY または HTTP_PROXY にユーザー名とパスワードを入れ（http://user:password@host:port）、`e8 run --resume` で続けてください。"
      : `プロキシで ${d.address} を許可するか、直接つながるなら NO_PROXY に加えて、\`e8 run --resume\` で続けてください。`,
  ],
  billing: (d, tell) => [
    `アカウントの残高などの問題です：${tell(d.message)}`,
    "解消してから `e8 run --resume` で続けてください。",
  ],
  review_unusable: (d, tell) => [
    `作業をレビューできませんでした。${d.model} から使える回答がありません：${tell(d.problem)}。`,
    "作業は残っており、あとは完了の確認だけです。`e8 run --resume` でもう一度尋ねてください。別のモデルにするには `--reviewer MODEL`、レビューなしにするには `--no-review` を付けます。",
  ],
  agent_configuration: (d, tell) => [
    `エージェントを使えません：${tell(d.message)}`,
    "直してから `e8 run --resume` で続けてください（別のプログラムにするには `--agent-command`）。タスク自身の設定でしか直せないものは、新しいタスクが必要です。",
  ],
  unreachable: (d, tell) => [
    `${d.hours} 時間モデルに接続できませんでした：${tell(d.message)}`,
    "ネットワークとサービスの状態を確認し、`e8 run --resume` で続けてください。",
  ],
};
