import type { enReportFile, enReportHelp } from "../en/report-file.ts";

export const jaReportFile: typeof enReportFile = {
  reportFile: {
    written: (path) => `レポートを ${path} に書きました`,
    verdict: { true: "完了し、証明されました", false: "完了しました（証明はありません）" },
    open: (status) => `完了していません：${status}`,
    task: "タスク",
    criteria: (met, all) => `完了条件：${all} 件のうち ${met} 件を達成`,
    criterion: "完了条件",
    met: "達成",
    unmet: "未達",
    unjudged: "未判定",
    questions: "始める前に回答が必要です",
    choices: (choices) => `候補：${choices}`,
    evidence: "根拠",
    evidenceOf: (id, iteration) => `完了条件 ${id}、イテレーション ${iteration}`,
    proof: "証明",
    holds: (iteration) => `イテレーション ${iteration} の主張は証明されました。`,
    refuted: (iteration) => `イテレーション ${iteration} の主張は反証されました。`,
    check: "チェック",
    before: "作業前",
    after: "作業後",
    states: { true: "成功", false: "失敗", null: "不明" },
    protected: "変更された保護対象のファイル",
    cost: "費用",
    iterations: (count) => `イテレーション ${count} 回`,
    tokens: (amount) => `${amount} トークン`,
    changes: (files, added, removed) => `変更：${files} ファイル、+${added} −${removed}`,
    more: (count) => `ほか ${count} 件`,
    made: (id) => `endless8 の実行 ${id}`,
  },
};

export const jaReportHelp: typeof enReportHelp = {
  report: "実行の完了条件、時系列、証明、変更を 1 つの HTML ファイルに書きます",
  reportOutput: "書き込むファイル。- なら標準出力。省略すると実行ごとの名前になります",
  reportMarkdown: "ページの代わりに Markdown のコメントにします。ファイルを指定しなければ標準出力に書きます",
};
