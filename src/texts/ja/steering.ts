import type { enSteering, enSteeringHelp } from "../en/steering.ts";

export const jaSteering: typeof enSteering = {
  note: (text) => `あなたからの伝言：${text}`,
  paused: "一時停止しました。e8 resume で再開します",
  unpaused: "再開しました",
  steering: {
    told: (id) => `タスク ${id} の次の作業者に伝えます。`,
    toldStopped: (id) =>
      `タスク ${id} は実行中ではありません。次の作業者に伝えます。続きを実行するには：e8 resume ${id}`,
    paused: (id) => `タスク ${id} を一時停止しました。再開するには：e8 resume ${id}`,
    pausePending: (id) => `タスク ${id} に一時停止を求めましたが、まだ停止していません。`,
    unpaused: (id) => `タスク ${id} を再開しました。様子を見るには：e8 watch ${id}`,
    unpausePending: (id) => `タスク ${id} に再開を求めましたが、まだ再開していません。`,
    pausedRunStays:
      "一時停止中の実行は設定を変えずに再開します。設定を変えるには、いったん止めて（e8 cancel）から再開してください",
  },
  notify: {
    title: (task) => `endless8: ${task}`,
    question: (count, id) => `回答が必要な質問が ${count} 件あります：e8 answer ${id}`,
    wait: (reason, until) => `${until} まで待機します：${reason}`,
    facts: (iterations, met, of) =>
      [`イテレーション ${iterations} 回`, ...(of > 0 ? [`完了条件 ${of} 件中 ${met} 件達成`] : [])].join("、"),
  },
};

export const jaSteeringHelp: typeof enSteeringHelp = {
  onEnd: "実行が終わったらこのコマンドを実行します。結果は標準入力に JSON で渡します",
  tell: "タスクの次の作業者に伝言を残します",
  noteArgument: "作業者に伝えること。- なら標準入力から読みます",
  pause: "実行中のタスクを、すべてのプロセスごとその場で一時停止します。時間の計測も止まります",
  resumeCommand: "一時停止中のタスクを再開します。実行中でないタスクは `run --resume` と同じように続けます",
  runningIdArgument: "タスク ID（`e8 list` で確認）。実行中のタスクが一つだけなら省略できます",
  pausedIdArgument: "タスク ID（`e8 list` で確認）。省略すると、ただ一つの一時停止中のタスク、なければ最新のタスク",
};
