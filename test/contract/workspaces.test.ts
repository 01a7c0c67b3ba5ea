import { realpath } from "node:fs/promises";
import { describe } from "vitest";
import { repository, write } from "../support/repository.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { testRestoring } from "./restoring.contract.ts";
import { type MakeProject, testSnapshots } from "./workspace.contract.ts";

const IGNORED = { ".gitignore": "build/\nnode_modules/\n.env\n" };

const usersRepository: MakeProject = async (files) => realpath(await repository({ ...files, ...IGNORED }));

const folder: MakeProject = async (files) => {
  const made = await realpath(await temporaryDirectory());
  await write(made, { ...files, ...IGNORED });
  return made;
};

describe.each([
  ["in the user's repository", usersRepository],
  ["in a folder without git", folder],
])("%s", (_, make) => {
  testSnapshots(make);
  testRestoring(make);
});
