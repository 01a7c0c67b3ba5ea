/** What became of a task's own branch. */
export const enLanding = {
  merged: (base: string) => `${base} has changed meanwhile and was merged into the worktree; the work is proved again`,
  conflict: (base: string, files: string) =>
    `merging ${base} gives conflicts in ${files}; the next worker settles them`,
  landed: (base: string, commit: string) => `merged into ${base} as ${commit}`,
  kept: (base: string, commit: string) =>
    `merged as ${commit}; ${base} is checked out, so it was not moved, and later tasks build on what is merged`,
  published: (branch: string, remote: string, url: string | undefined) =>
    url === undefined ? `${branch} is pushed to ${remote}` : `pull request of ${branch}: ${url}`,
  keptIn: (path: string, branch: string) => `the work is in ${path}, on branch ${branch}`,
  failed: (branch: string, base: string, problem: string) => `${branch} was not merged into ${base}: ${problem}`,
};
