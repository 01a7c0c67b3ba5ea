/**
 * A schema's `pattern`, as a validator compiles it. Some patterns escape more than Unicode mode allows (`\-`, `\_`);
 * these are compiled without it.
 */
export const schemaPattern = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: "new RegExp" }, // for generated validator files, which we do not use
);
