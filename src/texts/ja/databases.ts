import type { ErrorTexts, NoticeTexts } from "../message-texts.ts";

type ErrorCodes =
  | "store_url_invalid"
  | "store_secret_in_file"
  | "store_driver_missing"
  | "store_not_made"
  | "store_older"
  | "store_newer"
  | "store_unreachable"
  | "store_refused"
  | "store_forbidden"
  | "store_failed"
  | "store_missing"
  | "clocks_differ"
  | "task_exists";

const INIT = "e8 fleet init <URL>";

/** データベースに置いた保存先について。 */
export const jaDatabaseErrors: Pick<ErrorTexts, ErrorCodes> = {
  store_url_invalid: (d, tell) => [
    `保存先の URL を使えません：${tell(d.problem)}。`,
    "postgres://user@host:5432/database のように書いてください。パスワードは PGPASSWORD または ~/.pgpass で渡します。",
  ],
  store_secret_in_file: (d) => [
    `${d.file} の store: にパスワードがあります。このプロジェクトの作業者に読まれるおそれがあります。`,
    "ファイルから消し、PGPASSWORD、~/.pgpass、ENDLESS8_STORE のいずれかで渡してください。コミットしたことがあれば、パスワードを変更してください。",
  ],
  store_driver_missing: [
    "PostgreSQL に保存するにはパッケージ pg が必要ですが、endless8 と一緒には入りません。",
    "endless8 と同じ場所に入れてください：npm install -g pg（プロジェクトの依存として使っているなら npm install pg）",
  ],
  store_not_made: (d) => [
    `${d.store} には endless8 の保存先がまだないか、このユーザーには見えません。`,
    `データベースの所有者として一度だけ作ってください：${INIT}`,
  ],
  store_older: (d) => [
    `${d.store} のスキーマは番号 ${d.made} です。このバージョンの endless8 には ${d.known} が必要です。`,
    `データベースの所有者として更新してください：${INIT}`,
  ],
  store_newer: (d) => [
    `${d.store} のスキーマは番号 ${d.made} で、より新しい endless8 が作りました。このバージョンが知るのは ${d.known} までです。`,
    "ここの endless8 を更新してください。",
  ],
  store_unreachable: (d) => [
    `${d.store} に接続できません：${d.problem}`,
    "データベースが動いていて、このマシンから接続できることを確認してください。別のマシンへの接続は、URL に sslmode=disable と書かないかぎり暗号化されます。",
  ],
  store_refused: (d) => [
    `${d.store} に受け入れられませんでした：${d.problem}`,
    "ユーザー、パスワード（PGPASSWORD または ~/.pgpass）、データベースを確認してください。",
  ],
  store_forbidden: (d) => [
    `${d.store} で許可されていません：${d.problem}`,
    "データベースの所有者に、必要なロール（…_reader、…_submitter、…_worker）を頼んでください。",
  ],
  store_failed: (d) => [
    `${d.store} がエラーを返しました：${d.problem}`,
    "これまでの記録は失われていません。繰り返し起きるときは報告してください。",
  ],
  store_missing: (d) => [
    `${d.command} にはデータベースの保存先が必要ですが、指定されていません。`,
    "--store、ENDLESS8_STORE、endless8.yaml の store: のいずれかで指定してください。",
  ],
  clocks_differ: (d) => [
    `このマシンと ${d.store} の時計が ${d.seconds} 秒ずれています。許されるのは ${d.limit} 秒までです。`,
    "時計を合わせて（NTP）から、やり直してください。",
  ],
  task_exists: (d) => [
    `タスク ${d.id} は ${d.place} にすでにあります。そこでは何も変更していません。`,
    "同じ ID の別のタスクかもしれません。両方を `e8 show` で見比べて、要らない方を削除してください。",
  ],
};

export const jaDatabaseNotices: Pick<NoticeTexts, "store_back"> = {
  store_back: (d) =>
    `データベースに ${d.seconds} 秒間つながりませんでした。実行は待っていたので、何も失われていません。`,
};
