/** Loads a user's ES module and returns its default export. Throws E8Error `module_broken`. */
export type LoadModule = (path: string) => Promise<unknown>;
