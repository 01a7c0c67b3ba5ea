import type { FileProblems, NoEffect } from "../../model/flow/problem.ts";
import { type Both, meant, type ProblemTexts } from "./problem-text.ts";

export const fileProblems: ProblemTexts<FileProblems> = {
  AGENT_FILE_MISSING: {
    en: ({ file }) => [
      `There is no ${file}.`,
      "An agent is made of agent.json and the registry that it names.",
      `Add ${file}.`,
    ],
    ja: ({ file }) => [
      `${file} がありません。`,
      "エージェントは agent.json と、そこに書かれた registry でできています。",
      `${file} を追加してください。`,
    ],
  },
  AGENT_JSON_BROKEN: {
    en: ({ problem }, tell) => [
      `This is not valid JSON: ${tell(problem)}.`,
      "The file cannot be read.",
      "Correct this place.",
    ],
    ja: ({ problem }, tell) => [
      `正しい JSON ではありません：${tell(problem)}`,
      "このファイルは何も読み取れません。",
      "この箇所を直してください。",
    ],
  },
  AGENT_JSON_DUPLICATE_KEY: {
    en: ({ key }) => [`${key} is here twice.`, "Only one of the two values would be used.", "Keep one."],
    ja: ({ key }) => [
      `${key} が 2 回書かれています。`,
      "使われるのは一方の値だけです。",
      "どちらか一方だけを残してください。",
    ],
  },
  AGENT_UNKNOWN_KEY: {
    en: ({ key, nearest, known }) => [
      `Unknown key ${key}.`,
      "An unknown key has no effect, and a misspelled one would go unnoticed.",
      meant.en(nearest, `Remove it. Known here: ${known.join(", ") || "none"}.`),
    ],
    ja: ({ key, nearest, known }) => [
      `${key} は知らないキーです。`,
      "知らないキーには効果がなく、書き間違いにも気づけません。",
      meant.ja(nearest, `削除してください。ここに書けるのは：${known.join("、") || "なし"}`),
    ],
  },
  AGENT_KEY_MISSING: {
    en: ({ key, needed }, tell) => [
      `${key} is missing.`,
      "The format requires it.",
      needed ? `Add it: ${tell(needed)}.` : "Add it.",
    ],
    ja: ({ key, needed }, tell) => [
      `${key} がありません。`,
      "この形式では必須です。",
      needed ? `追加してください（${tell(needed)}）。` : "追加してください。",
    ],
  },
  AGENT_VALUE_INVALID: {
    en: ({ problem, allowed }, tell) => [
      `${tell(problem)}.`,
      "The value cannot be used.",
      allowed ? `Possible: ${tell(allowed)}.` : "Correct the value.",
    ],
    ja: ({ problem, allowed }, tell) => [
      `${tell(problem)}。`,
      "この値は使えません。",
      allowed ? `使えるのは：${tell(allowed)}` : "値を直してください。",
    ],
  },
  AGENT_KEY_WITHOUT_EFFECT: {
    en: ({ key, reason }) => [
      `${key} has no effect here.`,
      NO_EFFECT[reason].en,
      "Leave it for other programs, or remove it.",
    ],
    ja: ({ key, reason }) => [
      `${key} はここでは効果がありません。`,
      NO_EFFECT[reason].ja,
      "ほかのプログラムのために残すか、削除してください。",
    ],
  },
  AGENT_LEGACY_FORMAT: {
    en: [
      "This is the format from before version 1.12: `behavior` instead of `runner`.",
      "Its keys have other places and meanings, so they are not guessed.",
      "Migrate: behavior.systemPromptPath → runner.flow.systemPromptPath; prompts → runner.flow.prompts; " +
        "behavior.completionType and completionConfig → runner.completion.type and config; " +
        "behavior.allowedTools, permissionMode and sandboxConfig → runner.boundaries (sandboxConfig is sandbox there); " +
        "github → runner.integrations.github; worktree → runner.execution.worktree; logging → runner.logging; actions → runner.actions.",
    ],
    ja: [
      "バージョン 1.12 より前の形式です（`runner` ではなく `behavior`）。",
      "キーの場所も意味も違うため、推測はしません。",
      "移行してください：behavior.systemPromptPath → runner.flow.systemPromptPath、prompts → runner.flow.prompts、" +
        "behavior.completionType と completionConfig → runner.completion の type と config、" +
        "behavior.allowedTools、permissionMode、sandboxConfig → runner.boundaries（sandboxConfig は sandbox に）、" +
        "github → runner.integrations.github、worktree → runner.execution.worktree、logging → runner.logging、actions → runner.actions。",
    ],
  },
  AGENT_NAME_MISMATCH: {
    en: ({ agentId, name }) => [
      `The registry belongs to the agent "${agentId}", agent.json to "${name}".`,
      "The registry of another agent may have been copied.",
      `Make agentId "${name}".`,
    ],
    ja: ({ agentId, name }) => [
      `registry はエージェント「${agentId}」のもので、agent.json は「${name}」のものです。`,
      "別のエージェントの registry をコピーした可能性があります。",
      `agentId を「${name}」にしてください。`,
    ],
  },
  AGENT_DIRECTORY_NAME: {
    en: ({ name, directory }) => [
      `The agent is called "${name}", its directory "${directory}".`,
      "It is started by the name of its directory, and reports under its own name.",
      "Give both the same name.",
    ],
    ja: ({ name, directory }) => [
      `エージェントの名前は「${name}」、ディレクトリの名前は「${directory}」です。`,
      "実行するときはディレクトリの名前で、報告には自分の名前が使われます。",
      "同じ名前にしてください。",
    ],
  },
  WORKFLOW_INVALID: {
    en: (params) => {
      const why = "The orchestrator could not lead an issue through its phases.";
      if (params.fault === "lacks")
        return [`${LACKING[params.who].en} needs ${article(params.key)}${params.key}.`, why, `Add ${params.key}.`];
      if (params.fault === "no_labels")
        return ["labelMapping names no label.", why, 'Name a label for each phase: "ready": "implementation".'];
      if (params.fault === "never_closes")
        return [
          "closeCondition stands without closeOnComplete.",
          "The issue would never be closed.",
          "Add closeOnComplete: true.",
        ];
      if (params.fault === "outcome_unknown")
        return [
          `The agent has no outcome "${params.outcome}".`,
          "The issue would never be closed.",
          `Use one of: ${params.known.join(", ")}.`,
        ];
      const { kind, name, nearest } = params;
      return [`There is no ${kind} "${name}".`, why, meant.en(nearest, `Add it to ${kind}s.`)];
    },
    ja: (params) => {
      const why = "オーケストレーターがイシューをフェーズの順に進められません。";
      if (params.fault === "lacks")
        return [`${LACKING[params.who].ja} には ${params.key} が必要です。`, why, `${params.key} を追加してください。`];
      if (params.fault === "no_labels")
        return [
          "labelMapping にラベルがありません。",
          why,
          '「"ready": "implementation"」のように、フェーズごとのラベルを書いてください。',
        ];
      if (params.fault === "never_closes")
        return [
          "closeOnComplete なしに closeCondition があります。",
          "イシューは閉じられません。",
          "closeOnComplete: true を追加してください。",
        ];
      if (params.fault === "outcome_unknown")
        return [
          `エージェントに結果「${params.outcome}」がありません。`,
          "イシューは閉じられません。",
          `次のいずれかにしてください：${params.known.join("、")}`,
        ];
      const { kind, name, nearest } = params;
      return [`${kind}「${name}」がありません。`, why, meant.ja(nearest, `${kind}s に追加してください。`)];
    },
  },
};

