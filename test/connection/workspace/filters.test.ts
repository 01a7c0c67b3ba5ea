import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { kept, made, open, ownRooms, textAt, worked } from "../../support/kept-work.ts";
import { git, write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

beforeEach(ownRooms);

describe("filters", () => {
  const ATTRIBUTES = { ".gitattributes": "*.bin filter=store\n" };

  /** As Git LFS does it: the repository holds a pointer, the filter has the content. */
  async function withFilter(): Promise<string> {
    const project = await made({ "a.txt": "1\n" });
    await git(project, "config", "filter.store.clean", "sed s/content/pointer/");
    await git(project, "config", "filter.store.smudge", "sed s/pointer/content/");
    await git(project, "config", "filter.store.required", "true");
    await write(project, { ...ATTRIBUTES, "x.bin": "content\n" });
    await git(project, "add", "-A");
    await git(project, "commit", "-qm", "stored");
    return project;
  }

  test("of the start run at the snapshot and in the clean checkout", async () => {
    const project = await withFilter();
    const { place } = await worked(project, () => write(project, { "y.bin": "content 2\n" }));
    expect(await textAt(place.root, "x.bin")).toBe("content\n");
    expect(await textAt(place.root, "y.bin")).toBe("content 2\n");
  });

  test("that fail and are required are named, and nothing is kept", async () => {
    const project = await withFilter();
    await git(project, "config", "filter.store.clean", "store-is-not-installed");
    await write(project, { "x.bin": "changed content\n" });
    const found = await (await open(project)).snapshot("1");
    expect(found).toMatchObject({
      problem: { code: "snapshot_failed", params: { problem: expect.stringContaining("'store' failed") } },
    });
  });

  test("that cannot bring the content back leave no clean checkout, and are named", async () => {
    const project = await withFilter();
    await git(project, "config", "filter.store.smudge", "store-is-not-installed");
    const workspace = await open(project);
    expect(await workspace.checkout(await kept(workspace, "1"), {})).toMatchObject({
      problem: { code: "room_failed", params: { problem: expect.stringMatching(/smudge filter '?store'? failed/) } },
    });
  });

  test("that fail and are not required leave the content as it is", async () => {
    const project = await withFilter();
    await git(project, "config", "filter.store.required", "false");
    await git(project, "config", "filter.store.clean", "store-is-not-installed");
    await git(project, "config", "filter.store.smudge", "store-is-not-installed");
    const { place } = await worked(project, () => write(project, { "y.bin": "content 2\n" }));
    expect(await textAt(place.root, "y.bin")).toBe("content 2\n");
  });

  test("hooks, fsmonitor, attributes and settings that a worker adds do not run and change nothing", async () => {
    const project = await made({ "a.txt": "1\n" });
    const home = await temporaryDirectory();
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_CONFIG_HOME", join(home, ".config"));
    const ran = join(await temporaryDirectory(), "ran");
    const { changed, place } = await worked(project, async () => {
      const program = join(project, "forge.sh");
      await write(project, { "a.txt": "the work\n", "forge.sh": `#!/bin/sh\n: > ${ran}\necho forged\n` });
      await chmod(program, 0o755);
      for (const name of ["clean", "smudge"]) {
        await git(project, "config", `filter.forge.${name}`, program);
        await git(project, "config", "--global", `filter.forge.${name}`, program);
      }
      await git(project, "config", "core.fsmonitor", program);
      await git(project, "config", "core.autocrlf", "true");
      await write(project, { ".git/info/attributes": "* filter=forge\n", ".git/info/exclude": "hidden.txt\n" });
      await write(home, { ".config/git/attributes": "* filter=forge\n", ".config/git/ignore": "hidden.txt\n" });
      await write(project, { "hidden.txt": "seen\n" });
      for (const hook of ["post-index-change", "post-checkout", "reference-transaction"]) {
        await write(project, { [`.git/hooks/${hook}`]: `#!/bin/sh\n: > ${ran}\n` });
        await chmod(join(project, ".git/hooks", hook), 0o755);
      }
    });
    expect(existsSync(ran)).toBe(false);
    expect(changed).toEqual(["a.txt", "forge.sh", "hidden.txt"]);
    expect(await textAt(place.root, "a.txt")).toBe("the work\n");
  });
});
