import { randomUUID } from "node:crypto";
import { type MessagesRequest, mentions, names, opening, replies, toolUseIds } from "./request.ts";
import type { Scene, Story, Turn } from "./story.ts";

/** The turn that answers a request. */
export interface Cue {
  who: string | null;
  /** Which scene of the story, counted from 0. */
  scene: number;
  turn: Turn;
  /** Opens the ids of this turn's tool calls, so that the request after them finds its conversation again. */
  callId: string;
}

/** Nothing in the story answers the request. */
export interface Missing {
  who: string | null;
  missing: string;
}

/** One playing of a scene: one conversation. */
interface Performance {
  id: string;
  scene: number;
  turns: Turn[];
  next: number;
  /** Replies given that the client keeps in the conversation. */
  replies: number;
  asker: string;
  opening: string;
}

const endOfScene: Turn = { say: "(end of scene)" };

/** Finds out which conversation a request belongs to, and plays its scene turn by turn. */
export class Stage {
  readonly #scenes: readonly Scene[];
  readonly #performances: Performance[] = [];
  readonly #cap: number;
  #requests = 0;

  constructor(story: Story) {
    this.#scenes = story.scenes;
    this.#cap = story.request_cap ?? 1000;
  }

  /** Whether more was asked than the story allows. */
  get capped(): boolean {
    return this.#requests > this.#cap;
  }

  next(request: MessagesRequest): Cue | Missing {
    this.#requests += 1;
    if (this.capped) return { who: null, missing: `The story's ${this.#cap} requests are used up.` };
    const performance = this.#underWay(request) ?? this.#begin(request);
    if (!performance) return this.#missing(request);
    const turn = performance.turns[performance.next] ?? endOfScene;
    const callId = `toolu_${performance.id}_${performance.next}`;
    performance.next += 1;
    if (isSeen(turn)) performance.replies += 1;
    const who = this.#scenes[performance.scene]?.who ?? names(request)[0] ?? null;
    return { who, scene: performance.scene, turn, callId };
  }

  #underWay(request: MessagesRequest): Performance | undefined {
    return this.#byCallId(request) ?? (replies(request) === 0 ? this.#faulted(request) : this.#byOpening(request));
  }

  #byCallId(request: MessagesRequest): Performance | undefined {
    const ids = toolUseIds(request).map((id) => id.split("_")[1]);
    const known = ids.find((id) => this.#performances.some((performance) => performance.id === id));
    return this.#performances.find((performance) => performance.id === known);
  }

  /**
   * A scene that has brought nothing but faults (or silence) goes on with the next attempt, also when that comes from another
   * process with other words: only then must it be the latest one of its asker.
   */
  #faulted(request: MessagesRequest): Performance | undefined {
    const mine = this.#of(request);
    const open = mine.filter((performance) => performance.replies === 0 && this.#goesOn(performance, request));
    const latest = mine.at(-1);
    return (
      open.findLast((performance) => performance.opening === opening(request)) ?? open.find((one) => one === latest)
    );
  }

  #goesOn(performance: Performance, request: MessagesRequest): boolean {
    const scene = this.#scenes[performance.scene];
    return performance.next < performance.turns.length && scene !== undefined && fits(scene, request);
  }

  /** For conversations without tool calls: the same beginning, and as far along as the request says. */
  #byOpening(request: MessagesRequest): Performance | undefined {
    const alike = this.#of(request).filter((performance) => performance.opening === opening(request));
    return alike.findLast((performance) => performance.replies === replies(request)) ?? alike.at(-1);
  }

  #of(request: MessagesRequest): Performance[] {
    const asker = names(request).join(" ");
    return this.#performances.filter((performance) => performance.asker === asker);
  }

  #begin(request: MessagesRequest): Performance | undefined {
    const fitting = [...this.#scenes.entries()].filter(([, scene]) => fits(scene, request));
    const played = new Set(this.#performances.map((performance) => performance.scene));
    const [scene, { turns }] = fitting.find(([index]) => !played.has(index)) ??
      fitting.findLast(([, { repeat }]) => repeat) ?? [-1, { turns: [] }];
    if (scene < 0) return undefined;
    const performance: Performance = {
      id: randomUUID().replaceAll("-", ""),
      scene,
      turns: turns.flatMap((turn) => Array.from({ length: turn.times ?? 1 }, () => turn)),
      next: 0,
      replies: 0,
      asker: names(request).join(" "),
      opening: opening(request),
    };
    this.#performances.push(performance);
    return performance;
  }

  #missing(request: MessagesRequest): Missing {
    const who = names(request)[0] ?? null;
    const asker = who === null ? "a request without an endless8-role line" : `"${names(request).join('" / "')}"`;
    const scenes = this.#scenes.filter((scene) => isOf(scene, request));
    const words = scenes.flatMap((scene) => (scene.when !== undefined && !fits(scene, request) ? [scene.when] : []));
    const unmet = words.length > 0 ? `; the request lacks ${words.map((when) => JSON.stringify(when)).join(", ")}` : "";
    if (scenes.length === 0) return { who, missing: `The story has no scene for ${asker}.` };
    return { who, missing: `The story has no scene left for ${asker}: it has ${scenes.length} in all${unmet}.` };
  }
}

/** Faults and replies without content leave nothing behind: the next request looks like the first. */
function isSeen(turn: Turn): boolean {
  return Boolean(turn.say?.trim()) || turn.use !== undefined || turn.answer !== undefined;
}

function fits(scene: Scene, request: MessagesRequest): boolean {
  return isOf(scene, request) && (scene.when === undefined || mentions(request, scene.when));
}

function isOf(scene: Scene, request: MessagesRequest): boolean {
  return scene.who === undefined || names(request).includes(scene.who);
}
