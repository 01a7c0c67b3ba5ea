import { TIME_OF_DAY } from "../../model/configuration.ts";
import { E8Error } from "../../model/errors.ts";

/** The moment that a setting names, in UTC. A time of day is the next one on this machine's clock. */
export function deadlineAfter(now: Date, value: string): string {
  const [, hours, minutes] = TIME_OF_DAY.exec(value) ?? [];
  if (hours !== undefined) return nextAt(now, Number(hours), Number(minutes)).toISOString();
  const moment = new Date(value.replace(" ", "T"));
  if (moment <= now) throw new E8Error("deadline_past", { value });
  return moment.toISOString();
}

function nextAt(now: Date, hours: number, minutes: number): Date {
  const next = new Date(now);
  next.setHours(hours, minutes, 0, 0);
  if (next <= now) next.setDate(next.getDate() + 1);
  return next;
}
