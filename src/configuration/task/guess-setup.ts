import { z } from "zod";
import { jsonIn } from "../../model/json.ts";

/** How a clean checkout of a project is prepared, and what that makes. */
export interface SetupGuess {
  setup: string[];
  keep: string[];
}

interface Tool {
  /** Any of these names, at the project's top. */
  files: readonly string[];
  setup: (names: ReadonlySet<string>) => string;
  keep: readonly string[];
}

const NODE: readonly Tool[] = [
  { files: ["pnpm-lock.yaml"], setup: () => "pnpm install --frozen-lockfile", keep: ["node_modules"] },
  { files: ["yarn.lock"], setup: () => "yarn install --frozen-lockfile", keep: ["node_modules"] },
  { files: ["bun.lock", "bun.lockb"], setup: () => "bun install --frozen-lockfile", keep: ["node_modules"] },
  { files: ["package-lock.json", "npm-shrinkwrap.json"], setup: () => "npm ci", keep: ["node_modules"] },
];

/** Yarn from version 2 on: it may install without node_modules. */
const BERRY: Tool = {
  files: ["yarn.lock"],
  setup: () => "yarn install --immutable",
  keep: ["node_modules", ".pnp.cjs", ".pnp.loader.mjs", ".yarn"],
};

const PYTHON: readonly Tool[] = [
  { files: ["uv.lock"], setup: () => "uv sync --locked", keep: [".venv"] },
  {
    files: ["poetry.lock"],
    setup: () => "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction",
    keep: [".venv"],
  },
  { files: ["Pipfile.lock"], setup: () => "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev", keep: [".venv"] },
  {
    files: ["requirements.txt"],
    setup: () => "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt",
    keep: [".venv"],
  },
];

const JAVA: readonly Tool[] = [
  {
    files: ["pom.xml"],
    setup: (names) => `${names.has("mvnw") ? "./mvnw" : "mvn"} --batch-mode --quiet dependency:go-offline`,
    keep: ["target"],
  },
  {
    files: ["build.gradle", "build.gradle.kts"],
    setup: (names) => `${names.has("gradlew") ? "./gradlew" : "gradle"} --no-daemon --quiet dependencies`,
    keep: ["build", ".gradle"],
  },
];

/** A project may use several languages, and of each one tool. */
const OTHERS: readonly (readonly Tool[])[] = [
  PYTHON,
  [
    {
      files: ["Cargo.toml"],
      setup: (names) => (names.has("Cargo.lock") ? "cargo fetch --locked" : "cargo fetch"),
      keep: ["target"],
    },
  ],
  [{ files: ["go.mod"], setup: () => "go mod download", keep: [] }],
  JAVA,
  [{ files: ["Gemfile.lock"], setup: () => "BUNDLE_FROZEN=true bundle install", keep: ["vendor/bundle"] }],
  [{ files: ["composer.lock"], setup: () => "composer install --no-interaction", keep: ["vendor"] }],
];

/** What prepares a project, by the names of the files at its top and the text of its package.json. */
export function guessSetup(names: readonly string[], packageJson: string | undefined): SetupGuess {
  const there = new Set(names);
  const tools = [nodeTools(there, packageJson), ...OTHERS].flatMap((family) => {
    const tool = family.find(({ files }) => files.some((file) => there.has(file)));
    return tool ? [tool] : [];
  });
  return {
    setup: tools.map(({ setup }) => setup(there)),
    keep: [...new Set(tools.flatMap(({ keep }) => keep))],
  };
}

const Manifest = z.object({ packageManager: z.string().optional().catch(undefined) });

/** Where there are several lock files, package.json says which tool is meant. */
function nodeTools(names: ReadonlySet<string>, packageJson = ""): readonly Tool[] {
  if (!names.has("package.json")) return [];
  const [, named, major] =
    /^(npm|pnpm|yarn|bun)@(\d+)/.exec(Manifest.safeParse(jsonIn(packageJson)).data?.packageManager ?? "") ?? [];
  const isBerry = named === "yarn" ? Number(major) > 1 : names.has(".yarnrc.yml");
  const tools = NODE.map((tool) => (isBerry && tool.files.includes("yarn.lock") ? BERRY : tool));
  return tools.toSorted((left, right) => rank(left, names, named) - rank(right, names, named));
}

function rank(tool: Tool, names: ReadonlySet<string>, named: string | undefined): number {
  return named !== undefined && tool.setup(names).startsWith(`${named} `) ? 0 : 1;
}
