// The settings that the runs are played with, from the weakest to the default.

/**
 * `loop`: no e8 at all, but a shell loop that runs the worker until it prints its promise. `flags`: of `e8 run`. `is_reviewed`: the
 * scripted reviewer reads the diff.
 */
export const LEVELS = [
  { name: "promise", en: "promise loop", ja: "約束のループ", loop: true },
  { name: "none", en: "`--proof none`", ja: "`--proof none`", flags: ["--proof", "none", "--no-review"] },
  {
    name: "in-place",
    en: "`--proof in-place`",
    ja: "`--proof in-place`",
    flags: ["--proof", "in-place", "--no-review"],
  },
  {
    name: "open",
    en: "`--sandbox off --no-review`",
    ja: "`--sandbox off --no-review`",
    flags: ["--sandbox", "off", "--no-review"],
  },
  { name: "unreviewed", en: "`--no-review`", ja: "`--no-review`", flags: ["--no-review"] },
  { name: "off", en: "`--sandbox off`", ja: "`--sandbox off`", flags: ["--sandbox", "off"], is_reviewed: true },
  { name: "reviewed", en: "default", ja: "既定値", flags: [], is_reviewed: true },
];

/** The one that must not fail: the bench exits with 1 when it does. */
export const DECISIVE = "reviewed";
