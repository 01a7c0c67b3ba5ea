import type { Language } from "../model/language.ts";
import type { Notification } from "../model/notification.ts";
import { en, type Texts } from "./en/catalogue.ts";
import { ja } from "./ja/catalogue.ts";

const catalogues: Readonly<Record<Language, Texts>> = { en, ja };
const TITLE_CHARACTERS = 60;

/** What a notification says to people, in one line. */
export function notificationText(notification: Notification, language: Language): { title: string; text: string } {
  const { status, stop, live, notify } = catalogues[language];
  const { task_id, task, result, wait, questions } = notification;
  const title = notify.title(task.replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS));
  if (questions) return { title, text: notify.question(questions.length, task_id) };
  if (wait) return { title, text: notify.wait(live.trouble[wait.code] ?? wait.code, clockOf(wait.until)) };
  if (!result) return { title, text: task_id };
  const { iterations_used, criteria_met, criteria } = result;
  const facts = notify.facts(iterations_used, criteria_met, criteria);
  return { title, text: `${status[result.status]}: ${stop[result.stop_reason]} (${facts}) ${task_id}` };
}

/** The time of day here. */
function clockOf(moment: string): string {
  const date = new Date(moment);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}
