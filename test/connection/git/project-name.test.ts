import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { placeOf, projectName } from "../../../src/connection/git/project-name.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

test.each([
  ["git@github.com:team/app.git", "github.com/team/app"],
  ["https://github.com/team/app", "github.com/team/app"],
  ["https://user:token@GitHub.com/team/app.git/", "github.com/team/app"],
  ["ssh://git@git.example:2222/team/app.git", "git.example/team/app"],
  ["/srv/git/app.git", "app"],
  ["../app", "app"],
  ["file:///srv/git/app.git", "app"],
  ["", undefined],
])("the remote %j is the project %j, on every machine and without credentials", (remote, name) => {
  expect(placeOf(remote)).toBe(name);
});

test("a project is named after its remote and its path in it, or else after its directory", async () => {
  const top = await temporaryDirectory();
  const inside = join(top, "packages", "web");
  await mkdir(inside, { recursive: true });
  expect(await projectName(top)).toBe(basename(top));
  execFileSync("git", ["init", "--quiet"], { cwd: top });
  expect(await projectName(inside)).toBe("web");
  execFileSync("git", ["remote", "add", "origin", "git@github.com:team/app.git"], { cwd: top });
  expect(await projectName(top)).toBe("github.com/team/app");
  expect(await projectName(inside)).toBe("github.com/team/app/packages/web");
});
