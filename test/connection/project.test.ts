import { chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findProject } from "../../src/connection/project.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A home with these directories in it. */
async function home(...directories: string[]): Promise<string> {
  const directory = await temporaryDirectory();
  for (const one of directories) await mkdir(join(directory, one), { recursive: true });
  vi.stubEnv("HOME", directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  return directory;
}

test("the project is the nearest directory upwards that has records", async () => {
  const at = await home(
    "work/.e8/tasks",
    "work/packages/one/src",
    "work/packages/two/.e8/issues",
    "work/packages/two/src",
  );
  expect(await findProject(join(at, "work"))).toBe(join(at, "work"));
  expect(await findProject(join(at, "work/packages/one/src"))).toBe(join(at, "work"));
  expect(await findProject(join(at, "work/packages/two/src"))).toBe(join(at, "work/packages/two"));
});

test("a directory with an endless8.yaml is a project, also before it has records", async () => {
  const at = await home("work/src/deep/.e8/run");
  await writeFile(join(at, "work/endless8.yaml"), "store: postgres://db.example/tasks\n");
  expect(await findProject(join(at, "work/src/deep"))).toBe(join(at, "work"));
});

test("without one, it is the directory itself", async () => {
  const at = await home("work/src");
  expect(await findProject(join(at, "work/src"))).toBe(join(at, "work/src"));
});

test("the home directory is a project only for those who are in it, also under another name", async () => {
  const at = await home(".e8/tasks", "work/src", "elsewhere");
  expect(await findProject(join(at, "work/src"))).toBe(join(at, "work/src"));
  expect(await findProject(at)).toBe(at);

  await symlink(at, join(at, "elsewhere", "link"));
  vi.stubEnv("HOME", join(at, "elsewhere", "link"));
  expect(await findProject(join(at, "work/src"))).toBe(join(at, "work/src"));
});

test("a directory in which other projects have worked is not a project", async () => {
  const at = await home("work/.e8/tasks", "work/shared/.e8/run", "work/shared/src");
  expect(await findProject(join(at, "work/shared/src"))).toBe(join(at, "work"));
});

test.skipIf(process.getuid?.() !== 0)("a project of somebody else does not decide what runs here", async () => {
  const at = await home("work/.e8/tasks", "work/src", "work/theirs");
  await chown(join(at, "work/.e8"), 4242, 4242);
  await chown(join(at, "work/theirs"), 4242, 4242);
  await writeFile(join(at, "work/src/endless8.yaml"), "");
  await chown(join(at, "work/src/endless8.yaml"), 4242, 4242);
  await mkdir(join(at, "work/src/below"));
  expect(await findProject(join(at, "work/src/below"))).toBe(join(at, "work/src/below"));
  expect(await findProject(join(at, "work/theirs"))).toBe(join(at, "work"));
});
