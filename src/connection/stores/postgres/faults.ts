import { z } from "zod";
import { E8Error } from "../../../model/errors.ts";
import { jsonIn } from "../../../model/json.ts";
import { errorCode, problemOf } from "../files/faults.ts";

/** Codes of the network, and of a server that is starting, ending or full. */
const AWAY = /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN)|57P0|08|53300|25P0)/;
/** What the driver says without a code. */
const AWAY_TEXT =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout|not queryable/i;

/** Whether the database cannot be reached now, so that the same question may be answered later. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const code = errorCode(error);
  if (code === "ENOENT") return problemOf(error).includes("connect "); // a socket of this machine, which goes with its server
  return code === undefined ? AWAY_TEXT.test(problemOf(error)) : AWAY.test(code);
}

/** Two transactions were in each other's way: the same question again does it. */
export function isCollision(error: unknown): boolean {
  return ["40001", "40P01"].includes(errorCode(error) ?? "");
}

/** A connection does not know a prepared statement, or knows another one, or one for tables that have changed since: nothing was done. */
export function isOfPrepared(error: unknown): boolean {
  const code = errorCode(error);
  return code === "26000" || code === "42P05" || (code === "0A000" && /cached plan/.test(problemOf(error)));
}

/** What the user can do about an error of the database. `store` is its name without secrets. */
export function databaseFault(error: unknown, store: string): E8Error {
  if (error instanceof E8Error) return error;
  const [code, problem] = [errorCode(error) ?? "", said(error)];
  if (code === "42P01" || code === "3F000") return new E8Error("store_not_made", { store }, { cause: error });
  if (code === "E8LIM" || code === "E8BUD") return limitFault(error);
  if (code === "42501") return new E8Error("store_forbidden", { store, problem }, { cause: error });
  if (code.startsWith("28") || code === "3D000")
    return new E8Error("store_refused", { store, problem }, { cause: error });
  if (isAway(error) || isOfTls(error)) return new E8Error("store_unreachable", { store, problem }, { cause: error });
  return new E8Error("store_failed", { store, problem }, { cause: error });
}

const Reached = z.object({
  kind: z.string().default(""),
  name: z.string().default(""),
  limit: z.number().default(0),
  project: z.string().optional(),
});

/** What the triggers of the schema say. */
function limitFault(error: unknown): E8Error {
  const detail = error instanceof Error && "detail" in error ? String(error.detail) : "";
  const { project, ...reached } = Reached.parse(jsonIn(detail) ?? {});
  if (project !== undefined) return new E8Error("fleet_budget_spent", { project }, { cause: error });
  return new E8Error("fleet_limit_reached", reached, { cause: error });
}

function isOfTls(error: unknown): boolean {
  return (
    /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(errorCode(error) ?? "") || /SSL/.test(problemOf(error))
  );
}

/** Where a host has several addresses, Node tells of each, and gives the whole no text. */
function said(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return problemOf(first) || (errorCode(first) ?? "");
}
