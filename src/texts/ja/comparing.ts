import type { enComparing, enComparingHelp } from "../en/comparing.ts";

export const jaComparing: typeof enComparing = {
  comparing: {
    begun: (id) => `始めます（タスク ${id}）`,
    goesOn: (id) => `続きから実行します（タスク ${id}）`,
    ended: (words) => `終了：${words}`,
    failed: (problem) => `実行できません：${problem}`,
    keeping: "これを残します。作業は設定どおりに仕上げます",
    removed: (branch, commit) =>
      commit === null
        ? `ブランチ ${branch} とそのワークツリーを削除しました。作業はありませんでした`
        : `ブランチ ${branch} とそのワークツリーを削除しました。作業は ${commit.slice(0, 10)} に残っています（戻すには：git branch ${branch} ${commit.slice(0, 10)}）`,
    ignored: (files) => `git の管理外のファイルはワークツリーとともに削除されました：${files}`,
    presumed: (base, commit) => `派生元は、今いるブランチ ${base}（${commit}）です（別のブランチにするには --base）。`,
    dirty: "チェックアウトにコミットしていない変更があります。どの実行からも見えません。",
    dryRun: "次のように比べます。まだ何も始めていません。",
    planColumns: ["#", "エージェント", "モデル", "派生元", "開始点", "残したとき"],
    rows: {
      status: "状態",
      criteria: "達成した完了条件",
      proof: "証明",
      iterations: "イテレーション",
      time: "時間",
      tokens: "トークン",
      cost: "コスト",
      changes: "変更",
      branch: "ブランチ",
      task: "タスク",
      landing: "作業",
    },
    notBegun: "未開始",
    proofs: { "clean-room": "クリーンなチェックアウト", "in-place": "その場", refuted: "否定された" },
    noProof: "なし",
    unknown: "不明",
    atLeast: (cost) => `不明（少なくとも ${cost}）`,
    removedWork: (commit) => `削除済み（${commit.slice(0, 10)}）`,
    stays: "ブランチ上",
    afterwards: (words) => (words.length === 0 ? "ブランチに残ります" : words.join("、")),
    goals: { merge: "マージ", push: "プッシュ", create_pr: "プルリクエスト" },
    choose: (id) =>
      `何もマージしていません。1 つを残すには：e8 compare --keep <番号かエージェント> ${id}。すべて削除するには --keep none です`,
    resume: (id) => `続けるには：e8 compare --resume ${id}`,
    ask: "どれを残しますか。その作業を仕上げ、ほかのブランチは削除します。",
    later: "あとで決める",
    notKept: (number, agent) =>
      `${number}（${agent}）は仕上がりませんでした。ブランチとワークツリーはすべて残っています。`,
    liveColumns: ["#", "エージェント", "状態", "イテレーション", "完了条件", "トークン"],
  },
};

export const jaComparingHelp: typeof enComparingHelp = {
  compare: "1 つのタスクを複数のエージェントで 1 回ずつ実行し、結果を並べて示します",
  compareWhat: "タスク、またはタスクファイル。--agent がなければ比較（そのタスクの 1 つの id）",
  compareAgent: "比べるエージェント（繰り返し指定可）。モデルも指定できます：claude@opus",
  compareParallel: "同時に実行する数。数を書かなければすべて同時",
  compareKeep: "これ（番号かエージェント）を仕上げ、ほかを削除します。none ならすべて削除",
  compareOthers: "ほかのブランチとワークツリーの扱い：remove（削除）か keep（残す）",
  compareResume: "途中で止まった実行を続けます",
  compareDryRun: "何をどこから比べるかを示すだけで、何も始めません",
};
