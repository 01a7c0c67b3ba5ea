/** Loads a user's ES module; what it exports by default. Throws E8Error `module_broken`. */
export type LoadModule = (path: string) => Promise<unknown>;
