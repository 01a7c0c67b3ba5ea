/** The variables that programs are started with. */
export type Environment = Readonly<Record<string, string | undefined>>;
