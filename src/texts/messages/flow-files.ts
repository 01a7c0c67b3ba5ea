import type { FlowFileMessages } from "../../model/messages/configuration.ts";
import type { MessageTexts } from "../message-texts.ts";

const JSON_SLIPS: Record<"comment" | "quotes" | "comma", Readonly<Record<"en" | "ja", string>>> = {
  comment: { en: "JSON has no comments", ja: "JSON にコメントは書けません" },
  quotes: { en: "JSON has double quotes only", ja: "JSON で使える引用符は二重引用符だけです" },
  comma: { en: "the comma before it is one too many", ja: "直前のコンマが余分です" },
};

/** What is wrong with the files of a flow and with its parameters, and the words of its drawing. */
export const flowFileMessages: MessageTexts<FlowFileMessages> = {
  json_fault: {
    en: ({ message, slip }) => (slip ? `${message}; ${JSON_SLIPS[slip].en}` : message),
    ja: ({ message, slip }) => (slip ? `${JSON_SLIPS[slip].ja}（${message}）` : message),
  },
  file_not_group: { en: "The file is not a group of keys", ja: "ファイル全体がキーのまとまりではありません" },
  frontmatter_not_group: { en: "it is not a group of keys", ja: "キーのまとまりではありません" },
  fields_malformed: {
    en: "It is neither a group of fields with their values nor a list of names",
    ja: "フィールドと値のまとまりでも、名前のリストでもありません",
  },
  completion_malformed: {
    en: ({ value }) => `${value} is not a completion`,
    ja: ({ value }) => `${value} は完了タイプの定義ではありません`,
  },
  resource_unwatchable: {
    en: ({ resource }) => `"${resource}" cannot be watched here`,
    ja: ({ resource }) => `「${resource}」の状態はここでは見られません`,
  },
  schema_file_broken: {
    en: ({ path }) => `${path} is not valid JSON`,
    ja: ({ path }) => `${path} は正しい JSON ではありません`,
  },
  schema_pointer_malformed: {
    en: ({ pointer }) => `${pointer} is a malformed JSON pointer`,
    ja: ({ pointer }) => `${pointer} は JSON ポインターの形ではありません`,
  },
  schema_reference_malformed: {
    en: ({ reference }) => `the $ref ${reference} is not a text`,
    ja: ({ reference }) => `$ref の ${reference} が文字列ではありません`,
  },
  schema_name_unknown: {
    en: ({ path, name }) => `${path} has no ${name} in definitions, $defs or at its top level`,
    ja: ({ path, name }) => `${path} の definitions、$defs、最上位のどこにも ${name} がありません`,
  },
  schema_cycle: {
    en: ({ references }) => `${references.join(" → ")} is a cycle`,
    ja: ({ references }) => `${references.join(" → ")} で参照が循環しています`,
  },
  schema_pointer_nowhere: {
    en: ({ pointer, file }) => `${pointer} leads nowhere in ${file}`,
    ja: ({ pointer, file }) => `${pointer} が ${file} にありません`,
  },
  schema_on_network: {
    en: ({ reference }) => `${reference} is on the network; schemas are read from files`,
    ja: ({ reference }) => `${reference} はネットワーク上にあります。スキーマはファイルから読みます`,
  },
  schema_reference_missing: {
    en: ({ name, file }) => `there is no file ${name}, which ${file} refers to`,
    ja: ({ name, file }) => `${file} が参照するファイル ${name} がありません`,
  },

  parameter_needed: {
    en: ({ description }) => `is needed: ${description}`,
    ja: ({ description }) => `必須です「${description}」`,
  },
  parameter_unknown: {
    en: ({ nearest, known }) =>
      `is not a parameter of this agent${nearest ? `; did you mean ${nearest}?` : listed("; it has ", known)}`,
    ja: ({ nearest, known }) =>
      `このエージェントのパラメーターではありません${nearest ? `。${nearest} ではありませんか` : known.length > 0 ? `。あるのは ${known.join("、")} です` : ""}`,
  },
  number_below: {
    en: ({ value, minimum }) => `${value} is less than ${minimum}`,
    ja: ({ value, minimum }) => `${value} は ${minimum} より小さい値です`,
  },
  number_above: {
    en: ({ value, maximum }) => `${value} is more than ${maximum}`,
    ja: ({ value, maximum }) => `${value} は ${maximum} より大きい値です`,
  },
  value_unlisted: {
    en: ({ value, known }) => `${value} is not one of ${known.join(", ")}`,
    ja: ({ value, known }) => `${value} は選べません。選べるのは ${known.join("、")} です`,
  },

  graph_takes: {
    en: ({ variable, from, required }) => `takes ${variable} from ${from}${required ? "" : " (optional)"}`,
    ja: ({ variable, from, required }) => `${from} から ${variable} を受け取ります${required ? "" : "（省略可）"}`,
  },
  graph_taken_by: {
    en: ({ agent }) => `taken by ${agent}`,
    ja: ({ agent }) => `${agent} が担当します`,
  },
  graph_hands_on: {
    en: ({ keys }) => `hands on ${keys.join(", ")}`,
    ja: ({ keys }) => `${keys.join("、")} を引き継ぎます`,
  },
  graph_otherwise: {
    en: ({ condition }) => `${condition} otherwise`,
    ja: ({ condition }) => `${condition} がそれ以外`,
  },
  graph_needs: {
    en: ({ step, validators, action }) => `${step} needs ${validators.join(", ") || "nothing"} (else ${action})`,
    ja: ({ step, validators, action }) =>
      `${step} の条件：${validators.join("、") || "なし"}（満たさなければ ${action}）`,
  },
  graph_completion: { en: "completion", ja: "完了" },
};

function listed(lead: string, names: readonly string[]): string {
  return names.length > 0 ? lead + names.join(", ") : "";
}
