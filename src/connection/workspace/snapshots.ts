import { join, relative, resolve } from "node:path";
import type { ChangedFile, ChangeTotals } from "../../model/changes.ts";
import { message } from "../../model/message.ts";
import { namedCommit, rememberNamed, rememberTree } from "../git/commits.ts";
import { type GitFolders, readHead, writeRef } from "../git/own-files.ts";
import type { Forgotten, Kept } from "../ports/workspace.ts";
import type { GitAnswer } from "../processes/git.ts";
import { filesIn, totalsIn } from "./changed-files.ts";
import { splitDiff } from "./file-diffs.ts";
import { textsOf } from "./object-texts.ts";
import { nameFrom } from "./project-files.ts";
import type { Repository } from "./repository.ts";
import { isText, linksOut, mentionsIn } from "./snapshot-words.ts";
import type { Trees } from "./trees.ts";
import { wholeTree } from "./whole-tree.ts";

/** A task's snapshots: commits of ours under `refs/e8/<task>/`, which keep their objects from garbage collection. */
export class Snapshots {
  readonly #repository: Repository;
  readonly #trees: Trees;
  readonly #project: string;
  readonly #task: string;
  #last: { tree: string; head: string; commit: string; label: string } | undefined;
  /** Of the commits that this process has made, what git says of them. */
  readonly #contents = new Map<string, string>();
  readonly #answers = new Map<string, Promise<GitAnswer>>();

  constructor(repository: Repository, trees: Trees, { project, task }: { project: string; task: string }) {
    this.#repository = repository;
    this.#trees = trees;
    this.#project = project;
    this.#task = task;
  }

