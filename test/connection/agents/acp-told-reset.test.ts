import { expect, test } from "vitest";
import { toldReset } from "../../../src/connection/agents/acp/told-reset.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

test.each([
  ["Please retry in 34.5s", 34_500],
  ["Your quota will reset after 2h3m", 2 * HOUR + 3 * MINUTE],
  ["or try again in 3 days 2 hours and 5 minutes.", 74 * HOUR + 5 * MINUTE],
])("%s", (said, wait) => {
  expect(toldReset(said, 1000)).toBe(1000 + wait);
});

test("a time of day in a named zone is the next one there, and its minute is over", () => {
  const now = Date.UTC(2026, 10, 18, 20, 0, 30);

  expect(toldReset("You've hit your session limit · resets 10:01pm (UTC)", now)).toBe(Date.UTC(2026, 10, 18, 22, 2));
  expect(toldReset("resets 3am (UTC)", now)).toBe(Date.UTC(2026, 10, 19, 3, 1));
  expect(toldReset("resets 7:30am (Asia/Tokyo)", now)).toBe(Date.UTC(2026, 10, 18, 22, 31));
});

test("a time of day without a zone is one of this machine's clock, and a date is believed", () => {
  const now = new Date(2026, 10, 18, 20, 0, 0).getTime();

  expect(toldReset("or try again at 10:00 PM.", now)).toBe(new Date(2026, 10, 18, 22, 1).getTime());
  expect(toldReset("or try again at Nov 20th, 2026 1:30 PM.", now)).toBe(new Date(2026, 10, 20, 13, 31).getTime());
});

test.each([
  "exceeded retry limit, last status: 429 Too Many Requests",
  "resets 25pm (Nowhere/Land)",
  "reset it at once",
])("no time is told by: %s", (said) => {
  expect(toldReset(said, 0)).toBeUndefined();
});
