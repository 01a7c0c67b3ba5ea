import type { ErrorParams } from "../../model/errors.ts";
import type { enFlowErrors } from "../en/flow-errors.ts";
import { problemLines } from "../problems/problems.ts";

/** エージェントの定義と、それが指すモジュールについての文。 */
export const jaFlowErrors: typeof enFlowErrors = {
  agent_exists: (d) => [`${d.path} はすでにあります。変更していません。`, "別の名前を選ぶか、先に削除してください。"],
  module_broken: (d, tell) => [
    `${d.path} をモジュールとして使えません：${tell(d.problem)}`,
    "default export を持つ ES モジュールである必要があります。",
  ],
  agent_not_found: (d) => [
    `${d.directory} にエージェント ${d.name} がありません。`,
    d.known ? `あるもの：${d.known}` : "作成するには：e8 agent init <name>",
  ],
  no_agents: (d) => [`${d.directory} にはエージェントがありません。`, "作成するには：e8 agent init <name>"],
  definition_invalid: (d) => [
    `エージェント ${d.name} は実行できません：\n${problemLines(d.problems, "ja")}`,
    `詳しくは：e8 agent validate ${d.name}`,
  ],
  workflow_missing: (d) => [
    `${d.path} がありません。`,
    "作成してください。キーは docs/ja/agents.md の workflow.json の節にあります。",
  ],
  workflow_invalid: (d) => [
    `${d.path} を使えません：\n${problemLines(d.problems, "ja")}`,
    "修正してください。キーは docs/ja/agents.md の workflow.json の節にあります。",
  ],
  parameter_invalid: (d, tell) => [
    `${d.flag}: ${tell(d.problem)}`,
    `\`e8 agent run ${d.agent ?? "<name>"} --help\` を参照してください。`,
  ],
  flow_failed: (d, tell) => [
    `イテレーション ${d.iteration} のステップ ${d.step} で ${d.code}: ${tell(d.problem)}`,
    flowHint(d),
  ],
};

function flowHint({ code, recoverable }: ErrorParams["flow_failed"]): string {
  if (code === "FAILED_BOUNDARY_HOOK")
    return "イシュー（.e8/issues/<番号>.md、または git のリモート origin と GITHUB_TOKEN）を確認し、`e8 run --resume` で続けてください。作業は繰り返さず、この操作だけをやり直します。";
  if (recoverable)
    return "作業が条件を満たしませんでした。`e8 run --resume` で、失敗した内容を伝えてもう一度試せます。";
  return "エージェントの定義を直してください。`e8 agent validate` が役立ちます。";
}
