import { E8Error } from "../../model/errors.ts";
import { commitOf } from "../git/checkout.ts";
import { fetchAll, type Mirror, unreachable } from "./mirror.ts";
import { patiently } from "./patience.ts";

/** A task's refs on the remote, `refs/e8/<task>/`, as one holder of the task knows them. */
export class TaskRefs {
  readonly #mirror: Mirror;
  readonly #task: string;
  readonly #signal: AbortSignal;
  /** What the remote has, by the ref's label. */
  #known = new Map<string, string>();

  constructor(mirror: Mirror, task: string, signal: AbortSignal) {
    this.#mirror = mirror;
    this.#task = task;
    this.#signal = signal;
  }

  async fetch(): Promise<void> {
    await fetchAll(this.#mirror, this.#task, this.#signal);
    const listing = ["for-each-ref", "--format=%(refname) %(objectname)", this.#ref("")];
    this.#known = labelled((await this.#mirror.git(listing)).output, / /, this.#ref(""));
  }

  /**
   * Pushes a commit of a checkout. The lease keeps a run that was frozen and replaced from putting its commit in the place of one that
   * the records name: it expects what was there when it held the task. The task's holder looks again, and pushes over it.
   */
  async push(
    label: string,
    { commit, from }: { commit: string; from: string },
    verify: () => Promise<void>,
  ): Promise<void> {
    const ref = this.#ref(label);
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", from, `+${commit}:${ref}`];
    const brought = await this.#mirror.git(fetch);
    if (brought.exit_code !== 0) throw this.#refused(ref, brought.said);
    for (let attempt = 1; ; attempt += 1) {
      if (this.#known.get(label) === commit) return;
      const lease = `--force-with-lease=${ref}:${this.#known.get(label) ?? ""}`;
      const refs = [...(await this.#kept(label)), `${commit}:${ref}`];
      const words = ["push", "--quiet", "--no-verify", "--porcelain", lease, this.#mirror.url, ...refs];
      const answer = await patiently(() => this.#mirror.git(words), this.#signal);
      if (answer.exit_code === 0) this.#known.set(label, commit);
      else if (answer.exit_code !== REJECTED) throw unreachable(this.#mirror, answer);
      else if (attempt === ATTEMPTS || !(await this.#hasMoved(label, verify)))
        throw this.#refused(ref, `${answer.output}\n${answer.said}`.trim());
    }
  }

  /** A record may name the commit that was there before: it stays in reach. */
  async #kept(label: string): Promise<string[]> {
    const before = this.#known.get(label);
    if (before === undefined || !(await this.has(before))) return [];
    return [`+${before}:${this.#ref(`${label}-${before.slice(0, 12)}`)}`];
  }

  /** Another run of the task has pushed meanwhile, or this one before it was killed. */
  async #hasMoved(label: string, verify: () => Promise<void>): Promise<boolean> {
    await verify();
    const before = this.#known.get(label);
    const ref = this.#ref(label);
    const answer = await patiently(() => this.#mirror.git(["ls-remote", this.#mirror.url, ref]), this.#signal);
    if (answer.exit_code !== 0) throw unreachable(this.#mirror, answer);
    const now = labelled(answer.output, /\t/, this.#ref("")).get(label);
    if (now === undefined) this.#known.delete(label);
    else this.#known.set(label, now);
    return now !== before;
  }

  /** Removes all of them, also those that came since. */
  async remove(): Promise<number> {
    const { url, git } = this.#mirror;
    const answer = await patiently(() => git(["ls-remote", url, this.#ref("*")]), this.#signal);
    if (answer.exit_code !== 0) throw unreachable(this.#mirror, answer);
    const labels = [...labelled(answer.output, /\t/, this.#ref("")).keys()];
    if (labels.length === 0) return 0;
    const words = ["push", "--quiet", "--no-verify", url, ...labels.map((label) => `:${this.#ref(label)}`)];
    const removed = await patiently(() => git(words), this.#signal);
    if (removed.exit_code !== 0) throw this.#refused(this.#ref("*"), removed.said);
    return labels.length;
  }

  has(commit: string): Promise<boolean> {
    return commitOf(this.#mirror.git, commit).then((found) => found !== undefined);
  }

  #refused(ref: string, said: string): E8Error {
    return new E8Error("snapshot_refused", { repository: this.#mirror.url, id: this.#task, ref, said });
  }

  #ref(label: string): string {
    return `refs/e8/${this.#task}/${label}`;
  }
}

const ATTEMPTS = 4;
/** Git's code for a push of which the remote, or the lease, has refused a ref. */
const REJECTED = 1;

/** Lines with an object and a ref, in whichever order. */
function labelled(output: string, between: RegExp, prefix: string): Map<string, string> {
  const lines = output.split("\n").filter(Boolean);
  return new Map(
    lines.flatMap((line) => {
      const words = line.split(between);
      const ref = words.find((word) => word.startsWith(prefix));
      const object = words.find((word) => /^[0-9a-f]{40,64}$/.test(word));
      return ref !== undefined && object !== undefined ? [[ref.slice(prefix.length), object] as const] : [];
    }),
  );
}
