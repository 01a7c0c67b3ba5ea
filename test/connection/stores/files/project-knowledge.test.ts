import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listKnowledge } from "../../../../src/connection/stores/files/project-knowledge.ts";
import { appendShared } from "../../../../src/connection/stores/files/shared-file.ts";
import { projectKnowledge } from "../../../../src/connection/stores/files/task-paths.ts";
import type { KnowledgeFilter } from "../../../../src/connection/stores/knowledge-merge.ts";
import { knowledge } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("a list is chosen by type, category and confidence, with the surest and then the youngest first", async () => {
  const project = await temporaryDirectory();
  await mkdir(join(project, ".e8"));
  await appendShared(projectKnowledge(project), [
    knowledge("old high", { confidence: "high", created_at: "2026-01-01T00:00:00Z" }),
    knowledge("low", { confidence: "low" }),
    knowledge("lesson", { type: "lesson", category: "Types" }),
    knowledge("young high", { confidence: "high", created_at: "2026-01-02T00:00:00Z" }),
  ]);
  const chosen = async (filter: KnowledgeFilter) => {
    const entries = await listKnowledge({ project, report: () => {}, ...filter });
    return entries.map(({ content }) => content);
  };

  expect(await chosen({})).toEqual(["young high", "old high", "lesson", "low"]);
  expect(await chosen({ minimum_confidence: "medium", type: "pattern" })).toEqual(["young high", "old high"]);
  expect(await chosen({ category: "types" })).toEqual(["lesson"]);
  expect(await chosen({ type: "lesson", category: "testing" })).toEqual([]);
});
