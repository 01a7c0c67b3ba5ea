import type { ErrorObject } from "ajv";
import type { Words } from "../../model/statement.ts";

/** What one error of a schema validator says. English is its own; the usual ones are said in Japanese, the others quoted. */
export function misfitWords({ instancePath, keyword, params, message = keyword }: ErrorObject): Words {
  const said = japanese[keyword]?.(params) ?? message;
  return { en: `${instancePath || "the output"} ${message}`, ja: `${instancePath || "出力"}: ${said}` };
}

type Params = Readonly<Record<string, unknown>>;

const japanese: Readonly<Record<string, (params: Params) => string>> = {
  required: ({ missingProperty }) => `${missingProperty} がありません`,
  additionalProperties: ({ additionalProperty }) => `${additionalProperty} は使えません`,
  type: ({ type }) => `型が ${[type].flat().join(" か ")} ではありません`,
  enum: ({ allowedValues }) => `${listed(allowedValues)} のどれでもありません`,
  const: ({ allowedValue }) => `${JSON.stringify(allowedValue)} ではありません`,
  minLength: ({ limit }) => `${limit} 文字以上にしてください`,
  maxLength: ({ limit }) => `${limit} 文字以下にしてください`,
  minItems: ({ limit }) => `${limit} 件以上にしてください`,
  maxItems: ({ limit }) => `${limit} 件以下にしてください`,
  minimum: ({ limit }) => `${limit} 以上にしてください`,
  maximum: ({ limit }) => `${limit} 以下にしてください`,
  pattern: ({ pattern }) => `${pattern} に一致しません`,
  uniqueItems: () => "同じ項目が 2 つ以上あります",
  anyOf: () => "どの形にも合いません",
  oneOf: () => "ちょうど 1 つの形に合うべきですが、合いません",
  not: () => "許されない形です",
};

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join("、") : String(values);
}
