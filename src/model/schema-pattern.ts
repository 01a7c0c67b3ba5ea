/**
 * A schema's `pattern`, as a validator compiles it. Patterns written by other people escape more than Unicode mode allows
 * (`\-`, `\_`): then they are read without it.
 */
export const schemaPattern = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: "new RegExp" }, // for validators that are written to a file, which none of ours is
);
