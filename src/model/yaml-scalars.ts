import { z } from "zod";

/** A number, also in the forms of PyYAML and pydantic: `"20"`, `1_000`. */
export function yamlNumber<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) =>
      typeof value === "string" && /^-?\d[\d_]*(\.\d+)?$/.test(value) ? Number(value.replaceAll("_", "")) : value,
    schema,
  );
}

/** A number of tokens, also as `500k` or `1.5M`; null for none. */
export const tokenCount = yamlNumber(
  z.union([
    z
      .string()
      .regex(/^\d+(\.\d+)?[kKmM]$/)
      .transform((text) => Math.round(Number(text.slice(0, -1)) * (/k$/i.test(text) ? 1e3 : 1e6)))
      .pipe(z.int().positive()),
    z.int().positive().nullable(),
  ]),
);

/** A text; an empty one is null. */
export function yamlText<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === "string" && value.trim() === "" ? null : value), schema.nullable());
}

/** A boolean, also in the words of YAML 1.1 (PyYAML) and in quotes (pydantic). */
export function yamlBoolean() {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    if (/^(yes|on|true)$/i.test(value)) return true;
    return /^(no|off|false)$/i.test(value) ? false : value;
  }, z.boolean());
}

/** A list of texts, or one text. */
export function textList(one: z.ZodType<string>) {
  return z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(one));
}
