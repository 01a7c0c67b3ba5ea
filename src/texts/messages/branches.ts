import type { BranchMessages } from "../../model/messages/branches.ts";
import type { MessageTexts } from "../message-texts.ts";

interface BodyWords {
  task: string;
  verdict: string;
  proved: Record<"clean-room" | "in-place", string>;
  unproved: string;
  criteria: string;
  by: (id: string) => string;
}

const enBody: BodyWords = {
  task: "Task",
  verdict: "Verdict",
  proved: {
    "clean-room": "Proved in a clean checkout of",
    "in-place": "Proved in the workspace only, not in a clean checkout. Snapshot:",
  },
  unproved: "Not proved. Please look at it with care.",
  criteria: "Evidence",
  by: (id) => `By endless8, task ${id}.`,
};

const jaBody: BodyWords = {
  task: "タスク",
  verdict: "判定",
  proved: {
    "clean-room": "証明済み。クリーンなチェックアウトで確かめたコミット：",
    "in-place": "作業場所でのみ証明されました（クリーンなチェックアウトではありません）。スナップショット：",
  },
  unproved: "証明されていません。注意して確認してください。",
  criteria: "根拠",
  by: (id) => `endless8 のタスク ${id} によるものです。`,
};

const LONGEST_EVIDENCE = 1500;

/** What a worker or a check wrote stands in blocks of code: it cannot mention people or close issues. */
function pullRequestBody({ task, id, evaluations, proof }: BranchMessages["pull_request_body"], words: BodyWords) {
  const verdict = proof ? `${words.proved[proof.method]} \`${proof.commit?.slice(0, 12) ?? "?"}\`` : words.unproved;
  const evidence = evaluations.flatMap(({ criterion, is_met, evidence: text }) => [
    `${is_met ? "✔" : "✘"} ${inCode(criterion)}`,
    ...(text === "" ? [] : [fenced(text.slice(-LONGEST_EVIDENCE))]),
  ]);
  const parts = [`## ${words.task}`, fenced(task), `## ${words.verdict}`, verdict, `## ${words.criteria}`, ...evidence];
  return `${[...parts, words.by(id)].join("\n\n")}\n`;
}

