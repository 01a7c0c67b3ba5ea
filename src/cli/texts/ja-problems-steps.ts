import { type JapaneseProblems, ja, meant, said } from "./ja-problem-text.ts";

/** Problems of a single step: its gate, its transitions, its schema. */
export const jaStepProblems = {
  STEP_ID_MISMATCH: (d) =>
    said(
      `"${d.key}" の項目の stepId が "${d.stepId}" です。`,
      "ほかのステップはキーで指し、記録には stepId が残るため、同じでなければなりません。",
      `stepId を "${d.key}" にしてください。`,
    ),
  STEP_KIND_UNKNOWN: (d) =>
    said(
      `stepKind がなく、c2 の "${d.c2}" からもわかりません。`,
      "使える intent とツールは stepKind で決まります。",
      "stepKind に work、verification、closure のいずれかを書いてください。",
    ),
  STEP_NEEDS: (d) =>
    said(
      `ステップ "${d.stepId}" に ${d.key} がありません。`,
      `ステップ "${d.gated}" に structuredGate があるので、フロー全体が gate で進み、どのステップにも ${d.key} が必要です。`,
      `${d.key} を追加してください。ほかのプロンプトの一部でしかないなら、名前を section.… にしてください。`,
    ),
  STEP_FALLBACK_KEY: () =>
    said(
      "fallbackKey がありません。",
      "runner.completion を使う形式では必須です。",
      "追加してください。例: initial_task",
    ),
  GATE_INTENT_UNKNOWN: (d) =>
    said(
      `intent "${d.intent}" はありません。`,
      "値は正確に next、repeat、jump、handoff、escalate、closing のいずれかです。",
      meant(d.nearest, "このいずれかにしてください。"),
    ),
  GATE_INTENT_KIND: (d) =>
    said(
      `${d.kind} のステップで ${d.intent} は使えません。`,
      d.intent === "closing"
        ? "エージェントの完了を知らせられるのは closure ステップだけです。"
        : `${d.kind} のステップで使えるのは ${d.allowed.join(", ")} です。`,
      `allowedIntents から ${d.intent} を削除するか、ステップの種類を変えてください。`,
    ),
  GATE_INTENT_REPEATED: (d) =>
    said(`${d.intent} が 2 回書かれています。`, "1 回で十分です。", "片方を削除してください。"),
  GATE_SCHEMA_REF_EXTERNAL: (d) =>
    said(
      `intentSchemaRef の "${d.reference}" は内部を指すポインターではありません。`,
      "ステップ自身の解決済みスキーマの中を指すものです。",
      "#/ で始まるポインターにしてください。例: #/properties/next_action/properties/action",
    ),
  GATE_ENUM_MISSING: (d) =>
    said(
      `intentSchemaRef の "${d.reference}" の先に enum がありません。`,
      "モデルの回答を許可された intent に限るのは enum です。",
      "enum を持つプロパティを指してください。例: #/properties/next_action/properties/action",
    ),
  GATE_ENUM_MISMATCH: (d) =>
    said(
      `allowedIntents とスキーマの enum が違います（${differences(d)}）。`,
      "片方にしかない値は、実行を止めるか、決して選ばれません。",
      "順序は自由なので、同じ値にそろえてください。",
    ),
  GATE_FIELD_UNKNOWN: (d) =>
    said(
      `${d.what} の "${d.field}" がステップのスキーマにありません。`,
      "モデルが返すことのできない項目なので、どの回答でも実行が止まります。",
      "パスを直すか、スキーマにプロパティを追加してください。",
    ),
  GATE_FALLBACK_UNKNOWN: (d) =>
    said(
      `fallbackIntent の "${d.intent}" が allowedIntents にありません。`,
      "従うことができません。",
      "許可された intent から選んでください。",
    ),
  GATE_FALLBACK_IGNORED: () =>
    said(
      "failFast が true（既定値）の間、fallbackIntent に効果はありません。",
      "intent のない回答は実行を止めます。",
      "使うなら failFast を false にし、使わないなら削除してください。",
    ),
  GATE_FALLBACK_CLOSING: () =>
    said(
      "closing が fallbackIntent として使われることはありません。",
      "intent のない回答は完了の合図ではなく、実行を止めます。",
      "repeat など別の intent を選ぶか、削除してください。",
    ),
  HANDOFF_COLLISION: (d) =>
    said(
      `${d.fields.join(" と ")} がどちらも "${d.key}" として引き継がれます。`,
      "引き継ぐ名前はパスの最後の部分なので、片方の値が失われます。",
      "どちらかの名前を変えてください。",
    ),
  HANDOFF_FIELD_UNKNOWN: (d) =>
    said(
      `引き継ぐ項目 "${d.field}" がステップのスキーマにありません。`,
      "モデルが返すことのできない項目なので、引き継がれることはありません。",
      "パスを直すか、スキーマにプロパティを追加してください。",
    ),
  HANDOFF_NAME_COLLISION: (d) =>
    said(
      `{uv-${d.name}} が ${d.steps.join(" と ")} の両方の値になります。`,
      "名前の中では、ステップ ID のドットが下線に変わります。",
      "ステップか項目の名前を変えてください。",
    ),
  TRANSITION_MISSING: (d) =>
    said(
      `許可された intent ${d.intent} の遷移がありません。`,
      "ステップがこれを返すと、実行が止まります。",
      `transitions.${d.intent} を追加してください。`,
    ),
  TRANSITION_UNUSED: (d) =>
    said(
      `${d.intent} の遷移は決して使われません。`,
      "allowedIntents にありません。",
      "intent を許可するか、遷移を削除してください。",
    ),
  TRANSITION_SHAPE: () =>
    said(
      "遷移には、target か、condition と targets の組のどちらかが必要です。",
      "それ以外の形では、どこにも進めません。",
      '{"target": "step.id"} か {"condition": "key", "targets": {"value": "step.id", "default": "step.id"}} と書いてください。',
    ),
  TRANSITION_TARGET_UNKNOWN: (d) =>
    said(
      `ステップ "${d.target}" がありません。`,
      "実行がここで止まります。",
      meant(d.nearest, "ステップを追加するか、target を直してください。"),
    ),
  SECTION_IN_FLOW: (d) =>
    said(
      `"${d.target}" はセクションで、フローのステップではありません。`,
      "セクションはほかのプロンプトの一部なので、そこから先へは進めません。",
      '別のステップにするか、"section." で始まらない ID に変えてください。',
    ),
  TRANSITION_NULL: (d) =>
    said(
      `${d.intent} の遷移の target が null です。`,
      "フローを終えるのは closing だけです。エージェントが途中で終わることはありません。",
      "次のステップを書いてください。",
    ),
  TRANSITION_CLOSING_TARGET: (d) =>
    said(
      `closing の行き先が "${d.target}" です。`,
      "closing の後に何が起きるかは、ステップではなく完了の判定が決めます。",
      '{"target": null} にしてください。',
    ),
  TRANSITION_CONDITION_UNKNOWN: (d) =>
    said(
      `condition の "${d.condition}" は、このステップでもほかのステップでも引き継がれません。`,
      "引き継がれた値の中から探すので、決して見つかりません。",
      meant(d.nearest, "このステップの handoffFields に項目を追加してください。"),
    ),
  TRANSITION_NO_DEFAULT: () =>
    said(
      "targets に default がありません。",
      "一覧にない値が来ると、実行が止まります。",
      'targets に "default" を追加してください。',
    ),
  SCHEMA_UNRESOLVED: (d) =>
    said(
      `${d.file} のスキーマ ${d.schema} を解決できません: ${ja(d.problem)}`,
      "ステップの回答を求めることができず、2 回試して実行が終わります。",
      "outputSchemaRef かスキーマファイルを直してください。",
    ),
  SCHEMA_UNUSABLE: (d) =>
    said(
      `${d.file} のスキーマ ${d.schema} を使えません: ${d.problem}`,
      "どの回答も、このスキーマに合うことがありません。",
      "スキーマファイルを直してください。",
    ),
} satisfies Partial<JapaneseProblems>;

function differences({ missing, extra }: { missing: readonly string[]; extra: readonly string[] }): string {
  const parts = [
    extra.length > 0 ? `スキーマだけにあるもの: ${extra.join(", ")}` : "",
    missing.length > 0 ? `allowedIntents だけにあるもの: ${missing.join(", ")}` : "",
  ];
  return parts.filter((part) => part !== "").join("、");
}
