import type { enLive, enLiveHelp } from "../en/live.ts";

export const jaLive: typeof enLive = {
  live: {
    starting: "開始しています",
    ending: "終了しています",
    besideChecks: (phase) => `${phase}（チェックも実行中）`,
    trouble: {
      rate_limit: "レート制限",
      usage_limit: "使用量の上限",
      overloaded: "モデルが混み合っています",
      server: "モデルのサーバーに問題が起きています",
      network: "モデルに接続できません",
    },
    waiting: (left) => `待機中（再開まで ${left}）`,
    stopping: "停止しています",
    of: (amount, limit) => `${amount} / ${limit}`,
    tokens: (amount) => `${amount} トークン`,
    moreCriteria: (count, unmet) => (unmet > 0 ? `… ほか ${count} 件（未達 ${unmet} 件）` : `… ほか ${count} 件`),
    howToStop: "Ctrl-C で停止、e8 run --resume で再開",
    howToStopAtOnce: "もう一度 Ctrl-C で即時停止",
    howToLeave: "Ctrl-C で表示を終了（実行は続きます）",
    howToLeaveReplay: "Ctrl-C で表示を終了",
  },
  flow: {
    step: (number, of, title) => `ステップ ${number} / ${of}: ${title}`,
    named: (id, name) => `${id}（${name}）`,
    retry: "再試行",
    refused: (times) => (times > 0 ? `未完了（差し戻し ${times} 回）` : "未完了"),
  },
  questions: {
    keys: "上下キーで選び、Enter で決定。Esc で未回答のままにします。",
    another: "別の回答を入力…",
    yourAnswer: "回答",
    stopped: "ここで停止中です。fg で続けます",
    blank: "回答を入力してください（Esc で未回答のまま）",
  },
};

export const jaLiveHelp: typeof enLiveHelp = {
  quiet: "結果だけを出力し、進捗と警告は表示しません",
  plain: "端末でもライブ表示を使わず、行ごとに出力します",
  watch: "別のプロセスで実行中のタスクを見ます。終わったタスクは再生します",
  speed: "終わった実行を、実際の間合いのこの倍率の速さで再生します（省略すると一度に表示）",
  jsonEvents: "イベントを起きた順に 1 行ずつ JSON で標準出力に書きます",
};
