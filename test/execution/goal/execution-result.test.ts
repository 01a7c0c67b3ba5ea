import { describe, expect, test } from "vitest";
import { executionOf } from "../../../src/execution/goal/execution-result.ts";
import type { AgentReply } from "../../../src/model/agent.ts";
import { NOTHING_SPENT } from "../../../src/model/usage.ts";

const NO_METADATA = { status: "success", output: "Here are three papers.", artifacts: [] };
const REPORT =
  '```json\n{"strategy_tags": ["search"], "approach": "searched", "discoveries": ["arXiv has an API"]}\n```';

describe("metadata that append_system_prompt asks for as JSON [FR-025]", () => {
  test("is read beside a structured answer", () => {
    expect(metadataOf({ text: `Done.\n\n${REPORT}`, structured: NO_METADATA })).toEqual({
      approach: "searched",
      strategy_tags: ["search"],
      discoveries: ["arXiv has an API"],
    });
  });

  test("is read inside the structured answer's own text", () => {
    const structured = { ...NO_METADATA, output: `Here are three papers.\n\n${REPORT}` };
    expect(metadataOf({ text: "", structured })).toMatchObject({ strategy_tags: ["search"] });
  });

  test("adds its tags and discoveries to the structured ones; the structured approach wins", () => {
    const semantic_metadata = { approach: "read abstracts", strategy_tags: ["read", "search"], discoveries: ["slow"] };
    expect(metadataOf({ text: REPORT, structured: { ...NO_METADATA, semantic_metadata } })).toEqual({
      approach: "read abstracts",
      strategy_tags: ["read", "search"],
      discoveries: ["slow", "arXiv has an API"],
    });
  });

  test("is united when it was reported after each piece of the work", () => {
    const said = 'One done. {"strategy_tags": ["first"], "discoveries": ["a"]}\nTwo done. {"discoveries": ["b"]}';
    expect(metadataOf({ text: REPORT, said, structured: NO_METADATA })).toEqual({
      approach: "searched",
      strategy_tags: ["first", "search"],
      discoveries: ["a", "b", "arXiv has an API"],
    });
  });

  test("counts as far as it is usable, and other JSON does not count", () => {
    const text = '{"strategy_tags": "search", "discoveries": ["a", " "]} {"name": "my-package", "version": "1.0.0"}';
    expect(metadataOf({ text, structured: NO_METADATA })).toEqual({
      approach: "",
      strategy_tags: [],
      discoveries: ["a"],
    });
    expect(metadataOf({ text: '{"name": "my-package"}', structured: NO_METADATA })).toBeNull();
  });

  test("is kept of a worker that failed afterwards", () => {
    const failure = { code: "crashed", message: "out of memory" } as const;
    expect(metadataOf({ text: REPORT, failure })).toMatchObject({ discoveries: ["arXiv has an API"] });
  });
});

function metadataOf(reply: Partial<AgentReply>) {
  const { result } = executionOf({ text: "", usage: NOTHING_SPENT, tools_used: [], files_modified: [], ...reply });
  return result.semantic_metadata;
}
