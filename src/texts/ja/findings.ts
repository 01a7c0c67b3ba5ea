import { jaLogin } from "../login.ts";
import { type FindingTexts, filledIn } from "../message-texts.ts";
import { jaErrors } from "./errors.ts";

export const jaFindings: FindingTexts = {
  node_ok: (d) => [`Node ${d.version}`],
  node_old: (d) => [
    `Node ${d.version} は古すぎます`,
    `Node ${d.needed} 以上をインストールしてください：https://nodejs.org`,
  ],
  git_ok: (d) => [`git ${d.version}`],
  git_missing: [
    "git が見つかりません",
    "git をインストールしてください。変更されたファイルを早く検出でき、エージェントも使えます。",
  ],
  shell_ok: (d) => [`bash ${d.version}`],
  shell_plain: [
    "bash が見つからないため、チェックは sh で実行します",
    "bash をインストールしてください。チェックの `pipefail: true` に必要な場合があります。",
  ],
  sandbox_ok: (d) => [`作業者とチェックはサンドボックスで実行します：${d.levels}（${d.adapter}）`],
  sandbox_slower: (d) => [
    `作業者とチェックはサンドボックスで実行します：${d.levels}（${d.adapter}）`,
    "bubblewrap があると `--sandbox strict` も使え、起動が数ミリ秒速くなります。パッケージ bubblewrap をインストールしてください。",
  ],
  sandbox_none: (d, tell) => [
    `サンドボックスがありません：${tell(d.problem)}。作業者とチェックはあなたの権限で実行します`,
    "Linux では bubblewrap をインストールするか、ユーザー名前空間を許可してください（コンテナでは --security-opt seccomp=unconfined または --privileged）。",
  ],
  claude_ok: (d) => [`Claude Code ${d.version}（${d.path}）`],
  claude_missing: (d) => [
    `Claude Code が見つかりません：${d.wanted}`,
    "claude_options.executable を直すか、endless8 を optional パッケージも含めて入れ直してください。",
  ],
  claude_broken: (d) => [
    `${d.path} が起動しません：${d.problem}`,
    "--version を付けて自分で実行してみて、失敗するなら入れ直してください。",
  ],
  login_ok: (d) => [`ログイン済み（${d.method}）。確認にトークンは使っていません`],
  key_untried: (d) => [`キーが設定されています（${d.source}）。有効かどうかは試していません`],
  provider_untried: (d) => [`${d.provider} を使う設定です。接続は試していません`],
  login_missing: (d) => [
    "Claude Code がログインしていません",
    `\`${d.program}\` を起動して /login するか、ANTHROPIC_API_KEY を設定してください。`,
  ],
  login_unknown: (d) => [
    `この Claude Code ではログイン状態がわかりません：${d.problem}`,
    `一度 \`${d.program}\` を起動し、求められたら /login してください。新しい版なら確認できます。`,
  ],
  acp_absent: (d) => [
    `${d.title} はインストールされていません。PATH に ${d.program} がありません`,
    d.install === "" ? "agent を直すか、プログラムをインストールしてください。" : `使うには：\`${d.install}\``,
  ],
  acp_ok: (d) => [
    `${[d.title, d.version].filter(Boolean).join(" ")}（${d.path}）は Agent Client Protocol で応答します`,
  ],
  acp_broken: (d, tell) => [
    `${d.title}（${d.path}）を起動できません：${tell(d.problem)}`,
    "更新するか、もう一度インストールしてください。",
  ],
  acp_key_untried: (d) => [`${d.title}：キーが設定されています（${d.source}）。有効かどうかは試していません`],
  acp_login_found: (d) => [`${d.title}：ログイン情報があります（${d.file}）。有効かどうかは試していません`],
  acp_login_needless: (d) => [`${d.title} にログインは不要です。${d.file} が指定するモデルの提供元はキーを使いません`],
  acp_login_missing: (d) => [`${d.title} にログインしていません`, `${jaLogin(d)}ください。`],
  acp_login_unknown: (d) => [
    `${d.title} にログインしているかどうかは外からは分かりません${d.ways === "" ? "" : `。使えるログイン方法：${d.ways}`}`,
  ],
  api_key_ok: (d) => [
    `${d.model}: ${d.source ? `キーは ${d.source}` : "キーなしで使います"}（ここでは問い合わせません）`,
  ],
  package_missing: (d) => [
    `${d.model}: パッケージ ${d.package} が入っていません`,
    `npm install ${d.package}@4（endless8 をグローバルに入れている場合は -g を付けます）`,
  ],
  api_key_missing: (d) => [
    `${d.model}: ${d.variable} が設定されていません`,
    "設定するか、Claude Code のモデルを指定してください。",
  ],
  mcp_none: ["MCP サーバーは設定されていません"],
  mcp_ok: (d) => [`MCP サーバー：${d.servers}（ここでは起動していません）`],
  mcp_program_missing: (d) => [
    `MCP サーバー ${d.server} のプログラム ${d.program} が見つかりません`,
    "プログラムを入れるか、サーバーの設定を外してください。エージェントはこれなしで作業します。",
  ],
  mcp_left_out: (d) => [
    `.mcp.json の未承認の MCP サーバーは起動しません：${d.servers}`,
    "使うには mcp_servers に名前を書くか、Claude Code で承認してください。",
  ],
  mcp_undefined: (d) => [
    `mcp_servers に ${d.server} とありますが、その名前の MCP サーバーは設定されていません`,
    "名前を直すか、サーバーを設定してください：claude mcp add",
  ],
  records_ok: (d) => [`${d.path} に書き込めます`],
  records_unwritable: (d, tell) => [
    `${d.path} に書き込めません：${tell(d.problem)}`,
    "所有者か権限を変えるか、別の --project を指定してください。",
  ],
  disk_ok: (d) => [`記録用の空き容量 ${d.free}`],
  disk_low: (d) => [
    `記録用の空き容量が ${d.free} しかありません`,
    "長い実行の前に空きを作ってください。エージェントとチェックも容量を使います。",
  ],
  disk_full: (d) => [
    `ディスクが一杯です（空き ${d.free}）`,
    "空きを作ってください。このままでは記録を書き込めません。",
  ],
  duckdb_ok: (d) => [`DuckDB ${d.version}`],
  duckdb_broken: (d) => [
    `DuckDB を読み込めません：${d.problem}`,
    "このマシンで endless8 を入れ直してください。なくても動きますが、履歴が長いと遅くなります。",
  ],
  task_ok: (d) => [`${d.file} は実行できます`],
  settings_ok: ["プロジェクトの設定に問題はありません"],
  settings_broken: ({ error }, tell) => filledIn(jaErrors[error.code], error.details, tell),
  pipe_hides_exit: (d) => [
    `\`${d.command}\` にはパイプがあり、最後のコマンドの終了コードしか見えません`,
    "完了条件に `pipefail: true` を付けてください。",
  ],
};
