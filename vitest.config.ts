import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Claude Code takes most of a core while it starts.
    maxWorkers: 2,
    // Tests meet real processes on machines that may be busy: in CI one more try, which the report shows.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
