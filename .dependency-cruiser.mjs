/** The layer rule of ARCHITECTURE.md: who may import whom. A violation is a red build. */
const layers = {
  model: [],
  texts: ["model"],
  judgment: ["model"],
  configuration: ["model"],
  execution: ["model", "judgment", "connection/ports"],
  connection: ["model"],
  orchestrator: ["model", "judgment", "connection/ports", "execution/effects.ts"],
  web: ["model", "texts", "compose"],
  mcp: ["model", "texts", "compose"],
  cli: ["model", "texts", "compose", "web", "mcp"],
  "index.ts": ["model", "texts", "compose", "connection/ports", "connection/agents/scripted/model"],
};

const path = (name) => `^src/${name}${name.endsWith(".ts") ? "$" : "/"}`;

const only = (layer, allowed) => ({
  name: `${layer}-imports-only-${["itself", ...allowed].join("-").replaceAll(/[^a-z-]/g, "-")}`,
  severity: "error",
  from: { path: path(layer) },
  to: { path: "^src/", pathNot: [layer, ...allowed].map(path) },
});

const noOutside = {
  name: "only-connection-web-and-cli-touch-the-outside",
  severity: "error",
  from: { path: "^src/(model|texts|judgment|configuration|execution|orchestrator|compose|index)" },
  to: { dependencyTypes: ["core"], pathNot: "^(node:)?path$" },
};

const modelImportsZodOnly = {
  name: "model-imports-zod-only",
  severity: "error",
  from: { path: "^src/(model|texts)/" },
  to: { dependencyTypes: ["npm"], pathNot: "node_modules/zod" },
};

/** It also matches patterns of file names, and reads shell commands. */
const judgmentIsPure = {
  name: "judgment-imports-few-packages",
  severity: "error",
  from: { path: "^src/judgment/" },
  to: { dependencyTypes: ["npm"], pathNot: "node_modules/(zod|picomatch|unbash)" },
};

/** The page may know the words of the server, none of its code; `visible` is a function of texts alone. */
const pageImportsTypesOnly = {
  name: "dashboard-imports-only-types-of-model",
  severity: "error",
  from: { path: "^dashboard/" },
  to: { path: "^src/", pathNot: "^src/model/visible.ts$", dependencyTypesNot: ["type-only"] },
};

const pageKnowsModelOnly = {
  name: "dashboard-imports-only-model",
  severity: "error",
  from: { path: "^dashboard/" },
  to: { path: "^src/(?!model/)" },
};

/** Types may refer to each other: a message can hold a statement, which may be a message. */
const noCycles = {
  name: "no-cycles",
  severity: "error",
  from: {},
  to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
};

export default {
  forbidden: [
    ...Object.entries(layers).map(([layer, allowed]) => only(layer, allowed)),
    noOutside,
    modelImportsZodOnly,
    judgmentIsPure,
    pageImportsTypesOnly,
    pageKnowsModelOnly,
    noCycles,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node"] },
  },
};
