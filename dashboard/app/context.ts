import { signal } from "@preact/signals";
import type { DashboardSession } from "../../src/model/dashboard.ts";
import type { Source } from "../data/source.ts";

/** Set once, before anything is drawn. */
let chosen: Source | undefined;
export const session = signal<DashboardSession | undefined>(undefined);

export function chooseSource(source: Source): void {
  chosen = source;
}

export function source(): Source {
  if (!chosen) throw new Error("The page has no source yet.");
  return chosen;
}

/** Whether the page may steer runs. */
export function maySteer(): boolean {
  return source().is_live && session.value?.read_only === false;
}

export function projectName(key: string): string {
  return session.value?.projects.find((one) => one.key === key)?.name ?? key;
}
