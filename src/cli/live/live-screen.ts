import process from "node:process";
import type { RunEvent } from "../../model/events.ts";
import { isDebugging, painter } from "../output.ts";
import { type ProgressStyle, progressLines } from "../render/progress.ts";
import { drawingSize } from "../render/width.ts";
import type { Texts } from "../texts/en.ts";
import { setEcho } from "./echo.ts";
import { frame } from "./frame.ts";
import { type Mounted, mount } from "./mount.tsx";
import type { Screen } from "./screen.ts";
import { fold, type LiveState, nothingYet, stopping } from "./state.ts";
import type { LogLine } from "./view.tsx";

const TICK_MILLISECONDS = 1000;
const REST_MILLISECONDS = 100;
/** As long as a slow terminal may take to read what was written. */
const IN_FLIGHT_MILLISECONDS = 80;
/** Ink keeps all it has written: a fresh one keeps nothing. */
const LOG_LINES_KEPT = 1000;

/** The live view on standard error. */
export class LiveScreen implements Screen {
  readonly #texts: Texts;
  readonly #style: ProgressStyle;
  #state: LiveState = nothingYet(Date.now());
  #log: LogLine[] = [];
  #logged = 0;
  #drawnAt = 0;
  #mounted: Mounted | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;

  constructor(texts: Texts, verbose: boolean) {
    this.#texts = texts;
    this.#style = { texts, paint: painter(true), verbose, debug: isDebugging() };
    process.on("exit", this.#leave);
    process.on("SIGINT", this.#keyPressed);
    process.on("SIGTSTP", this.#suspend);
    this.#enter();
  }

  show(event: RunEvent): void {
    this.#state = fold(this.#state, event, Date.now());
    // A phase is over as soon as the next one begins; in a log, only what came of it counts.
    if (event.type !== "phase-start") this.#keep(progressLines(event, this.#style));
    this.#drawSoon();
  }

  stopping(): void {
    this.#state = stopping(this.#state, Date.now());
    this.#draw();
  }

  async lend<T>(use: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await use();
    } finally {
      this.#enter();
    }
  }

  close(): void {
    this.#leave();
    process.off("exit", this.#leave);
    process.off("SIGINT", this.#keyPressed);
    process.off("SIGTSTP", this.#suspend);
    process.off("SIGCONT", this.#enter);
  }

  readonly #enter = (): void => {
    if (this.#mounted) return;
    setEcho(false);
    process.stderr.on("resize", this.#redraw);
    this.#ticking = setInterval(() => this.#draw(), TICK_MILLISECONDS).unref();
    this.#mount();
  };

  readonly #leave = (): void => {
    if (!this.#mounted) return;
    this.#draw(); // what is to stay
    process.stderr.off("resize", this.#redraw);
    clearInterval(this.#ticking);
    this.#unmount();
    setEcho(true);
  };

  /** At Ctrl-C and Ctrl-Z a terminal throws away what it has not read yet: then the cursor is anywhere. */
  readonly #keyPressed = (): void => {
    if (!this.#mounted || Date.now() - this.#drawnAt > IN_FLIGHT_MILLISECONDS) return;
    this.#mounted.abandon();
    this.#mount();
  };

  /** Ctrl-Z: the shell needs its cursor. */
  readonly #suspend = (): void => {
    this.#keyPressed();
    this.#leave();
    process.once("SIGCONT", this.#enter);
    process.kill(process.pid, "SIGSTOP");
  };

  readonly #redraw = (): void => {
    this.#unmount();
    this.#mount();
  };

  #mount(): void {
    this.#log = this.#log.slice(this.#logged);
    this.#logged = 0;
    this.#mounted = mount(this.#style.paint);
    this.#draw();
  }

  #unmount(): void {
    this.#mounted?.remove();
    this.#mounted = undefined;
  }

  #keep(lines: readonly string[]): void {
    for (const text of lines) this.#log.push({ number: this.#log.length, text });
  }

  /** However much happens, it is drawn a few times a second. */
  #drawSoon(): void {
    this.#resting ??= setTimeout(() => this.#draw(), REST_MILLISECONDS).unref();
  }

  #draw(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    const shown = this.#style.verbose ? { ...this.#state, activities: [] } : this.#state;
    if (!this.#mounted) return;
    this.#mounted.draw(
      this.#log,
      frame(shown, { texts: this.#texts, ...drawingSize(process.stderr), now: Date.now() }),
    );
    this.#logged = this.#log.length;
    this.#drawnAt = Date.now();
    if (this.#logged > LOG_LINES_KEPT) this.#redraw();
  }
}
