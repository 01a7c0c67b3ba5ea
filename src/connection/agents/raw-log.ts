import type { Role } from "../../model/roles.ts";

/** Where the raw stream of an agent goes, line by line. */
export type RawLog = (iteration: number, role: Role, line: string) => Promise<void>;
