import { realpath } from "node:fs/promises";
import { describe } from "vitest";
import { repository, write } from "../support/repository.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { testSnapshots } from "./workspace.contract.ts";

const IGNORED = { ".gitignore": "build/\nnode_modules/\n.env\n" };

describe("in the user's repository", () => {
  testSnapshots(async (files) => realpath(await repository({ ...files, ...IGNORED })));
});

describe("in a folder without git", () => {
  testSnapshots(async (files) => {
    const folder = await realpath(await temporaryDirectory());
    await write(folder, { ...files, ...IGNORED });
    return folder;
  });
});
