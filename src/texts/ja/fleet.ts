import type { enFleet, enFleetHelp } from "../en/fleet.ts";

/** 複数のマシンで共有する保存先についての文。 */
export const jaFleet: typeof enFleet = {
  fleet: {
    made: (store, number) => `${store} の用意ができました（スキーマ ${number}）。`,
    brought: (store, before, number) => `${store}：スキーマ ${before} → ${number}`,
    asItWas: (store, number) => `${store} は最新です（スキーマ ${number}）。`,
    roles: (roles) => `ログインに与えるロール：${roles}`,
    rolesMissing: (missing) =>
      `足りないロール：${missing}。このユーザーはロールを作れません。作れるユーザー（CREATEROLE）で e8 fleet init を実行するか、全員が所有者として接続してください。`,
    size: (size) => `サイズ ${size}`,
    empty: 'まだタスクがありません。始めるには：e8 run "…" --check "…" --store <URL>',
    projectColumns: ["プロジェクト", "タスク", "実行中", "順番待ち", "最も古い待ち", "期限切れ", "完了", "今日の費用"],
    workerColumns: ["作業プロセス", "マシン", "ラベル", "プロジェクト", "タスク", "最後の応答", ""],
    ago: (seconds) => `${seconds} 秒前`,
    leaving: "抜けるところ",
    waits: (id, until) => `${id} は ${until} まで利用上限の解除を待っています`,
    heldColumns: ["タスク ID", "プロジェクト", "プロセス", "開始", "リース"],
    lapsed: "期限切れ",
    paused: "一時停止中",
    follow: (id) => `e8 watch ${id}`,
    answered: (id) => `回答を保存しました。${id} は再び作業プロセスを待っています。`,
    labelForm: "ラベルは英数字とドット、ハイフン、アンダースコアで 40 文字までです",
    lineMissing:
      "作業プロセスと e8 submit にはパッケージ bullmq も必要です：npm install -g bullmq@6.7.0。その後でもう一度実行してください。",
    copied: (id) => `${id}  コピーしました`,
    moved: (id) => `${id}  移しました`,
    thereAlready: (id) => `${id}  すでにあります`,
    transferred: (tasks, entries) => `タスク ${tasks} 件と、プロジェクトの知識 ${entries} 件を移し終えました。`,
  },
  worker: {
    joined: (name, slots, projects, labels) =>
      `作業プロセス ${name} は ${projects} のタスクを同時に ${slots} 件まで受け持ちます${labels === "" ? "" : `（ラベル：${labels}）`}。Ctrl-C または SIGTERM で抜けます。`,
    draining: (tasks) =>
      tasks === 0 ? "抜けます。" : `新しいタスクは受け持ちません。作業中の ${tasks} 件は列に戻します。`,
    left: (tasks) => `作業プロセスが抜けました。受け持ったタスクは ${tasks} 件です。`,
    away: (problem) => `データベースにつながらないため、待っています。${problem}`,
    back: "データベースにつながりました。",
    taken: "受け持ちました",
    ended: (status) => `終了：${status}`,
    handedBack: "列に戻しました。別の作業プロセスが続けられます",
    lost: "この作業プロセスの応答がなかったため、別の作業プロセスが引き継ぎました。ここのエージェントは終了させました",
    postponed: (problem, seconds) => `今は実行できません。${seconds} 秒後にやり直します：${problem}`,
    failed: (problem) => `実行できません：${problem}`,
  },
};

export const jaFleetHelp: typeof enFleetHelp = {
  store:
    "タスクの保存先：複数のマシンで共有するデータベース postgres://…、または files。ENDLESS8_STORE や endless8.yaml の store: でも指定できます",
  fleet: "複数のマシンで共有する保存先を作る、見る",
  fleetInit: "PostgreSQL のデータベースに保存先を作るか、最新にする（何度実行してもよい）",
  fleetInitUrl: "postgres://owner@host:5432/database",
  fleetStatus: "共有の保存先にあるものを全プロジェクトについて見る。タスクを持っているプロセスも示す",
  worker: "共有の列からタスクを受け持って作業する（SIGTERM か Ctrl-C で抜ける）",
  repo: "タスクを受け持つリポジトリの URL（* と ** も可）、または、このプロジェクト自身を表す .（繰り返し可）",
  submitRepo: "作業するリポジトリ。どの作業プロセスのマシンからも届く URL",
  allow: "このマシンが引き受けることの一覧（YAML）",
  allowCommand: "タスクがエージェントの外で実行してよいコマンド。* も可（繰り返し可）",
  concurrency: "同時に受け持つタスクの数",
  workerLabel: "このラベルを求めるタスクも受け持つ（繰り返し可）",
  workerName: "e8 fleet status に出る名前。省略するとホスト名とプロセス ID",
  drainTime: "抜けるときに、進行中のイテレーションを待つ秒数。過ぎるとそのまま列に戻す",
  workerSamePlace: "同じディレクトリで複数のタスクが同時に作業することを許す",
  submit: "タスクを共有の列に入れる。ラベルの合う最初の作業プロセスが作業する",
  submitTask: "やることを言葉で。- なら標準入力。タスクファイルの名前も指定できる",
  submitLabel: "このラベルを持つ作業プロセスだけがタスクを受け持つ（繰り返し可）",
  priority: "critical、urgent、high、normal、low、または P0〜P9。1 つ上げると 1 時間の待ちに当たる",
  orchestrateWorkerLabel: "--store のとき：このラベルを持つ作業プロセスだけがイシューを受け持つ（繰り返し可）",
  submitResume: "保存されているタスクをもう一度列に入れ、記録の続きから進める",
  export: "タスクをすべての記録とともに、データベースからプロジェクトのファイルへコピーする",
  import: "タスクをすべての記録とともに、プロジェクトのファイルからデータベースへコピーする",
  transferIds: "タスク ID、またはその一部。省略するとすべてのタスクとプロジェクトの知識",
  move: "移し終えたタスクを元の場所から削除する",
};
