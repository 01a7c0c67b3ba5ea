import { defineConfig } from "vitest/config";

/** Tests of code that keeps nothing between calls: their files can share one set of modules, which takes longer to load than to test. */
const SHARING = [
  ...["model", "judgment", "configuration", "execution", "docs", "cli"],
  ...["models", "queries", "stores", "trackers", "workspace"].map((folder) => `connection/${folder}`),
].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    // Claude Code takes most of a core while it starts; many a test waits meanwhile.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "apart", include: ["test/**/*.test.ts"], exclude: SHARING } },
      { extends: true, test: { name: "sharing", include: SHARING, isolate: false } },
    ],
  },
});
