import { beforeEach, describe, expect, test } from "vitest";
import { kept, made, open, ownRooms, textAt, worked } from "../../support/kept-work.ts";
import { git, write } from "../../support/repository.ts";

beforeEach(ownRooms);

/** A project whose contents git has to make by a filter, and a snapshot of its start, after which all of them have changed. */
async function changed({ smudge }: { smudge: string }) {
  const project = await made({ "a.txt": "1\n", "smudge.sh": "cat\n", ".gitattributes": "*.bin filter=store\n" });
  await git(project, "config", "filter.store.clean", "cat");
  await git(project, "config", "filter.store.smudge", `sh '${project}/smudge.sh'`);
  await git(project, "config", "filter.store.required", "true");
  await write(project, { "1.bin": "1\n", "2.bin": "2\n", "smudge.sh": smudge });
  const workspace = await open(project);
  const start = await kept(workspace, "start");
  await write(project, { "a.txt": "2\n", "1.bin": "changed\n", "3.bin": "new\n" });
  const texts = () => Promise.all(["a.txt", "1.bin", "2.bin", "3.bin"].map((name) => textAt(project, name)));
  return { project, workspace, start, texts };
}

describe("where a filter cannot make the contents", () => {
  test("a restore is refused, and no file is touched", async () => {
    const { workspace, start, texts } = await changed({ smudge: "exit 1\n" });

    expect(await workspace.restore(start)).toMatchObject({
      problem: { code: "restore_failed", params: { problem: expect.stringMatching(/smudge filter '?store'? failed/) } },
    });

    expect(await texts()).toEqual(["2\n", "changed\n", "2\n", "new\n"]);
  });

  test("so is one that could not be undone", async () => {
    const { workspace, start, texts } = await changed({ smudge: 'read line; test "$line" != new && echo "$line"\n' });

    expect(await workspace.restore(start)).toMatchObject({ problem: { code: "restore_failed" } });

    expect(await texts()).toEqual(["2\n", "changed\n", "2\n", "new\n"]);
  });

  test("what another program writes meanwhile stays", async () => {
    const writes = 'case "$PWD" in *.files) echo written meanwhile > "$(dirname "$0")/a.txt";; esac; cat\n';
    const { workspace, start, texts } = await changed({ smudge: writes });

    expect(await workspace.restore(start)).toMatchObject({ problem: { code: "restore_failed" } });

    expect(await texts()).toEqual(["written meanwhile\n", "changed\n", "2\n", "new\n"]);
  });

  test("a restore that fails halfway is undone", async () => {
    const once = 'case "$PWD" in *.files) cat;; *) test -e .git/failed && cat || { : > .git/failed; exit 1; };; esac\n';
    const { workspace, start, texts } = await changed({ smudge: once });

    expect(await workspace.restore(start)).toMatchObject({ problem: { code: "restore_failed" } });

    expect(await texts()).toEqual(["2\n", "changed\n", "2\n", "new\n"]);
  });

  test("a restore that fails halfway for good names the commit that has all files, and can be undone later", async () => {
    const { project, workspace, start, texts } = await changed({
      smudge: 'case "$PWD" in *.files) cat;; *) exit 1;; esac\n',
    });

    const failed = await workspace.restore(start);

    expect(failed).toMatchObject({ problem: { code: "restore_halfway", params: { id: "t" } } });
    const [, commit = ""] = /"commit":"(\w+)"/.exec(JSON.stringify(failed)) ?? [];
    await write(project, { "smudge.sh": "cat\n" });
    expect(await workspace.restore(commit)).toMatchObject({ commit: expect.any(String) });
    expect((await texts()).slice(1)).toEqual(["changed\n", "2\n", "new\n"]);
  });
});

test("contents of Git LFS come from the user's storage, also for a clean checkout", async () => {
  const filter = `
storage=$(git config lfs.storage || echo "$(git rev-parse --absolute-git-dir)/lfs")
if [ "$1" = clean ]; then
  mkdir -p "$storage"; cat > "$storage/new"; id=$(git hash-object --no-filters "$storage/new")
  mv "$storage/new" "$storage/$id"; echo "$id"
else read -r id; cat "$storage/$id"; fi
`;
  const project = await made({ "lfs.sh": filter, ".gitattributes": "*.bin filter=lfs\n" });
  for (const name of ["clean", "smudge"])
    await git(project, "config", `filter.lfs.${name}`, `sh '${project}/lfs.sh' ${name}`);
  await git(project, "config", "filter.lfs.required", "true");
  await write(project, { "x.bin": "large\n" });
  await git(project, "add", "-A");
  await git(project, "commit", "-qm", "large");

  const { place } = await worked(project, () => write(project, { "y.bin": "also large\n" }));

  expect(await git(project, "show", "HEAD:x.bin")).not.toContain("large");
  expect(await textAt(place.root, "x.bin")).toBe("large\n");
  expect(await textAt(place.root, "y.bin")).toBe("also large\n");
});
