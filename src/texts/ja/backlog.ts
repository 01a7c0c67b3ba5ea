import type { enBacklog, enBacklogHelp } from "../en/backlog.ts";

export const jaBacklog: typeof enBacklog = {
  backlog: {
    begun: (title, id, who) => `${title}（タスク ${id}${who ? `、${who}` : ""}）`,
    goesOn: (title, id) => `${title}：続きから実行します（タスク ${id}）`,
    ended: (words) => `終了：${words}`,
    parked: (problem) => `確認待ち：${problem}`,
    idle: (time) => `することがありません。${time} にもう一度確かめます`,
    nothing: "取り組むべき未完了のイシューはありません。",
    dryRun: "この順で実行されます。まだ何も始めていません。",
    columns: ["#", "状態", "タスク", "件名"],
    planColumns: ["#", "フェーズ", "エージェント", "ブランチ", "派生元", "件名"],
    noBase: "なし（--base で指定してください）",
    state: { done: "完了", parked: "確認待ち", waits: "順番待ち", left: "未完了" },
    landing: {
      merged: "マージ中",
      conflict: "競合",
      landed: "マージ済み",
      kept: "マージ済み（派生元は未更新）",
      published: "プッシュ済み",
      failed: "未マージ",
    },
    blockedBy: (numbers) => `先に終えるイシュー：${numbers}`,
    forward: "派生元はチェックアウトされているため、動かしていません。チェックアウトを進めるには：",
    forwardAsk: "今すぐ実行しますか？",
    forwarded: (base, isDone) =>
      isDone ? `${base} のチェックアウトを進めました。` : `あなたの変更と重なるため、${base} はそのままにしました。`,
    budget: "全体の予算を使い切ったため、新しいイシューは始めません。",
    next: "続きから実行するには：e8 orchestrate --resume",
    counts: (done, all, cost) => `${all} 件中 ${done} 件のイシューが完了しました${cost}`,
    liveColumns: ["イシュー", "フェーズ", "現在", "イテレーション", "完了条件", "トークン", "件名"],
    more: (count) => `… 残り ${count} 件`,
    statusColumns: ["タスク", "#", "状態", "イテレーション", "完了条件", "使用量", "件名"],
    nothingRuns: "実行中、待機中、確認待ちのものはありません。",
    doing: {
      running: "実行中",
      waiting: "待機中",
      to_merge: "マージの順番待ち",
      merging: "マージ中",
      paused: "一時停止中",
      queued: "順番待ち",
    },
    until: (time) => `${time} まで`,
  },
};

export const jaBacklogHelp: typeof enBacklogHelp = {
  orchestrate: "未完了のイシューに、それぞれ専用のブランチで取り組みます",
  orchestrateLabel: "このラベルのあるイシューだけ（複数ならすべてを持つもの）",
  orchestrateIssue: "このイシューだけ（複数指定可）",
  orchestrateLimit: "始めるイシューの数の上限",
  parallel: "同時に取り組むイシューの数",
  orchestrateResume: "確認待ちのイシューにも、もう一度取り組みます",
  watchIssues: "新しいイシューをこの間隔で探し続けます（例：30s、5m）",
  orchestrateDryRun: "何に、どの順で、どのブランチで取り組むかだけを表示します",
  status: "このプロジェクトで実行中、待機中、マージ中、確認待ちのものと、その理由",
};
