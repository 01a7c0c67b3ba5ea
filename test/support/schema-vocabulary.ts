import { z } from "zod";

const Part = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  enum: z.array(z.string()).optional(),
});

/** Every key that a JSON Schema knows, and every choice that it offers, at any depth. */
export function vocabulary(node: object): { keys: string[]; choices: string[] } {
  const parts = Object.values(node)
    .filter((value): value is object => typeof value === "object" && value !== null)
    .map(vocabulary);
  const own = Part.safeParse(node).data ?? {};
  return {
    keys: [...Object.keys(own.properties ?? {}), ...parts.flatMap(({ keys }) => keys)],
    choices: [...(own.enum ?? []), ...parts.flatMap(({ choices }) => choices)],
  };
}
