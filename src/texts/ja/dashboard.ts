import type { enDashboard, enDashboardErrors, enDashboardHelp } from "../en/dashboard.ts";

/** `e8 dashboard` とそのサーバーについての文。 */
export const jaDashboard: typeof enDashboard = {
  dashboard: {
    open: (url) => `ダッシュボード：${url}`,
    once: "このアドレスで入れるブラウザーは一つ、一度だけです。Ctrl-C でダッシュボードが終わります。実行は続きます。",
    exposed: (host) =>
      `${host} で待ち受けます。このマシンに届き、アドレスを知った人は、ここでプログラムを実行できます。通信は暗号化されません。`,
    readOnly: "表示だけを行い、何も変更しません。",
    begun: (id) => `タスク ${id} が始まりました。`,
    goesOn: (id) => `タスク ${id} が続きます。`,
    forked: (id, from) =>
      from === 0
        ? `タスク ${id} が開始時点から始まりました。`
        : `タスク ${id} がイテレーション ${from} から始まりました。`,
    answersKept: (open) => `回答を保存しました。残りの質問は ${open} 件です。`,
    notBegun: "未着手",
    leave: "ページは Ctrl-C を押すまで表示できます。",
    loginTitle: "端末からダッシュボードを開いてください",
    login:
      "e8 dashboard が表示するアドレスで入れるブラウザーは一つ、一度だけです。以前に開いたことがある場合は、リンクを開いてください。それ以外の場合は、e8 dashboard をもう一度実行してください。",
    loginAgain: "ダッシュボードへ",
  },
};

export const jaDashboardHelp: typeof enDashboardHelp = {
  dashboard: "タスクをブラウザーに表示し、そこから操作します",
  dashboardProject: "表示するプロジェクト（複数指定できます）",
  port: "待ち受けるポート。省略すると、いつものポートか、空いているポートを使います",
  host: "待ち受けるアドレス。このマシン以外のアドレスでは、他のマシンからも入れます",
  noOpen: "ブラウザーを開きません",
  readOnly: "表示だけを行います。ページからの開始、操作、変更はできません",
  demoDashboard: "デモの実行をブラウザーに表示します",
};

const REFUSALS = {
  host: ["ダッシュボードとは別の名前宛ての要求です。", "e8 dashboard が表示したアドレスを開いてください。"],
  origin: ["別のサイトのページからの要求です。", "e8 dashboard が表示したアドレスを開いてください。"],
  login: [
    "このブラウザーはまだ登録されていません。",
    "e8 dashboard が表示したアドレスを開いてください。一度だけ使えます。",
  ],
  read_only: [
    "このダッシュボードは表示だけを行います。",
    "ページから変更するには、--read-only を付けずに実行してください。",
  ],
} as const;

export const jaDashboardErrors: typeof enDashboardErrors = {
  dashboard_refused: ({ why }) => REFUSALS[why],
  dashboard_request: (d) => [`要求を読み取れません：${d.problem}`, "ページを読み込み直してください。"],
  dashboard_nothing: (d) => [`${d.path} には何もありません。`, "タスクの一覧に戻ってください。"],
  dashboard_port: (d) => [
    `${d.host} のポート ${d.port} で待ち受けできません：${d.problem}`,
    "--port で別のポートを選ぶか、省略してください。",
  ],
  dashboard_unbuilt: (d) => [
    `ダッシュボードのページがありません：${d.path}`,
    "チェックアウトでは `npm run compile` で作成してください。git の URL から入れたパッケージには含まれません。レジストリから endless8 を入れてください。",
  ],
  dashboard_run: (d) => [d.problem, d.hint],
  dashboard_elsewhere: (d) => [
    `この操作には ${d.project} のファイルが必要ですが、このマシンにはありません。`,
    "そのプロジェクトのチェックアウトで同じ名前のコマンドを使うか、そこで e8 dashboard を起動してください。",
  ],
};
