import process from "node:process";
import type { EventEnvelope } from "../../model/events.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { painter } from "../output.ts";
import { drawingSize } from "../render/columns.ts";
import { type ProgressStyle, progressLines, progressOptions } from "../render/progress.ts";
import { wrappedLines } from "../render/wrap.ts";
import { frame } from "./frame.ts";
import { type LogLine, loadMount, type Mount, type Mounted } from "./mount.tsx";
import type { Screen, ScreenOptions, Watched } from "./screen.ts";
import { fold, type LiveState, nothingYet, stopping } from "./state.ts";
import { isInBackground, setEcho } from "./terminal.ts";

const TICK_MILLISECONDS = 1000;
const REST_MILLISECONDS = 100;
/** How long a slow terminal may take to read what was written. */
const IN_FLIGHT_MILLISECONDS = 80;
/** Ink keeps all it has written, so it is started anew after so many lines. */
const LOG_LINES_KEPT = 1000;

export async function openLiveScreen(texts: Texts, options: ScreenOptions): Promise<Screen> {
  return new LiveScreen(texts, options, await loadMount());
}

/** The live view on standard error. In the background, where the terminal is the shell's, plain lines; after `fg` the view again. */
class LiveScreen implements Screen {
  readonly #texts: Texts;
  readonly #style: ProgressStyle;
  readonly #mountOn: Mount;
  readonly #watched: Watched | undefined;
  #state: LiveState = nothingYet(Date.now());
  /** When the last event happened, and when it was shown. */
  #last = { at: Date.now(), shown: Date.now() };
  #log: LogLine[] = [];
  #logged = 0;
  #height = 0;
  /** When the drawing last came to another place or height. */
  #movedAt = 0;
  #mounted: Mounted | undefined;
  #isLent = false;
  readonly #ticking: NodeJS.Timeout;
  #resting: NodeJS.Timeout | undefined;

  constructor(texts: Texts, options: ScreenOptions, mount: Mount) {
    const { watched } = options;
    this.#texts = texts;
    this.#mountOn = mount;
    this.#watched = watched;
    this.#style = { texts, paint: painter(true), ...progressOptions(options) };
    process.on("exit", this.#leave);
    process.on("SIGINT", this.#keyPressed);
    process.on("SIGCONT", this.#continued);
    this.#ticking = setInterval(this.#tick, TICK_MILLISECONDS).unref();
    this.#enter();
  }

  show({ event, at }: EventEnvelope): void {
    this.#last = { at: Date.parse(at), shown: Date.now() };
    this.#state = fold(this.#state, event, this.#last.at);
    const lines = progressLines(event, this.#style);
    if (this.#isAway()) this.#say(lines);
    // A phase is over as soon as the next one begins, and a retry with its countdown; in a log, only what came of it counts.
    else if (event.type !== "phase-start" && event.type !== "api-retry") this.#keep(lines);
    this.#drawSoon();
  }

  stopping(): void {
    this.#state = stopping(this.#state, this.#now());
    if (this.#isAway()) this.#say([this.#texts.stopping]);
    this.#draw();
  }

  /** Where the shell does not stop us, the next tick brings the view back. */
  suspend(): void {
    this.#keyPressed();
    this.#leave();
  }

  async lend<T>(use: () => Promise<T>): Promise<T> {
    this.#leave();
    this.#isLent = true;
    try {
      return await use();
    } finally {
      this.#isLent = false;
      this.#enter();
    }
  }

  close(): void {
    this.#leave();
    clearInterval(this.#ticking);
    process.off("exit", this.#leave);
    process.off("SIGINT", this.#keyPressed);
    process.off("SIGCONT", this.#continued);
  }

  /** The run's own time: in a replay it goes on from the last event. */
  #now(): number {
    const { at, shown } = this.#last;
    const speed = this.#watched?.replay?.speed;
    return speed === undefined ? Date.now() : at + (Date.now() - shown) * speed;
  }

  readonly #enter = (): void => {
    if (this.#mounted || this.#isLent || isInBackground()) return;
    setEcho(false);
    process.stderr.on("resize", this.#redraw);
    this.#mount();
  };

  readonly #leave = (): void => {
    if (!this.#mounted) return;
    this.#draw(); // what is to stay
    process.stderr.off("resize", this.#redraw);
    this.#unmount();
    setEcho(true);
  };

  /** No signal tells of `fg` while we run in the background, so we check. */
  readonly #tick = (): void => {
    this.#enter();
    this.#draw();
  };

  /**
   * At Ctrl-C and Ctrl-Z a terminal throws away what it has not read yet. Of two drawings in the same place either may stand there then,
   * and the next one goes over it; otherwise the cursor is anywhere.
   */
  readonly #keyPressed = (): void => {
    if (!this.#mounted || Date.now() - this.#movedAt > IN_FLIGHT_MILLISECONDS) return;
    this.#mounted.abandon();
    this.#mount();
  };

  /** After `fg` the view comes back. After `kill -STOP`, which sends no signal, and `bg` it still stands among the shell's lines. */
  readonly #continued = (): void => {
    this.#enter();
    if (!this.#mounted || !isInBackground()) return;
    process.stderr.off("resize", this.#redraw);
    this.#mounted.forget();
    this.#mounted = undefined;
  };

  readonly #redraw = (): void => {
    this.#unmount();
    this.#mount();
  };

  #mount(): void {
    this.#log = this.#log.slice(this.#logged);
    this.#logged = 0;
    this.#height = 0;
    this.#mounted = this.#mountOn(this.#style.paint);
    this.#draw();
  }

  #unmount(): void {
    this.#mounted?.remove();
    this.#mounted = undefined;
  }

  /** Whether the terminal is the shell's. */
  #isAway(): boolean {
    return !this.#mounted && !this.#isLent;
  }

  #say(lines: readonly string[]): void {
    for (const line of wrappedLines(lines, drawingSize(process.stderr).columns)) process.stderr.write(`${line}\n`);
  }

  #keep(lines: readonly string[]): void {
    for (const text of lines) this.#log.push({ number: this.#log.length, text });
  }

  /** Draws a few times a second at most. */
  #drawSoon(): void {
    this.#resting ??= setTimeout(() => this.#draw(), REST_MILLISECONDS).unref();
  }

  #draw(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    const shown = this.#style.verbose ? { ...this.#state, activities: [] } : this.#state;
    if (!this.#mounted) return;
    const rows = frame(shown, {
      texts: this.#texts,
      ...drawingSize(process.stderr),
      now: this.#now(),
      isWatched: this.#watched !== undefined,
      isReplay: this.#watched?.replay !== undefined,
    });
    this.#mounted.draw(this.#log, rows);
    if (rows.length !== this.#height || this.#log.length > this.#logged) this.#movedAt = Date.now();
    this.#height = rows.length;
    this.#logged = this.#log.length;
    if (this.#logged > LOG_LINES_KEPT) this.#redraw();
  }
}
