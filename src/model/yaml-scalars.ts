import { z } from "zod";

/** A number, also as PyYAML and pydantic took it: `"20"`, `1_000`. */
export function yamlNumber<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) =>
      typeof value === "string" && /^-?\d[\d_]*(\.\d+)?$/.test(value) ? Number(value.replaceAll("_", "")) : value,
    schema,
  );
}

/** A text that may be left empty, which then is none. */
export function yamlText<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === "string" && value.trim() === "" ? null : value), schema.nullable());
}

/** A boolean, also in the words of YAML 1.1, which PyYAML reads, and in quotes, as pydantic took it. */
export function yamlBoolean() {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    if (/^(yes|on|true)$/i.test(value)) return true;
    return /^(no|off|false)$/i.test(value) ? false : value;
  }, z.boolean());
}
