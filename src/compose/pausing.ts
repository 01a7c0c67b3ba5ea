import { RunClock } from "../connection/clock.ts";
import type { OpenTask } from "../connection/ports/open-task.ts";
import { RunPause } from "../connection/processes/run-pause.ts";
import { Pushed } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import type { PauseSwitch } from "../model/pause-switch.ts";

/** Has the store and the switch pause a run. A run that is to end goes on first, so that it can wind down. */
export function pausable(task: OpenTask, signal: AbortSignal, pauseSwitch: PauseSwitch | undefined) {
  const clock = new RunClock();
  const pushed = new Pushed<RunEvent>();
  const changed = (is_paused: boolean) => {
    task.markPaused(is_paused);
    pushed.push({ type: "pause", is_paused });
  };
  const pause = new RunPause({ clock, task_token: task.token, changed });
  const end = () => pause.end();
  task.onPauseRequest((isAsked) => pause.set("asked", isAsked));
  const forget = pauseSwitch?.listen((isOn) => pause.set("stopped", isOn));
  signal.addEventListener("abort", end, { once: true });
  const stop = () => {
    forget?.();
    signal.removeEventListener("abort", end);
    end();
  };
  return { clock, pushed, stop };
}
