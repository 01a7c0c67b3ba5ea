import { readFile, writeFile } from "node:fs/promises";
import { describe } from "vitest";
import { fileStore } from "../../src/connection/stores/files/file-store.ts";
import { taskPaths } from "../../src/connection/stores/files/task-paths.ts";
import { MemoryStore } from "../../src/connection/stores/memory/memory-store.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { testTaskStore } from "./task-store.contract.ts";

describe("files", () => {
  testTaskStore(async () => ({
    store: fileStore(await temporaryDirectory()),
    abandon: async ({ location }) => {
      const { lock } = taskPaths(location);
      const holder = JSON.parse(await readFile(lock, "utf8"));
      await writeFile(lock, JSON.stringify({ ...holder, boot_id: "an earlier boot" }));
    },
  }));
});

describe("memory", () => {
  testTaskStore(async () => {
    const store = new MemoryStore();
    return {
      store,
      abandon: async ({ task }) => {
        const { holder } = store.tasks.get(task.task_id) ?? {};
        if (holder) holder.is_alive = false;
      },
    };
  });
});
