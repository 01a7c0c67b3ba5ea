import { z } from "zod";

/** A number, also as PyYAML and pydantic took it: `"20"`, `1_000`. */
export function yamlNumber<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) =>
      typeof value === "string" && /^-?\d[\d_]*(\.\d+)?$/.test(value) ? Number(value.replaceAll("_", "")) : value,
    schema,
  );
}

/** A boolean, also in the words of YAML 1.1, which PyYAML reads. */
export function yamlBoolean() {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    if (/^(yes|on)$/i.test(value)) return true;
    return /^(no|off)$/i.test(value) ? false : value;
  }, z.boolean());
}
