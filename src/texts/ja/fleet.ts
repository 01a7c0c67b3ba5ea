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
    projectColumns: ["プロジェクト", "タスク", "実行中", "期限切れ", "完了", "今日の費用"],
    heldColumns: ["タスク ID", "プロジェクト", "プロセス", "開始", "リース"],
    lapsed: "期限切れ",
    paused: "一時停止中",
    copied: (id) => `${id}  コピーしました`,
    moved: (id) => `${id}  移しました`,
    thereAlready: (id) => `${id}  すでにあります`,
    transferred: (tasks, entries) => `タスク ${tasks} 件と、プロジェクトの知識 ${entries} 件を移し終えました。`,
  },
};

export const jaFleetHelp: typeof enFleetHelp = {
  store:
    "タスクの保存先：複数のマシンで共有するデータベース postgres://…、または files。ENDLESS8_STORE や endless8.yaml の store: でも指定できます",
  fleet: "複数のマシンで共有する保存先を作る、見る",
  fleetInit: "PostgreSQL のデータベースに保存先を作るか、最新にする（何度実行してもよい）",
  fleetInitUrl: "postgres://owner@host:5432/database",
  fleetStatus: "共有の保存先にあるものを全プロジェクトについて見る。タスクを持っているプロセスも示す",
  export: "タスクをすべての記録とともに、データベースからプロジェクトのファイルへコピーする",
  import: "タスクをすべての記録とともに、プロジェクトのファイルからデータベースへコピーする",
  transferIds: "タスク ID、またはその一部。省略するとすべてのタスクとプロジェクトの知識",
  move: "移し終えたタスクを元の場所から削除する",
};
