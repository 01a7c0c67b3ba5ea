import { join } from "node:path";
import { type PullRequest, sameLabel, type TrackedItem } from "../../../model/issue.ts";
import { message } from "../../../model/message.ts";
import type { IssueFilter } from "../../ports/tracker.ts";
import { replaceFile } from "../../stores/files/durable.ts";
import { trackerFault } from "../tracker-fault.ts";
import { addNumbered, type NewFile, numbersIn } from "./files.ts";
import { formatIssueFile, IssueFileProblem, readIssueFile, type StoredItem } from "./issue-file.ts";

/** The issues and pull requests of a folder. Its caller holds the folder's lock for changes. */
export class FolderBacklog {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(number: number): Promise<StoredItem> {
    return readIssueFile(this.#path(number), number);
  }

  async list({ state, labels, limit }: IssueFilter): Promise<TrackedItem[]> {
    const wanted = labels.map(sameLabel);
    const issues = (await this.#all()).filter((item) => {
      const own = item.labels.map(sameLabel);
      const isOpen = item.state === "OPEN";
      return (
        item.kind === "issue" &&
        (state === "all" || isOpen === (state === "open")) &&
        wanted.every((label) => own.includes(label))
      );
    });
    return issues.slice(0, limit);
  }

  /** The latest pull request from a branch. */
  async pullRequest(head: string, state?: string): Promise<PullRequest | undefined> {
    const items = (await this.#all()).filter((item): item is PullRequest => item.kind === "pr");
    return items.findLast((item) => item.head === head && (state ?? item.state) === item.state);
  }

  async add(file: NewFile): Promise<TrackedItem> {
    const number = await addNumbered(this.#folder, file);
    return (await this.read(number)).item;
  }

  /** Writes the file again where something in it has changed. */
  async change(number: number, change: (stored: StoredItem) => void): Promise<void> {
    const stored = await this.read(number);
    const before = formatIssueFile(stored.file);
    change(stored);
    const after = formatIssueFile(stored.file);
    if (after !== before) await replaceFile(this.#path(number), after);
  }

  async #all(): Promise<TrackedItem[]> {
    const numbers = await numbersIn(this.#folder);
    return Promise.all(numbers.map(async (number) => (await this.#named(number)).item));
  }

  /** Names the file that cannot be used: the act is about all of them. */
  async #named(number: number): Promise<StoredItem> {
    try {
      return await this.read(number);
    } catch (error) {
      if (!(error instanceof IssueFileProblem)) throw error;
      throw trackerFault(message("tracker_act", { act: "read", number }), error.problem, error);
    }
  }

  #path(number: number): string {
    return join(this.#folder, `${number}.md`);
  }
}
