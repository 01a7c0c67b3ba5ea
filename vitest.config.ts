import { defineConfig } from "vitest/config";

/** Tests that start other programs: git, shells, the built command line. Their files can share one set of modules. */
const SLOW = tests([
  "cli/{cut-off,issues,knowledge,list,log-level,logs,lost-output,query,query-output,remove,show,spent}",
  "connection/flows/modules",
  "connection/git/*",
  "connection/processes/environment",
  "connection/queries/history-context",
  "connection/stores/files/{create-task,durable,file-store,journal,lock,missed-copies,process-identity,shared-file,task-file}",
  "connection/trackers/{create-tracker,folder-processes,repository}",
  "connection/workspace/*",
  "docs/{agents,architecture}",
  "judgment/flow/{extract-params,interpolate,interpolate-anywhere}",
  "web/{server,streams}",
]);

/** The same, but what they test keeps something between calls, such as processes. */
const APART = tests([
  "compose/{doctor,flows,kill-points,run-here,run-here-hostile,step-agents,tasks,unbegun,watch}",
  "connection/fleet/*",
  "connection/agents/{acp-agent,acp-examine,acp-handed-on,acp-misbehaving,acp-killed,acp-refusal-log,acp-sessions,claude-*,command-agent,create-agents,scripted-agent,scripted-answers}",
  "connection/notifications/*",
  "connection/processes/sandbox/views",
  "connection/stores/postgres/{bookmarks,database,leases,limits,logins,transfer}",
  "connection/queues/bullmq/bullmq-queue",
  "connection/processes/{command-request,command-runner,git-helper,process-table,process-tree,unlock-index}",
  "connection/agents/scripted/model/claude-code",
  "dashboard/{built,loading,page,waking}",
  "contract/{agents,postgres-store,sandboxes,workspaces}",
  "support/postgres",
]);

/** The command line as users start it, or the same in process: a run ends what it began, so the files can share their modules. */
const WHOLE = tests(["e2e/**/*"]);

export default defineConfig({
  test: {
    // Twice the cores of the smallest machine: many a test waits, for Claude Code, for a terminal or for a command.
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // One failure in six thousand tests on a busy machine must not stop a landing. Vitest names what passed only the second time.
    retry: process.env.CI ? 1 : 0,
    globalSetup: ["test/support/state-home.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: tests(["**/*"]),
          exclude: [...SLOW, ...APART, ...WHOLE],
          setupFiles: ["test/support/no-programs.ts"],
          isolate: false, // loading the modules takes longer than testing them
        },
      },
      { extends: true, test: { name: "slow", include: SLOW, isolate: false } },
      { extends: true, test: { name: "apart", include: APART } },
      { extends: true, test: { name: "e2e", include: WHOLE, isolate: false } },
    ],
  },
});

function tests(paths: readonly string[]): string[] {
  return paths.map((path) => `test/${path}.test.ts`);
}
