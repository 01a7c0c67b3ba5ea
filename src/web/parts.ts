import type { overviews, readPast } from "../compose/looking-back.ts";

export type Overview = Awaited<ReturnType<typeof overviews>>[number];
export type ReadableOverview = Extract<Overview, { status: string }>;
export type Past = Awaited<ReturnType<typeof readPast>>;
