import { describe, expect, test } from "vitest";
import { filesOf, linesOf, placeOf } from "../../dashboard/run/diff/lines.ts";
import { diffOf } from "../support/page/diff.ts";

describe("a patch is read", () => {
  test("with names that git has quoted, renamed files and binary ones", () => {
    const patch = [
      'diff --git "a/docs/\\345\\220\\210.md" "b/docs/\\345\\220\\210.md"',
      "new file mode 100644",
      "--- /dev/null",
      '+++ "b/docs/\\345\\220\\210.md"',
      "@@ -0,0 +1 @@",
      "+one",
      "diff --git a/old.ts b/new.ts",
      "similarity index 90%",
      "rename from old.ts",
      "rename to new.ts",
      "--- a/old.ts",
      "+++ b/new.ts",
      "@@ -1 +1 @@",
      "-1",
      "+2",
      "diff --git a/logo.png b/logo.png",
      "index 1111111..2222222 100644",
      "Binary files a/logo.png and b/logo.png differ",
    ].join("\n");

    const files = filesOf(patch);

    expect(files.map(({ path, status, hunks }) => [path, status, hunks.length])).toEqual([
      ["docs/\u5408.md", "added", 1],
      ["new.ts", "renamed", 1],
      ["logo.png", "modified", 0],
    ]);
  });

  test("with lines that look like another file's head", () => {
    const patch = [
      "diff --git a/a b/a",
      "--- a/a",
      "+++ b/a",
      "@@ -1,2 +1,2 @@",
      "--- a/fake",
      "+++ b/fake",
      " same",
    ].join("\n");

    const [file, ...others] = filesOf(patch);

    expect(others).toEqual([]);
    expect(file?.hunks[0]?.changes.map(({ type, text }) => [type, text])).toEqual([
      ["del", "-- a/fake"],
      ["add", "++ b/fake"],
      ["normal", "same"],
    ]);
  });

  test("as far as it goes, where it is cut", () => {
    const { diff } = diffOf(0, 1, 500);

    const files = filesOf(diff.slice(0, diff.length - 2_000));

    expect(files.map(({ path }) => path)).toEqual(["src/cart.ts", "README.md", "docs/\u5408\u8a08.md", "src/rates.ts"]);
    expect(files.at(-1)?.hunks[0]?.changes.length).toBeGreaterThan(400);
  });
});

test("a line of a file is found in the list, or the nearest before it", () => {
  const lines = linesOf(filesOf(diffOf(0, 1, 10).diff), new Set());

  const shown = (line: number) => {
    const found = lines[placeOf(lines, "src/cart.ts", line)];
    return found?.kind === "change" ? found.hunk.changes[found.at]?.after : found?.kind;
  };

  expect(shown(14)).toBe(14);
  expect(shown(900)).toBe(18);
  expect(lines[placeOf(lines, "README.md", 1)]).toMatchObject({ kind: "file" });
});

test("a folded file is its head alone", () => {
  const files = filesOf(diffOf(0, 1, 10).diff);

  const lines = linesOf(files, new Set(["src/rates.ts"]));

  expect(lines.filter(({ file }) => file.path === "src/rates.ts")).toHaveLength(1);
});
