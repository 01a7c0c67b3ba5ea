import { type BigIntStats, lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { whatIsAt } from "./digests.ts";

/** How much one look may read. What is beyond it is not known. */
export interface Reading {
  bytes: number;
  files: number;
}

/** What files held, by their paths. */
export type Held = ReadonlyMap<string, string>;

/** More than one look reads, and few enough to be looked at again each time. */
const MOST_KNOWN = 5000;

interface Content {
  /** When it was read; none where there was no file. */
  stats?: BigIntStats;
  held: string;
}

/**
 * What is known of files' contents: of those that somebody has asked about, and no others. So a project is never read as a whole,
 * and what a file held before it was touched for the first time stays unknown.
 */
export class Contents {
  readonly #reading: Reading;
  readonly #known = new Map<string, Content>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Of all that is known, what it holds now. */
  current(): Promise<Held> {
    return this.of([...this.#known.keys()]);
  }

  /** What these files hold now, as far as it can be told; a file that is not there holds nothing, and that is known. */
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

  /** Those first that were asked about longest ago. */
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

/** The time of its status is the one that no program can set back. */
export function isTouched(before: BigIntStats, now: BigIntStats): boolean {
  return before.size !== now.size || before.mtimeNs !== now.mtimeNs || before.ctimeNs !== now.ctimeNs;
}
