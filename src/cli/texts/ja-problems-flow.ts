import { type JapaneseProblems, ja, meant, said } from "./ja-problem-text.ts";

const SAME_THING = "同じものの新旧 2 つの名前です。";

/** Problems between steps: entry, reachability, inputs, and the conditions of completion. */
export const jaFlowProblems = {
  ENTRY_MISSING: (d) =>
    said(
      "フローの始まりがどこにも書かれていません。",
      `entryStep も、entryStepMapping の ${ja(d.type)} の項目もありません。`,
      '"entryStep" に最初のステップの ID を書いてください。',
    ),
  ENTRY_UNKNOWN: (d) =>
    said(
      `ステップ "${d.step}" がありません。`,
      "フローを始められません。",
      meant(d.nearest, "実在するステップにしてください。"),
    ),
  ENTRY_TYPE_UNKNOWN: (d) =>
    said(
      `"${d.type}" は完了タイプではないので、この項目は決して使われません。`,
      "entryStepMapping は、エージェントの完了タイプで引かれます。",
      meant(d.nearest, "完了タイプにするか、項目を削除してください。"),
    ),
  STEP_UNREACHABLE: (d) =>
    said(
      `ステップ "${d.stepId}" へ至る道がありません。`,
      "決して実行されません。",
      "ここへの遷移を作るか、ステップを削除してください。",
    ),
  INPUT_FROM_MALFORMED: (d) =>
    said(
      `"${d.from}" はステップとキーを指していません。`,
      "値を見つけられません。",
      '"stepId.key" の形で書いてください。',
    ),
  INPUT_STEP_UNKNOWN: (d) =>
    said(
      `"${d.from}" はステップ "${d.step}" の値を求めていますが、そのステップはありません。`,
      "値が来ることはありません。",
      meant(d.nearest, "ステップ ID を直してください。最後のドットの後がキーです。"),
    ),
  INPUT_KEY_UNKNOWN: (d) =>
    said(
      `ステップ "${d.step}" は "${d.key}" を引き継ぎません。`,
      "引き継がれるのは handoffFields に宣言された項目だけです。",
      d.known.length > 0
        ? `引き継がれるのは ${d.known.join(", ")} です。このいずれかを使うか、handoffFields に追加してください。`
        : "そのステップの handoffFields に追加してください。",
    ),
  INPUT_NEVER_BEFORE: (d) =>
    said(
      `ステップ "${d.step}" が "${d.stepId}" より前に実行されることはありません。`,
      "必須の値なのに、決してそろいません。",
      "先にそのステップを通るか、default を書くか、required: false にしてください。",
    ),
  INPUT_NOT_ALWAYS: (d) =>
    said(
      `"${d.step}" を通らずに "${d.stepId}" へ至る道があります。`,
      "値は必須なので、その道では実行が止まります。",
      "default を書くか、required: false にするか、必ずそのステップを通るようにしてください。",
    ),
  INPUT_SHADOWED: (d) =>
    said(
      `入力 "${d.variable}" は、先に渡される同じ名前のものに隠れます。`,
      "パラメーターと e8 自身の変数が優先されます。",
      "入力の名前を変えてください。",
    ),
  CONDITIONS_UNREACHABLE: (d) =>
    said(
      `"${d.key}" の条件は決して実行されません: ${ja(d.reason)}。`,
      "実行されないチェックは、成功したチェックのように見えてしまいます。",
      "フローが到達する closure ステップか、closure.<エージェントの完了タイプ> をキーにしてください。",
    ),
  CONDITIONS_BOTH: () =>
    said(
      "completionConditions と validationConditions の両方があります。",
      SAME_THING,
      "どちらか一方だけを残してください。",
    ),
  CONDITIONS_TWICE: (d) =>
    said(`${d.first} と ${d.second} の両方があります。`, SAME_THING, `すべて ${d.first} に移してください。`),
  VALIDATOR_UNKNOWN: (d) =>
    said(
      `validator "${d.validator}" がありません。`,
      "チェックを実行できません。",
      meant(d.nearest, "validators に追加してください。"),
    ),
  VALIDATOR_UNUSED: (d) =>
    said(`validator "${d.validator}" を使う条件がありません。`, "決して実行されません。", "使うか、削除してください。"),
  VALIDATOR_KEY_MISSING: (d) =>
    said(
      `${d.type} の validator には ${d.key} が必要です。`,
      "調べるものがありません。",
      `${d.key} を追加してください。`,
    ),
  VALIDATOR_SUCCESS_WHEN: (d) =>
    said(
      `successWhen の "${d.value}" ${ja(d.problem)}。`,
      "チェックが成功したのか、誰にも判断できません。",
      "empty、exitCode:数、contains:文字列、matches:正規表現 のいずれかにしてください。",
    ),
  VALIDATOR_PARAM_UNKNOWN: (d) =>
    said(
      `コマンドの \${${d.name}} に入る値を、条件が渡していません。`,
      "値の欠けたコマンドが実行されてしまいます。",
      `${d.validator} を使う条件に params.${d.name} を追加してください。`,
    ),
  PATTERN_UNKNOWN: (d) =>
    said(
      `失敗パターン "${d.pattern}" がありません。`,
      "再試行のプロンプトはこれで選ばれます。",
      meant(d.nearest, "パターンを追加するか、名前を直してください。"),
    ),
  PARSER_UNKNOWN: (d) =>
    said(
      `パーサー "${d.parser}" がありません。`,
      "再試行プロンプトのパラメーターを作れません。",
      meant(d.nearest, `使えるのは: ${d.known.join(", ")}`),
    ),
  PATTERN_PARAM_UNSUPPLIED: (d) =>
    said(
      `パターン "${d.pattern}" が求める "${d.param}" を、validator "${d.validator}" が取り出していません。`,
      "再試行のプロンプトに値が入りません。",
      "validator の extractParams に追加してください。",
    ),
  RETRY_NOWHERE: (d) =>
    said(
      `closure ステップ "${d.stepId}" に repeat の遷移がありません。`,
      "条件が満たされなかったとき、再試行のプロンプトを渡す作業ステップがなく、closure ステップ自身に渡されます。",
      'transitions.repeat に戻り先の作業ステップを書くか、onFailure を {"action": "abort"} にしてください。',
    ),
} satisfies Partial<JapaneseProblems>;