const LACKING: Record<"actionable" | "transformer" | "validator", Both> = {
  actionable: { en: "An actionable phase", ja: "actionable のフェーズ" },
  transformer: { en: "A transformer", ja: "transformer" },
  validator: { en: "A validator", ja: "validator" },
};

function article(key: string): string {
  return key === "agent" ? "an " : key === "priority" ? "a " : "";
}

const NO_EFFECT: Record<NoEffect, Both> = {
  orchestrated: {
    en: "An agent gets a worktree by runner.execution.worktree.",
    ja: "worktree は runner.execution.worktree で使えるようになります。",
  },
  in_checkout: {
    en: "Without execution.worktree the agent works in your checkout, so there is no branch to merge or push.",
    ja: "execution.worktree がなければチェックアウトの中で作業するため、マージやプッシュをするブランチがありません。",
  },
  sandboxed: {
    en: "Claude Code's own sandbox settings apply; tools are bounded by allowedTools and the step's kind.",
    ja: "サンドボックスには Claude Code 自身の設定が使われます。ツールは allowedTools とステップの種類で制限されます。",
  },
  acted: {
    en: "Effects on issues happen in one place only, after the verdict; a reply's action blocks are text.",
    ja: "イシューへの操作は判定の後の 1 か所だけで行われます。回答の中の action はただの文字列です。",
  },
  inspected: {
    en: "Schemas are always resolved and checked when the agent is loaded.",
    ja: "スキーマは読み込み時に必ず解決され、検査されます。",
  },
  recorded: {
    en: "The records of a run are in .e8/tasks/; logging.raw_log of endless8.yaml keeps the raw log.",
    ja: "実行の記録は .e8/tasks/ にあります。生ログは endless8.yaml の logging.raw_log で残せます。",
  },
  unattended: {
    en: "Steps run unattended, so a person is never asked.",
    ja: "ステップは無人で動くため、人への質問は行われません。",
  },
  graph_decides: {
    en: "The transitions alone decide which step comes next.",
    ja: "次のステップは transitions だけで決まります。",
  },
  kind_decides: { en: "stepKind says what a step is.", ja: "ステップの種類は stepKind で決まります。" },
  tried_again: { en: "A failed step is tried again.", ja: "失敗したステップはもう一度試されます。" },
  never_closing: {
    en: "Issues are closed and labelled after the closing intent of a closure step, and no step of this agent can give it.",
    ja: "イシューのクローズとラベル付けはクロージャーのステップの closing の後に行われますが、このエージェントには closing を返せるステップがありません。",
  },
  payload_unchecked: {
    en: "The orchestrator keeps its records in .e8/; what agents hand on are files, which are not checked against a schema.",
    ja: "オーケストレーターの記録は .e8/ にあります。エージェントが渡すものはファイルで、スキーマとは照らし合わせません。",
  },
  projects_unused: {
    en: "Project boards are not used: labels alone say where an issue is.",
    ja: "プロジェクトボードは使いません。イシューの位置はラベルだけで決まります。",
  },
  tracker_decides: {
    en: "The issues are those of the project's tracker; --label and --issue choose among them.",
    ja: "対象はプロジェクトのトラッカーのイシューです。--label と --issue で選べます。",
  },
  channel_unknown: {
    en: "endless8 has no such channel: this agent closes no issue.",
    ja: "endless8 にそのようなチャネルはありません。このエージェントはイシューをクローズしません。",
  },
  own_issue_only: {
    en: "Only the issue itself is closed.",
    ja: "クローズするのはそのイシューだけです。",
  },
  limit_awaited: {
    en: "A usage limit is waited out until the time that it names.",
    ja: "使用量の上限に達したら、示された時刻まで待ちます。",
  },
  role_decides: {
    en: "A transformer has outputPhase and fallbackPhases, a validator has outputPhases.",
    ja: "transformer には outputPhase と fallbackPhases、validator には outputPhases を使います。",
  },
  phase_rests: {
    en: "Only the agent of an actionable phase runs.",
    ja: "実行されるのは、actionable のフェーズのエージェントだけです。",
  },
  checked_after_closing: {
    en: "Every condition is checked after the closing signal.",
    ja: "どの条件も closing の後で調べられます。",
  },
};
