import {
  type FleetLimit,
  LimitKind,
  limitsOf,
  removeLimit,
  setLimit,
} from "../../connection/stores/postgres/fleet-limits.ts";
import { E8Error } from "../../model/errors.ts";
import { databaseOf } from "../store.ts";

export const LIMIT_KINDS = LimitKind.options;
export type { FleetLimit };

function databaseFor(project: string) {
  const found = databaseOf(project);
  if (!found) throw new E8Error("store_missing", { command: "e8 fleet limit" });
  return found.part.database;
}

export function limitsOfFleet(project: string): ReturnType<typeof limitsOf> {
  return limitsOf(databaseFor(project));
}

/** Sets the parts that are given. */
export function setFleetLimit(project: string, limit: FleetLimit): Promise<void> {
  return setLimit(databaseFor(project), limit);
}

/** Returns whether there was one. */
export function removeFleetLimit(project: string, { kind, name }: Pick<FleetLimit, "kind" | "name">): Promise<boolean> {
  return removeLimit(databaseFor(project), kind, name);
}
