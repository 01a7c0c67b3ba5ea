import process from "node:process";
import { E8Error } from "../model/errors.ts";
import { oneOf, unfit } from "../model/flag-value.ts";

/** How much is said on standard error, the least first. Results on standard output do not depend on it. */
const LOG_LEVELS = ["error", "warning", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const VARIABLE = "ENDLESS8_LOG_LEVEL";

/** An unusable value counts as none; `requireLogLevel` refuses it before a command begins. */
export function logLevel(): LogLevel {
  return levelIn(process.env[VARIABLE] ?? "") ?? "info";
}

export function requireLogLevel(): void {
  const text = process.env[VARIABLE] ?? "";
  if (text.trim() !== "" && !levelIn(text))
    throw new E8Error("environment_invalid", { variable: VARIABLE, problem: unfit(text, oneOf(LOG_LEVELS)) });
}

/** Whether lines of this weight are shown at a level. */
export function isSaid(weight: LogLevel, level: LogLevel = logLevel()): boolean {
  return LOG_LEVELS.indexOf(weight) <= LOG_LEVELS.indexOf(level);
}

function levelIn(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text.trim().toLowerCase());
}
