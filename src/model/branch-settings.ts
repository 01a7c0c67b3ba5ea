import { z } from "zod";
import { textList, yamlBoolean } from "./yaml-scalars.ts";

const text = z.string().trim().min(1);
const Checkout = z.enum(["keep", "forward"]);
const OnConflict = z.enum(["agent", "stop"]);

/** `worktree` as it stands in a file. */
export const worktreeSettings = {
  enabled: yamlBoolean().optional(),
  root: text.nullable().optional(),
  base: text.nullable().optional(),
  copy: textList(text).optional(),
  setup: text.nullable().optional(),
};

/** `finalize` as it stands in a file. */
export const finalizeSettings = {
  merge: yamlBoolean().optional(),
  push: yamlBoolean().optional(),
  remote: text.optional(),
  create_pr: yamlBoolean().optional(),
  draft: yamlBoolean().optional(),
  pr_target: text.nullable().optional(),
  author: z
    .string()
    .regex(/^[^<>\n]+ <[^<>\s]+>$/)
    .nullable()
    .optional(),
  checkout: Checkout.optional(),
  on_conflict: OnConflict.optional(),
};

/** Whether the work happens on a branch and in a worktree of its own. */
const Worktree = z.object({
  enabled: z.boolean(),
  /** Where worktrees lie, as seen from the repository's top; `null`: beside it, in `../<name>.worktrees`. */
  root: z.string().nullable(),
  /** The branch that the work starts from and lands on. */
  base: z.string().nullable(),
  /** Patterns of files to copy from the checkout that git does not have. */
  copy: z.array(z.string()),
  /** Prepares the worktree before the first work. */
  setup: z.string().nullable(),
});

/** What happens to proved work on a branch of its own. */
const Finalize = z.object({
  merge: z.boolean(),
  push: z.boolean(),
  remote: z.string(),
  /** Opens a pull request in the place of merging. */
  create_pr: z.boolean(),
  draft: z.boolean(),
  /** The branch that the pull request asks for; `null`: the base. */
  pr_target: z.string().nullable(),
  /** Who commits, as `Name <address>`; `null`: as git says. */
  author: z.string().nullable(),
  /** What to do about a base that is checked out: leave it, or bring it forward where nothing is lost. */
  checkout: Checkout,
  on_conflict: OnConflict,
});

export const WORKTREE: z.infer<typeof Worktree> = { enabled: false, root: null, base: null, copy: [], setup: null };
export const FINALIZE: z.infer<typeof Finalize> = {
  ...{ merge: true, push: false, remote: "origin" },
  ...{ create_pr: false, draft: false, pr_target: null, author: null },
  checkout: "keep",
  on_conflict: "agent",
};

/** Earlier records have neither. */
export const WorktreeSettings = Worktree.default(WORKTREE);
export const FinalizeSettings = Finalize.default(FINALIZE);
