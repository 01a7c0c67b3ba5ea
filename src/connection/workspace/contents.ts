import { type BigIntStats, lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { whatIsAt } from "./digests.ts";

/** How much may be read at once. The contents of further files stay unknown. */
export interface Reading {
  bytes: number;
  files: number;
}

/** Digests of contents, by path. */
export type Held = ReadonlyMap<string, string>;

/** More than is read at once, and few enough to look at each time. */
const MOST_KNOWN = 5000;

interface Content {
  /** At the time of reading; absent when there was no file. */
  stats?: BigIntStats;
  held: string;
}

/**
 * Remembers the contents of the files that were asked about, and of no others. So a project is never read as a whole, and the
 * content of a file before its first change stays unknown.
 */
export class Contents {
  readonly #reading: Reading;
  readonly #known = new Map<string, Content>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** What all remembered files hold now. */
  current(): Promise<Held> {
    return this.of([...this.#known.keys()]);
  }

  /** What these files hold now, without those that cannot be read. A missing file counts as known, and holds nothing. */
  async of(paths: readonly string[]): Promise<Held> {
    const held = new Map<string, string>();
    const left = { ...this.#reading };
    for (const path of paths) {
      const content = this.#look(path, left);
      this.#known.delete(path);
      if (!content) continue;
      this.#known.set(path, content);
      held.set(path, content.held);
      await setImmediate();
    }
    this.#forget();
    return held;
  }

  #look(path: string, left: Reading): Content | undefined {
    const stats = statOf(path);
    if (stats === undefined) return ABSENT;
    if (stats === "unknown") return undefined;
    const known = this.#known.get(path);
    if (known?.stats && !isTouched(known.stats, stats)) return known;
    if (left.files < 1 || left.bytes < stats.size) return undefined;
    left.files -= 1;
    left.bytes -= Number(stats.size);
    return contentAt(path, stats);
  }

  /** First the files that were asked about longest ago. */
  #forget(): void {
    for (const path of [...this.#known.keys()].slice(0, Math.max(0, this.#known.size - MOST_KNOWN)))
      this.#known.delete(path);
  }
}

const ABSENT: Content = { held: "" };

function contentAt(path: string, stats: BigIntStats): Content | undefined {
  try {
    return { stats, held: `${stats.mode} ${whatIsAt(path)}` };
  } catch {
    return undefined;
  }
}

function statOf(path: string): BigIntStats | "unknown" | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return "unknown";
  }
}

/** The status time is compared, too: programs cannot set it back. */
export function isTouched(before: BigIntStats, now: BigIntStats): boolean {
  return before.size !== now.size || before.mtimeNs !== now.mtimeNs || before.ctimeNs !== now.ctimeNs;
}
