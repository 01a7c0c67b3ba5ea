import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes =
  | "flow_agent_unfit"
  | "step_agent_unbound"
  | "branch_kept"
  | "comparison_impossible"
  | "comparison_missing"
  | "comparison_choice"
  | "comparison_unfit"
  | "comparison_runs";

/** 誰が作業するか：ステップを担当するエージェントと、比べるエージェント。 */
export const jaAgentErrors: Pick<ErrorTexts, ErrorCodes> = {
  flow_agent_unfit: ({ agent, lacks }) => [
    `${agent} は、エージェントの指定がないステップをすべては担当できません：${lacks.map(({ step, capability }) => `${step} には ${capability} が必要です`).join("、")}。`,
    "別のエージェントを選んでください。--agent claude と --agent scripted:<台本> はどのステップも担当できます。あるいは、これらのステップの runner.agent（steps_registry.json）に書いてください。",
  ],
  step_agent_unbound: ({ step, agent, problem }, tell) => [
    `ステップ ${step} を ${agent} が担当しますが、ステップがしてはならないことを止めるものがありません：${tell(problem)}`,
    "サンドボックスの中で実行するか、ツールの呼び出しを止められるエージェント（claude など）を選んでください。",
  ],
  branch_kept: ({ path, branch, problem }, tell) => [
    `ブランチ ${branch} とそのワークツリーは残しました。${path} にあるものをコミットできませんでした：${tell(problem)}`,
    "残っているものをコミットするか削除してから、選び直してください。",
  ],
  comparison_impossible: ({ problem }, tell) => [
    `ここではエージェントを比べられません：${tell(problem)}`,
    "エージェントはそれぞれ専用のブランチで作業します。プロジェクトはコミットのある git リポジトリで、派生元はブランチでなければなりません：--base main",
  ],
  comparison_missing: ({ id }) => [
    id === undefined ? "このプロジェクトには比較がありません。" : `タスク ${id} は比較の一部ではありません。`,
    "始めるには：e8 compare --agent claude --agent codex task.yaml。すべてのタスクは `e8 list` で見られます。",
  ],
  comparison_choice: ({ choice, found, known }) => [
    found === 0 ? `${choice} にあたる実行がありません。` : `エージェントが ${choice} の実行は ${found} つあります。`,
    `番号かエージェントで選んでください：${known.join("、")}。どれも残さないなら none です。`,
  ],
  comparison_unfit: ({ number, agent, id, status, comparison }) => [
    `${number}（${agent}）はタスクを完了していない（${status}）ので、残せる証明済みの作業がありません。`,
    `e8 run --resume ${id} で続けてから：e8 compare --keep ${number} ${comparison}`,
  ],
  comparison_runs: ({ number, agent, id }) => [
    `${number}（${agent}）はまだタスク ${id} として実行中です。`,
    `終わるまで待つか、終わらせてください：e8 cancel ${id}`,
  ],
};
