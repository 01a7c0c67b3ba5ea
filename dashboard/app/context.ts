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

export async function loadSession(): Promise<void> {
  session.value = await source().session();
}

export function knowProjects(projects: DashboardSession["projects"]): void {
  if (session.value) session.value = { ...session.value, projects };
}

/** Whether the page may steer runs. */
export function maySteer(): boolean {
  return source().is_live && session.value?.read_only === false;
}

/** Those whose files are where the dashboard is: only there runs can begin. */
export function projectsHere(): DashboardSession["projects"] {
  return (session.value?.projects ?? []).filter(({ is_elsewhere }) => !is_elsewhere);
}

export function isHere(key: string): boolean {
  return projectsHere().some((one) => one.key === key);
}

export function projectName(key: string): string {
  return session.value?.projects.find((one) => one.key === key)?.name ?? key;
}
