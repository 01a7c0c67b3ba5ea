import type { CheckCounts, enProof } from "../en/proof.ts";
import { findingKinds } from "../messages/review.ts";

export const jaProof: typeof enProof = {
  title: "証明",
  checks: "チェック",
  judged: "別の判定",
  flaky: (passed: number, needed: number) =>
    `不安定：同じファイルで失敗も成功もしました。連続成功は ${needed} 回中 ${passed} 回`,
  inPlace: "作業場所でもう一度確認",
  protected: "保護されたファイル",
  start: "開始時",
  untouched: "開始時のままです",
  notCompared: "開始時のスナップショットがないため、比べていません",
  changed: {
    review: (files) => `変更あり（認めるかどうかはレビューエージェントが決めます）：${files}`,
    fail: (files) => `変更あり：${files}`,
    restore: (files) => `変更があったため、チェックは開始時のファイルで実行しました：${files}`,
    off: (files) => `変更あり（設定により保護していません）：${files}`,
  },
  allowed: (files) => `変更あり（may_change が認めています）：${files}`,
  madeSince: "開始後に作られ git が無視するファイル",
  sandbox: "サンドボックス",
  sandboxed: (level, adapter) => `${level}（${adapter}）`,
  sandboxOff: "off：作業者とチェックはあなたの権限で実行しました",
  sandboxMissing: (problem) => `なし（作業者とチェックはあなたの権限で実行しました）：${problem}`,
  more: (count: number) => `ほか ${count} 件`,
  method: {
    "clean-room": (commit: string) => `${commit} のクリーンなチェックアウトでチェックをもう一度実行しました`,
    "in-place": (_commit: string) => "クリーンなチェックアウトではなく、作業場所でチェックをもう一度実行しました",
  },
  noChecks: {
    "clean-room": (commit: string) =>
      `もう一度実行するチェックはありません。${commit} についての判定とレビューによります`,
    "in-place": (_commit: string) => "もう一度実行するチェックはありません。判定とレビューによります",
  },
  refutedClaim: (iteration, method) => `イテレーション ${iteration} の主張は反証されました。${method}`,
  holds: {
    "clean-room": "クリーンなチェックアウトで確かめました",
    "in-place": "作業場所でのみ確かめました",
  },
  refuted: "完了の主張は成り立ちません：",
  beforeAfter: ({ turned, stayed, failed, unknown }: CheckCounts) =>
    [
      turned > 0 ? `作業前は失敗、作業後は成功：${turned} 件` : "",
      stayed > 0 ? `作業の前後とも成功（壊れていないことだけを示します）：${stayed} 件` : "",
      failed > 0 ? `作業後に失敗：${failed} 件` : "",
      unknown > 0 ? `作業前の結果は不明：${unknown} 件` : "",
    ]
      .filter(Boolean)
      .join("、"),
  state: (isMet: boolean | null) => (isMet === null ? "?" : isMet ? "✔" : "✘"),
  why: {
    test: "テスト",
    configuration: "テストの実行方法を決めるファイル",
    named: "チェックまたは protect が名指しするファイル",
    loaded: "自動で読み込まれるファイル",
    dependency: "インストール済みの依存",
    weakening: "アサーションやチェックの働きを変える",
  },
  review: {
    title: "レビュー",
    by: (models: string, quotations: number) =>
      `${models} は作業に問題を見つけませんでした。引用 ${quotations} 件をファイルで照合しました`,
    cut: (count: number) => `一部しか示していないファイル：${count} 件`,
    cutFiles: "一部しか示していないファイル",
    reviewer: "レビューエージェント",
    unusable: "使える回答がありません",
    finding: "指摘",
    criterion: (id: number) => `完了条件 ${id}`,
    met: (isMet: boolean): string => (isMet ? "達成" : "未達"),
    demanded: (isDemanded: boolean): string =>
      isDemanded ? "タスクがこの変更を求めています" : "タスクはこの変更を求めていません",
    ignored: "git が無視するファイル",
    built: (isBuild: boolean): string => (isBuild ? "ビルド" : "ビルドではありません"),
    unverified: "引用がその場所にないため、数えません",
    invented: "ユーザーが書いた要求ではないため、数えません",
    kinds: findingKinds.ja,
  },
  none: "このタスクには証明がありません。",
};