  async keep(label: string): Promise<Kept> {
    const failed = (problem: string) => ({ problem: message("snapshot_failed", { problem }) });
    // A repository of ours has no branch.
    const [head, written] = await Promise.all([this.#repository.isUsers ? this.#head() : "", this.#trees.write()]);
    if ("problem" in written) return failed(written.problem);
    const { tree } = written;
    const isKept = this.#last?.tree === tree && this.#last.head === head;
    const known = isKept ? this.#last : this.#own && namedCommit(this.#own, tree);
    const made = known ?? (await this.#commit(tree, { head, label }));
    if ("problem" in made) return failed(made.problem);
    const { commit } = made;
    const isNamed = this.#last?.label === label && this.#last.commit === commit;
    const problem = isNamed ? undefined : await this.#setRef(this.ref(label), commit);
    if (problem !== undefined) return failed(problem);
    this.#last = { tree, head, commit, label };
    if (this.#own) rememberNamed(this.#own, { tree, commit, ref: this.ref(label) });
    return { commit, ...(await this.#trees.leftOutByReason((paths) => this.namesOf(paths))) };
  }

  /** A folder without git is one commit as long as it stays the same, whichever task keeps it. */
  get #own(): GitFolders | undefined {
    const { isUsers, folders } = this.#repository;
    return isUsers ? undefined : folders;
  }

  async isSame(one: string, other: string): Promise<boolean> {
    if (one === other) return true;
    const [first, second] = await Promise.all([one, other].map((commit) => this.#contentOf(commit)));
    return first !== undefined && first === second;
  }

  /** A snapshot's tree and the user's commit under it. */
  async #contentOf(commit: string): Promise<string | undefined> {
    const known = this.#contents.get(commit);
    if (known !== undefined) return known;
    const { exit_code, output } = await this.#repository.git(["show", "-s", "--format=%T %P", commit]);
    return exit_code === 0 ? output.trim() : undefined;
  }

  async changes(from: string, to: string): Promise<ChangedFile[] | undefined> {
    const files = await this.differences(from, to);
    return files?.map((file) => ({ ...file, path: this.#name(file.path) })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Named as in the repository. Undefined when git has removed the older one. `to` may be a tree. */
  async differences(from: string, to: string): Promise<ChangedFile[] | undefined> {
    const { exit_code, output } = await this.#compared(from, to);
    return exit_code === 0 ? filesIn(output.split("\0")) : undefined;
  }

  async totals(commits: readonly string[]): Promise<(ChangeTotals | null)[]> {
    const pairs = commits.slice(1).map((commit, index) => ({ commit, before: commits[index] ?? commit }));
    if (pairs.length === 0) return [];
    const stdin = pairs.map(({ commit, before }) => `${commit} ${before}\n`).join("");
    const words = ["diff-tree", "--stdin", "--always", "-r", "--numstat", ...PLAIN];
    const { output } = await this.#repository.git(words, { stdin });
    return totalsIn(output.split("\n"), pairs);
  }

  async mixed(commit: string, sources: ReadonlyMap<string, string>): Promise<string | undefined> {
    const { git } = this.#repository;
    const call = { index: this.#trees.otherIndex };
    if ((await git(["read-tree", commit], call)).exit_code !== 0) return undefined;
    for (const [name, source] of sources) {
      const path = this.#path(name);
      const { output } = await git(["--literal-pathspecs", "ls-tree", "-z", "--full-tree", source, "--", path]);
      const [, mode = "0", object = "0".repeat(commit.length)] = /^(\d+) \w+ (\w+)\t/.exec(output) ?? [];
      await git(["update-index", "-z", "--index-info"], { ...call, stdin: `${mode} ${object}\t${path}\0` });
    }
    const { exit_code, output } = await git(["write-tree"], call);
    const made = exit_code === 0 ? await this.#commit(output.trim(), { head: "", label: "baseline" }) : undefined;
    if (!made || "problem" in made) return undefined;
    await this.adopt("baseline", made.commit);
    return made.commit;
  }

  /** Kept under a ref, where it is another commit. */
  async whole(commit: string): Promise<string> {
    const tree = await wholeTree(this.#repository, this.#trees.otherIndex, commit);
    const made = tree === undefined ? undefined : await this.#commit(tree, { head: commit, label: "base" });
    if (!made || "problem" in made) return commit;
    await this.adopt("base", made.commit);
    return made.commit;
  }

  async adopt(label: string, commit: string): Promise<void> {
    await this.#setRef(this.ref(label), commit);
  }

  /** Returns why it could not be set. */
  async #setRef(ref: string, commit: string): Promise<string | undefined> {
    const { folders, git } = this.#repository;
    if (folders && (await writeRef(folders, ref, commit))) return undefined;
    const { exit_code, problem } = await git(["update-ref", ref, commit]);
    return exit_code === 0 ? undefined : problem;
  }

  async diff(
    from: string,
    to: string,
    paths: readonly string[] = [],
    options: readonly string[] = [],
  ): Promise<string> {
    const only = paths.length > 0 ? ["--", ...paths.map((path) => this.#path(path))] : [];
    const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
    const words = ["diff-tree", "-r", "-p", ...prefixes, ...PLAIN, ...options, from, to, ...only];
    return (await this.#repository.git(["--literal-pathspecs", "-c", "core.quotePath=false", ...words])).output;
  }

  /** Programs are shown although a byte in them, or an attribute, calls them binary. */
  async fileDiffs(from: string, to: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const read = async (names: readonly string[], options: readonly string[]) => {
      for (let at = 0; at < names.length; at += AT_ONCE)
        for (const [path, part] of splitDiff(await this.diff(from, to, names.slice(at, at + AT_ONCE), options)))
          found.set(this.#name(path), part);
    };
    await read(paths, []);
    await read(
      paths.filter((path) => isText(path) && /^Binary files /m.test(found.get(path) ?? "")),
      ["--text"],
    );
    return found;
  }

  async paths(commit: string): Promise<string[]> {
    return [...(await this.#listing(commit)).keys()].map((path) => this.#name(path));
  }

  async texts(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const asked = paths.slice(0, MOST_TEXTS).filter((path) => !path.includes("\n")); // git is asked line by line
    const listing = this.#answers.has(keyOf(listed(commit))) ? await this.#listing(commit) : undefined;
    const names = asked.map((path) => listing?.get(this.#path(path)) ?? `${commit}:${this.#path(path)}`);
    const texts = await textsOf(this.#repository, names);
    return new Map(
      asked.flatMap((path, place) => {
        const text = texts.get(names[place] ?? "");
        return text === undefined || (text.includes("\0") && !isText(path)) ? [] : [[path, text] as const];
      }),
    );
  }

  /** The files of a commit, with the names of their contents. */
  async #listing(commit: string): Promise<ReadonlyMap<string, string>> {
    const { output } = await this.#once(listed(commit));
    const entries = output.split("\0").filter(Boolean);
    return new Map(entries.map((entry) => [entry.slice(entry.indexOf("\t") + 1), entry.split(/[ \t]/, 3)[2] ?? ""]));
  }

  async mentions(commit: string, words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await mentionsIn(this.#repository, commit, words);
    return new Map([...found].map(([word, paths]) => [word, paths.map((path) => this.#name(path))]));
  }

  async linksOut(from: string, to: string): Promise<string[]> {
    const { output } = await this.#compared(from, to);
    return (await linksOut(this.#repository, { from, to, changes: output })).map((path) => this.#name(path));
  }

  #compared(from: string, to: string): Promise<GitAnswer> {
    const kept = this.#last?.tree === to ? this.#last.commit : to; // the proof has asked about the commit
    return this.#once(["diff-tree", "-r", "-z", "--raw", "--numstat", ...PLAIN, from, kept]);
  }

  async forget({ keeps_way_back }: { keeps_way_back: boolean }): Promise<Forgotten> {
    const { git } = this.#repository;
    const { output } = await git(["for-each-ref", "--format=%(refname)", this.ref("")]);
    const all = output.split("\n").filter(Boolean);
    const isBefore = (ref: string) => ref.startsWith(this.ref(BEFORE_RESTORE));
    const isKept = (ref: string) => keeps_way_back && (isBefore(ref) || ref === this.ref(RESTORING));
    const removed = all.filter((ref) => !isKept(ref));
    if (removed.length > 0)
      await git(["update-ref", "--stdin"], { stdin: removed.map((ref) => `delete ${ref}\n`).join("") });
    return { removed: removed.length, kept: keeps_way_back ? all.filter(isBefore).length : 0 };
  }

  /** Asks what a commit can only be answered with: the proof asks the same several times. */
  #once(words: readonly string[]): Promise<GitAnswer> {
    const key = keyOf(words);
    const answer = this.#answers.get(key) ?? this.#repository.git(words);
    this.#answers.set(key, answer);
    return answer;
  }

  /** Empty before the user's first commit. */
  async #head(): Promise<string> {
    return readHead(this.#repository.top)?.commit ?? (await this.commitOf("HEAD"));
  }

  /** Empty where the name leads to no commit. */
  async commitOf(name: string): Promise<string> {
    const { exit_code, output } = await this.#repository.git(["rev-parse", "--verify", "--quiet", name]);
    return exit_code === 0 ? output.trim() : "";
  }

  async #commit(
    tree: string,
    { head, label }: { head: string; label: string },
  ): Promise<{ commit: string } | { problem: string }> {
    const parent = head === "" ? [] : ["-p", head];
    const words = ["commit-tree", tree, ...parent, "-m", `endless8 ${this.#task} ${label}`];
    const { exit_code, output, problem } = await this.#repository.git(words);
    if (exit_code !== 0) return { problem };
    const commit = output.trim();
    this.#contents.set(commit, `${tree} ${head}`.trim());
    rememberTree(commit, tree);
    return { commit };
  }

  ref(label: string): string {
    return `refs/e8/${this.#task}/${label}`;
  }

  /** Of files as git gives them, every byte as one character. */
  namesOf(paths: readonly string[]): string[] {
    return paths.map((path) => this.#name(Buffer.from(path, "latin1").toString()));
  }

  #name(path: string): string {
    return nameFrom(this.#project, join(this.#repository.top, path));
  }

  #path(name: string): string {
    return relative(this.#repository.top, resolve(this.#project, name));
  }
}

function listed(commit: string): string[] {
  return ["ls-tree", "-r", "-z", commit];
}

function keyOf(words: readonly string[]): string {
  return words.join(" ");
}

/** The files from before a restore: a name for each time, and one until the user has been told. */
export const BEFORE_RESTORE = "before-restore-";
export const RESTORING = "restoring";
const PLAIN = ["--no-renames", "--no-ext-diff", "--no-textconv"];
/** A command line has room for so many paths. */
const AT_ONCE = 100;
const MOST_TEXTS = 2000;
