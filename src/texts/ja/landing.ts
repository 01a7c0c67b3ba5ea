import type { enLanding } from "../en/landing.ts";

export const jaLanding: typeof enLanding = {
  merged: (base) => `その間に変わった ${base} をワークツリーにマージしました。作業をもう一度証明します`,
  conflict: (base, files) => `${base} をマージすると ${files} で競合します。次の作業で解消します`,
  landed: (base, commit) => `${base} にマージしました（${commit}）`,
  kept: (base, commit) =>
    `マージしました（${commit}）。${base} はチェックアウトされているため動かしていません。以後のタスクはこのマージの上で作業します`,
  published: (branch, remote, url) =>
    url === undefined ? `${branch} を ${remote} にプッシュしました` : `${branch} のプルリクエスト：${url}`,
  keptIn: (path, branch) => `作業は ${path} のブランチ ${branch} にあります`,
  failed: (branch, base, problem) => `${branch} を ${base} にマージできませんでした：${problem}`,
};
