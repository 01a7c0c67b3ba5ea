import type { Configuration } from "../../model/configuration.ts";
import type { Environment } from "../../model/environment.ts";
import { problemOf } from "../../model/errors.ts";
import { listed, message, type Statement } from "../../model/message.ts";
import type { Notification, NotifyChannel } from "../../model/notification.ts";
import { fetchThrough } from "../fetch.ts";
import type { CommandOutcome, CommandRunner } from "../ports/commands.ts";
import type { Notifier } from "../ports/notifier.ts";
import { findProgram } from "../processes/programs.ts";

/** A notification in words. */
export interface NotificationText {
  title: string;
  text: string;
}

interface NotifierOptions {
  notify: Configuration["notify"];
  environment: Environment;
  commands: CommandRunner;
  say: (notification: Notification) => NotificationText;
  /** Ends what is still being sent. */
  signal: AbortSignal;
}

const COMMAND_SECONDS = 30;
const DESKTOP_SECONDS = 10;
const WEBHOOK_MILLISECONDS = 10_000;

/** Undefined: it was sent. */
type Send = (notification: Notification, options: NotifierOptions) => Promise<Statement | undefined>;

export function createNotifier(options: NotifierOptions): Notifier {
  return {
    async send(notification, channels) {
      const sent = channels.map(async (channel) => {
        const problem = await ways[channel](notification, options).catch(problemOf);
        return problem === undefined ? [] : [{ channel, problem }];
      });
      return (await Promise.all(sent)).flat();
    },
  };
}

const ways: Record<NotifyChannel, Send> = {
  desktop: async (notification, { environment, commands, say, signal }) => {
    const { title, text } = say(notification);
    const [program = "", ...words] =
      process.platform === "darwin" ? [...SCRIPT, title, text] : [...SENDER, title, text];
    if (!findProgram(program, environment.PATH)) return message("program_missing", { program });
    const request = {
      command: '"$@"',
      arguments: [program, ...words],
      timeout_seconds: DESKTOP_SECONDS,
      pipefail: false,
      runs_as: "user" as const,
    };
    return problemIn(await commands.run(request, signal));
  },
  webhook: async (notification, { notify, environment, say, signal }) => {
    const response = await fetchThrough(environment, notify.webhook ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...say(notification), ...notification }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(WEBHOOK_MILLISECONDS)]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : message("http_status", { status: response.status });
  },
  command: (notification, options) => runCommand(options.notify.command, notification, options),
  on_end: (notification, options) => runCommand(options.notify.on_end, notification, options),
};

/** Both take texts as they are, whatever characters they hold. */
const SENDER = ["notify-send", "--app-name=endless8", "--"];
const SCRIPT = [
  "osascript",
  ...["-e", "on run argv"],
  ...["-e", "display notification (item 2 of argv) with title (item 1 of argv)"],
  ...["-e", "end run"],
];

/** The command gets the notification as JSON on stdin, and its main facts in its environment. */
async function runCommand(
  command: string | null,
  notification: Notification,
  { commands, say, signal }: NotifierOptions,
): Promise<Statement | undefined> {
  const { event, task_id, project, task, result } = notification;
  const environment = {
    E8_EVENT: event,
    E8_TASK_ID: task_id,
    E8_PROJECT: project,
    E8_TASK: task,
    E8_STATUS: result?.status ?? "",
    E8_STOP_REASON: result?.stop_reason ?? "",
    E8_TEXT: say(notification).text,
  };
  const stdin = JSON.stringify({ ...say(notification), ...notification });
  const limits = { timeout_seconds: COMMAND_SECONDS, pipefail: false, runs_as: "user" as const };
  const request = { command: command ?? "", environment, stdin, ...limits };
  return problemIn(await commands.run(request, signal));
}

const OUTPUT_CHARACTERS = 200;

function problemIn({ exit_code, signal, timed_out, start_error, output_tail }: CommandOutcome): Statement | undefined {
  if (exit_code === 0) return undefined;
  if (start_error !== null) return message("command_not_started", { problem: start_error });
  if (timed_out) return message("command_timed_out", {});
  if (signal !== null) return message("command_killed", { signal });
  const said = output_tail.trim().split("\n").at(-1)?.slice(0, OUTPUT_CHARACTERS) ?? "";
  return listed([message("command_exited", { exit_code }), ...(said ? [said] : [])], ": ");
}
