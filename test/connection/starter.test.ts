import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guessCheck } from "../../src/connection/starter.ts";
import { temporaryDirectory } from "../support/temporary.ts";

test.each<[Record<string, string>, string | undefined]>([
  [{ "package.json": '{"scripts": {"test": "vitest run"}}' }, "npm test"],
  [{ "package.json": '{"packageManager": "pnpm@9.1.0", "scripts": {"test": "vitest run"}}' }, "pnpm test"],
  [{ "package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}' }, undefined],
  [{ "package.json": "{ broken", "Cargo.toml": "[package]" }, "cargo test"],
  [{ "pyproject.toml": "[project]\nname = 'x'" }, "python -m pytest"],
  [{ "pyproject.toml": "[tool.poetry]\nname = 'x'" }, "poetry run pytest"],
  [{ "pyproject.toml": "[tool.uv]\n" }, "uv run pytest"],
  [{ "pyproject.toml": "[project]\nname = 'x'", "uv.lock": "version = 1\n" }, "uv run pytest"],
  [{ "pyproject.toml": "[project]\nname = 'x'", "poetry.lock": "\n" }, "poetry run pytest"],
  [{ "go.mod": "module x" }, "go test ./..."],
  [{ Makefile: "test: build\n\tcc\ncheck:\n\ttrue\n" }, "make check"],
  [{ Makefile: "test := 1\nbuild:\n\tcc\n" }, undefined],
  [{ Makefile: "test:\n\tnpm test\n", "package.json": '{"scripts": {"test": "x"}}' }, "npm test"],
  [{}, undefined],
])("a project with %o is checked by %s", async (files, expected) => {
  const project = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);

  expect(await guessCheck(project)).toBe(expected);
});
