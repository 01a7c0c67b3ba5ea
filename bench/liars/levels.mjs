// The settings that the runs are played with, from the weakest to the default.

/**
 * `loop`: no e8 at all, but a shell loop that runs the worker until it prints its promise. `flags`: of `e8 run`. `is_reviewed`: a
 * scripted reviewer reads the diff.
 */
export const LEVELS = [
  { name: "promise", title: "promise loop", loop: true },
  { name: "none", title: "`--proof none`", flags: ["--proof", "none"] },
  { name: "in-place", title: "`--proof in-place`", flags: ["--proof", "in-place"] },
  { name: "unreviewed", title: "default, no reviewer", flags: [] },
];

/** The one that must not fail: the bench exits with 1 when it does. */
export const DECISIVE = "unreviewed";
