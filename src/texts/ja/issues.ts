import type { enIssues, enIssuesHelp } from "../en/issues.ts";

export const jaIssues: typeof enIssues = {
  issues: {
    none: '該当するイシューはありません。追加するには：e8 issues add "…" -c "…" --check "…"',
    columns: ["#", "状態", "経過", "ラベル", "件名"],
    state: { OPEN: "未完了", CLOSED: "完了", MERGED: "マージ済み" },
    added: (number, url) => `イシュー #${number} を追加しました：${url}`,
    closed: (number) => `イシュー #${number} を閉じました。`,
    number: "イシューの番号（例：12）",
    oneLine: "空でない 1 行",
    word: "空白を含まない語",
    task: "タスク",
    criteria: "完了条件",
    noCriteria: "なし（何が成り立てば完了かは、受付エージェントが尋ねます）",
    labels: "ラベル",
    priority: "優先度",
    blockedBy: "先に終えるイシュー",
    base: "作業の起点",
    created: "作成",
    by: (when, author) => `${when}、${author}`,
    comments: (count) => `コメント（${count}）`,
  },
  labels: {
    change: { created: "作成", updated: "更新", unchanged: "変更なし" },
    dryRun: "変更される内容です。まだ何も変えていません。",
  },
};

export const jaIssuesHelp: typeof enIssuesHelp = {
  issues: "イシューの一覧：list、add、show、close",
  issuesList: "プロジェクトのトラッカー（GitHub または .e8/issues）のイシューを一覧します",
  issuesAdd: "イシューを追加します",
  issuesShow: "イシューと、実行に渡す内容を表示します",
  issuesClose: "イシューを閉じます",
  issueNumber: "イシューの番号",
  issueTitle: "すること（1 行）",
  issueBody: "詳しい説明。- なら標準入力から読みます",
  issueLabel: "このラベルのあるイシューだけ（複数ならすべてを持つもの）",
  issueState: "open、closed、all のいずれか",
  issueLimit: "最大の件数",
  issueAddLabel: "ラベル（複数可）",
  issuePriority: "優先度。プロジェクトでの呼び方で（high、P1 など）",
  issueBlockedBy: "先に閉じるべきイシューの番号（複数可）",
  issueBase: "作業の起点（git の branch）",
  labels: "workflow.json のラベル",
  labelsSync: ".agent/workflow.json のラベルをトラッカーに作ります。ほかのラベルはそのままです",
  labelsDryRun: "変更される内容を表示するだけにします",
};
