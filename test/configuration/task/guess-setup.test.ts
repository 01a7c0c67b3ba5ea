import { expect, test } from "vitest";
import { guessSetup } from "../../../src/configuration/task/guess-setup.ts";

const NODE = ["package.json"];

test.each([
  ["npm", [...NODE, "package-lock.json"], "npm ci", ["node_modules"]],
  ["npm with a shrinkwrap", [...NODE, "npm-shrinkwrap.json"], "npm ci", ["node_modules"]],
  ["yarn 1", [...NODE, "yarn.lock"], "yarn install --frozen-lockfile", ["node_modules"]],
  [
    "yarn berry",
    [...NODE, "yarn.lock", ".yarnrc.yml"],
    "yarn install --immutable",
    ["node_modules", ".pnp.cjs", ".pnp.loader.mjs", ".yarn"],
  ],
  ["pnpm", [...NODE, "pnpm-lock.yaml"], "pnpm install --frozen-lockfile", ["node_modules"]],
  ["bun", [...NODE, "bun.lock"], "bun install --frozen-lockfile", ["node_modules"]],
  ["bun's older lock file", [...NODE, "bun.lockb"], "bun install --frozen-lockfile", ["node_modules"]],
  [
    "pip",
    ["requirements.txt", "app.py"],
    "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt",
    [".venv"],
  ],
  ["uv", ["pyproject.toml", "uv.lock", "requirements.txt"], "uv sync --locked", [".venv"]],
  [
    "poetry",
    ["pyproject.toml", "poetry.lock"],
    "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction",
    [".venv"],
  ],
  ["pipenv", ["Pipfile", "Pipfile.lock"], "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev", [".venv"]],
  ["cargo", ["Cargo.toml", "Cargo.lock"], "cargo fetch --locked", ["target"]],
  ["cargo without a lock file", ["Cargo.toml"], "cargo fetch", ["target"]],
  ["go", ["go.mod"], "go mod download", []],
  ["maven", ["pom.xml"], "mvn --batch-mode --quiet dependency:go-offline", ["target"]],
  ["maven's wrapper", ["pom.xml", "mvnw"], "./mvnw --batch-mode --quiet dependency:go-offline", ["target"]],
  ["gradle", ["build.gradle"], "gradle --no-daemon --quiet dependencies", ["build", ".gradle"]],
  [
    "gradle's wrapper",
    ["build.gradle.kts", "gradlew"],
    "./gradlew --no-daemon --quiet dependencies",
    ["build", ".gradle"],
  ],
  ["bundler", ["Gemfile", "Gemfile.lock"], "BUNDLE_FROZEN=true bundle install", ["vendor/bundle"]],
  ["composer", ["composer.json", "composer.lock"], "composer install --no-interaction", ["vendor"]],
])("%s is known by its files", (_, names, setup, keep) => {
  expect(guessSetup(names, "{}")).toEqual({ setup: [setup], keep });
});

test("where there are several lock files, package.json says which package manager is meant", () => {
  const names = [...NODE, "package-lock.json", "yarn.lock", "pnpm-lock.yaml"];
  const setupOf = (packageManager: string) => guessSetup(names, JSON.stringify({ packageManager })).setup;
  expect(setupOf("npm@10.8.2")).toEqual(["npm ci"]);
  expect(setupOf("yarn@1.22.22")).toEqual(["yarn install --frozen-lockfile"]);
  expect(setupOf("yarn@4.5.0")).toEqual(["yarn install --immutable"]);
  expect(setupOf("pnpm@9.0.0")).toEqual(["pnpm install --frozen-lockfile"]);
});

test("a project with several languages has one command for each", () => {
  expect(guessSetup([...NODE, "package-lock.json", "requirements.txt", "go.mod"], undefined)).toMatchObject({
    setup: ["npm ci", expect.stringContaining("pip install"), "go mod download"],
    keep: ["node_modules", ".venv"],
  });
});

test("without a lock file or a known manifest nothing is guessed, whatever package.json says", () => {
  expect(guessSetup(["README.md", "Makefile"], undefined)).toEqual({ setup: [], keep: [] });
  expect(guessSetup(NODE, "no JSON")).toEqual({ setup: [], keep: [] });
  expect(guessSetup(["package-lock.json"], undefined)).toEqual({ setup: [], keep: [] });
});
