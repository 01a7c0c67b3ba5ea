import { join, relative, resolve } from "node:path";
import type { ChangedFile, ChangeTotals } from "../../model/changes.ts";
import { message } from "../../model/message.ts";
import type { Kept } from "../ports/workspace.ts";
import { nameFrom } from "./project-files.ts";
import type { Repository } from "./repository.ts";
import { filesIn, writeTree } from "./trees.ts";

/** A task's snapshots: commits of ours under `refs/e8/<task>/`, which keep their objects from garbage collection. */
export class Snapshots {
  readonly #repository: Repository;
  readonly #project: string;
  readonly #index: string;
  readonly #task: string;
  #last: { tree: string; head: string; commit: string } | undefined;

  constructor(repository: Repository, { project, index, task }: { project: string; index: string; task: string }) {
    this.#repository = repository;
    this.#project = project;
    this.#index = index;
    this.#task = task;
  }

  async keep(label: string): Promise<Kept> {
    const [head, first] = await Promise.all([this.#head(), this.#tree()]);
    const tree = first ?? (await this.#tree()); // the second time with a new index
    if (tree === undefined) return { problem: message("snapshot_failed", {}) };
    const isKept = this.#last?.tree === tree && this.#last.head === head;
    const commit = isKept ? this.#last?.commit : await this.#commit(tree, { head, label });
    if (commit === undefined) return { problem: message("snapshot_failed", {}) };
    const named = await this.#repository.git(["update-ref", this.#ref(label), commit]);
    if (named.exit_code !== 0) return { problem: message("snapshot_failed", {}) };
    this.#last = { tree, head, commit };
    return { commit };
  }

  async isSame(one: string, other: string): Promise<boolean> {
    if (one === other) return true;
    const [first, second] = await Promise.all([one, other].map((commit) => this.#contentOf(commit)));
    return first !== undefined && first === second;
  }

  /** A snapshot's tree and the user's commit under it. */
  async #contentOf(commit: string): Promise<string | undefined> {
    const { exit_code, output } = await this.#repository.git(["show", "-s", "--format=%T %P", commit]);
    return exit_code === 0 ? output : undefined;
  }

  async changes(from: string, to: string): Promise<ChangedFile[] | undefined> {
    const words = ["diff-tree", "-r", "-z", "--raw", "--numstat", ...PLAIN, from, to];
    const { exit_code, output } = await this.#repository.git(words);
    if (exit_code !== 0) return undefined;
    const files = filesIn(output.split("\0"));
    return files.map((file) => ({ ...file, path: this.#name(file.path) })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async totals(commits: readonly string[]): Promise<(ChangeTotals | null)[]> {
    const pairs = commits.slice(1).map((commit, index) => ({ commit, before: commits[index] ?? commit }));
    if (pairs.length === 0) return [];
    const stdin = pairs.map(({ commit, before }) => `${commit} ${before}\n`).join("");
    const words = ["diff-tree", "--stdin", "--always", "-r", "--numstat", ...PLAIN];
    const { output } = await this.#repository.git(words, { stdin });
    return totalsIn(output.split("\n"), pairs);
  }

  async adopt(label: string, commit: string): Promise<void> {
    await this.#repository.git(["update-ref", this.#ref(label), commit]);
  }

  async diff(from: string, to: string, paths: readonly string[] = []): Promise<string> {
    const only = paths.length > 0 ? ["--", ...paths.map((path) => this.#path(path))] : [];
    const words = ["diff-tree", "-r", "-p", "--src-prefix=a/", "--dst-prefix=b/", ...PLAIN, from, to, ...only];
    return (await this.#repository.git(["--literal-pathspecs", ...words])).output;
  }

  async paths(commit: string): Promise<string[]> {
    const { output } = await this.#repository.git(["ls-tree", "-r", "-z", "--name-only", commit]);
    return output
      .split("\0")
      .filter(Boolean)
      .map((path) => this.#name(path));
  }

  async texts(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const path of paths.slice(0, MOST_TEXTS)) {
      const { exit_code, output } = await this.#repository.git(["cat-file", "blob", `${commit}:${this.#path(path)}`]);
      if (exit_code === 0 && output.length <= LONGEST_TEXT && !output.includes("\0")) found.set(path, output);
    }
    return found;
  }

  /** Makes the files those of a snapshot. The present ones are kept first; ignored files stay. */
  async restore(commit: string): Promise<Kept> {
    const before = await this.keep(`before-restore-${Date.now()}`);
    if ("problem" in before) return before;
    const call = { index: this.#index };
    const moved = await this.#repository.git(["read-tree", "-m", "-u", before.commit, commit], call);
    return moved.exit_code === 0 ? before : { problem: message("restore_failed", {}) };
  }

  async forget(): Promise<number> {
    const { git } = this.#repository;
    const { output } = await git(["for-each-ref", "--format=delete %(refname)", `refs/e8/${this.#task}/`]);
    const lines = output.split("\n").filter(Boolean);
    if (lines.length > 0) await git(["update-ref", "--stdin"], { stdin: `${lines.join("\n")}\n` });
    return lines.length;
  }

  #tree(): Promise<string | undefined> {
    return writeTree(this.#repository, this.#index);
  }

  /** The user's last commit; empty before the first. */
  async #head(): Promise<string> {
    const { exit_code, output } = await this.#repository.git(["rev-parse", "--verify", "--quiet", "HEAD"]);
    return exit_code === 0 ? output.trim() : "";
  }

  async #commit(tree: string, { head, label }: { head: string; label: string }): Promise<string | undefined> {
    const { git } = this.#repository;
    const parent = head === "" ? [] : ["-p", head];
    const made = await git(["commit-tree", tree, ...parent, "-m", `endless8 ${this.#task} ${label}`]);
    return made.exit_code === 0 ? made.output.trim() : undefined;
  }

  #ref(label: string): string {
    return `refs/e8/${this.#task}/${label}`;
  }

  #name(path: string): string {
    return nameFrom(this.#project, join(this.#repository.top, path));
  }

  #path(name: string): string {
    return relative(this.#repository.top, resolve(this.#project, name));
  }
}

/** After a commit's own line, one `<added>\t<removed>\t<path>` for each file. Git leaves out pairs whose first commit is gone. */
function totalsIn(lines: readonly string[], pairs: readonly { commit: string }[]): (ChangeTotals | null)[] {
  let next = 0;
  return pairs.map(({ commit }) => {
    if (lines[next] !== commit) return null;
    next += 1;
    const totals = { files: 0, added: 0, removed: 0 };
    for (let fields = /^(\d+|-)\t(\d+|-)\t/.exec(lines[next] ?? ""); fields; ) {
      totals.files += 1;
      totals.added += Number(fields[1]) || 0;
      totals.removed += Number(fields[2]) || 0;
      next += 1;
      fields = /^(\d+|-)\t(\d+|-)\t/.exec(lines[next] ?? "");
    }
    return totals;
  });
}

const PLAIN = ["--no-renames", "--no-ext-diff", "--no-textconv"];
const MOST_TEXTS = 300;
const LONGEST_TEXT = 1024 * 1024;
