import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createWorkspace } from "../../../src/connection/workspace/workspace.ts";
import { git, repository, write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const LONG = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join("\n");

describe("a look at changed files", () => {
  test("shows short texts whole, the beginning of long ones, and what is no text or gone", async () => {
    const project = await temporaryDirectory();
    await write(project, { "a.txt": "short\n", "src/long.txt": LONG, "image.png": "\0PNG" });

    expect(await createWorkspace(project).look(["a.txt", "src/long.txt", "image.png", "gone.txt"], 100)).toEqual([
      { path: "a.txt", kind: "text", text: "short\n", is_cut: false },
      { path: "src/long.txt", kind: "text", text: LONG.slice(0, 100), is_cut: true },
      { path: "image.png", kind: "binary", text: "", is_cut: false },
      { path: "gone.txt", kind: "deleted", text: "", is_cut: false },
    ]);
  });

  test("shows what has changed in a long file that git knows, also when the worker has committed it", async () => {
    const project = await repository({ "[a] *.txt": LONG });
    const workspace = createWorkspace(project);
    await workspace.watch();
    await write(project, { "[a] *.txt": LONG.replace("line 500\n", "LINE 500\n"), "new.txt": LONG });
    await git(project, "add", "-A");
    await git(project, "commit", "-q", "-m", "second");

    const [changed, made] = await workspace.look(["[a] *.txt", "new.txt"], 1_000);

    expect(changed).toMatchObject({ kind: "diff", is_cut: false });
    expect(changed?.text).toContain("-line 500\n+LINE 500\n");
    expect(made).toMatchObject({ kind: "diff", is_cut: true });
  });

  test("leaves out files outside the watched directory, links, directories and the records", async () => {
    const project = await temporaryDirectory();
    const outside = join(await temporaryDirectory(), "secret.txt");
    await write(project, { "work/a.txt": "a", "b.txt": "b", ".e8/tasks/x/task.json": "{}", "work/.e8/y": "y" });
    await writeFile(outside, "secret");
    await symlink(outside, join(project, "work/link.txt"));
    const workspace = createWorkspace(join(project, "work"), { project });

    const names = ["work/a.txt", "b.txt", outside, "work/link.txt", "work", ".e8/tasks/x/task.json", "work/.e8/y"];
    expect((await workspace.look(names, 100)).map(({ path }) => path)).toEqual(["work/a.txt"]);
  });

  test("keeps whole characters, and looks at a few files only", async () => {
    const project = await temporaryDirectory();
    const names = Array.from({ length: 30 }, (_, index) => `${index}.txt`);
    await write(project, Object.fromEntries(names.map((name) => [name, "a🙂".repeat(100)])));

    const looks = await createWorkspace(project).look(names, 5);

    expect(looks).toHaveLength(20);
    expect(looks[0]?.text.isWellFormed()).toBe(true);
  });
});