function inCode(text: string): string {
  const one = text.replaceAll(/\s+/g, " ").trim();
  return one.includes("`") ? `\`\` ${one.replaceAll("``", "` `")} \`\`` : `\`${one}\``;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

const said = (words: string) => (words === "" ? "" : `: ${words}`);

export const branchesMessages: MessageTexts<BranchMessages> = {
  not_a_repository: {
    en: ({ path }) => `${path} is not in a git repository`,
    ja: ({ path }) => `${path} は git リポジトリの中にありません`,
  },
  no_commit_yet: {
    en: "the repository has no commit yet",
    ja: "リポジトリにまだコミットがありません",
  },
  base_missing: {
    en: ({ base }) => `there is no branch ${base}`,
    ja: ({ base }) => `ブランチ ${base} がありません`,
  },
  agents_too_few: {
    en: "name at least two agents: --agent claude --agent codex",
    ja: "エージェントを 2 つ以上指定してください：--agent claude --agent codex",
  },
  base_unnamed: {
    en: "the branch to start from and to land on is not named",
    ja: "派生元のブランチが指定されていません",
  },
  branch_name_invalid: {
    en: ({ branch }) => `git does not take ${branch} as the name of a branch`,
    ja: ({ branch }) => `${branch} は git のブランチ名として使えません`,
  },
  branch_exists: {
    en: ({ branch }) => `there is already a branch ${branch}`,
    ja: ({ branch }) => `ブランチ ${branch} はすでにあります`,
  },
  worktree_path_taken: {
    en: ({ path }) => `${path} exists already and is not empty`,
    ja: ({ path }) => `${path} はすでにあり、空ではありません`,
  },
  worktree_gone: {
    en: ({ path }) => `the task worked in ${path}, which is gone: its work has landed`,
    ja: ({ path }) => `タスクの作業場所 ${path} はもうありません。作業は取り込まれています`,
  },
  worktree_dirty: {
    en: ({ path }) => `${path} has changes that no commit has`,
    ja: ({ path }) => `${path} にコミットされていない変更があります`,
  },
  worktree_unmerged: {
    en: ({ path, branch }) => `${branch} in ${path} has work that has not landed`,
    ja: ({ path, branch }) => `${path} の ${branch} に、まだ取り込まれていない作業があります`,
  },
  conflict_markers_left: {
    en: ({ files }) => `conflict markers are left in ${files}`,
    ja: ({ files }) => `${files} に競合マーカーが残っています`,
  },
  repository_shallow: {
    en: "the repository is shallow, so git cannot merge; run `git fetch --unshallow` first",
    ja: "浅いクローンのためマージできません。先に `git fetch --unshallow` を実行してください",
  },
  remote_unreadable: {
    en: ({ remote, base, said: words }) => `branch ${base} of ${remote} cannot be fetched${said(words)}`,
    ja: ({ remote, base, said: words }) => `${remote} のブランチ ${base} を取得できません${said(words)}`,
  },
  push_refused: {
    en: ({ remote, branch, said: words }) => `${remote} refused the push of ${branch}${said(words)}`,
    ja: ({ remote, branch, said: words }) => `${remote} が ${branch} のプッシュを拒否しました${said(words)}`,
  },
  merge_conflict: {
    en: ({ base, files }) =>
      `The work was proved, but ${base} has changed meanwhile, and merging it gives conflicts in ${files.join(", ")}. The merge is in progress: settle the conflicts so that both sides keep their meaning, remove all conflict markers, and leave the rest of the work as it is.`,
    ja: ({ base, files }) =>
      `作業は証明されましたが、その間に ${base} が変わり、マージすると ${files.join("、")} で競合します。マージは進行中です。双方の意図を保って競合を解消し、競合マーカーをすべて取り除き、ほかの作業はそのままにしてください。`,
  },
  merge_conflict_stays: {
    en: ({ base, files }) => `merging ${base} gives conflicts in ${files.join(", ")}`,
    ja: ({ base, files }) => `${base} をマージすると ${files.join("、")} で競合します`,
  },
  base_keeps_moving: {
    en: ({ base }) => `${base} moved each time the work was about to land`,
    ja: ({ base }) => `取り込もうとするたびに ${base} が動きました`,
  },
  tree_not_proved: {
    en: ({ worktree }) => `the files in ${worktree} are not those that were proved`,
    ja: ({ worktree }) => `${worktree} のファイルは、証明されたものと異なります`,
  },
  submodule_changed: {
    en: ({ path }) =>
      `the work changes files of the submodule ${path}, which is another repository: nothing of that can land here`,
    ja: ({ path }) =>
      `作業はサブモジュール ${path} のファイルを変えています。別のリポジトリのため、ここには取り込めません`,
  },
  submodule_unpublished: {
    en: ({ path }) =>
      `the commit that the work names of the submodule ${path} is on no remote: nobody else could find it`,
    ja: ({ path }) =>
      `作業が指すサブモジュール ${path} のコミットは、どのリモートにもありません。ほかの人が見つけられません`,
  },
  pull_request_failed: {
    en: ({ branch, problem }, tell) => `${branch} is pushed, but its pull request cannot be opened: ${tell(problem)}`,
    ja: ({ branch, problem }, tell) =>
      `${branch} はプッシュされましたが、プルリクエストを作成できません：${tell(problem)}`,
  },
  pull_request_body: { en: (one) => pullRequestBody(one, enBody), ja: (one) => pullRequestBody(one, jaBody) },
  git_failed: {
    en: ({ act, said: words, exit_code }) =>
      `git ${act} failed${exit_code === null ? "" : ` with exit code ${exit_code}`}${said(words)}`,
    ja: ({ act, said: words, exit_code }) =>
      `git ${act} が失敗しました${exit_code === null ? "" : `（終了コード ${exit_code}）`}${said(words)}`,
  },
};
