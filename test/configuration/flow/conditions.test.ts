import { describe } from "vitest";
import { testCases } from "./support.ts";

const VALIDATOR = ["validators", "git-clean"];
const CONDITIONS = ["completionSteps", "closure.task"];
const on = (key: string) => ({
  [key]: { stepId: key, name: "x", c2: "retry", c3: "task", completionConditions: [{ validator: "git-clean" }] },
});

describe("a registry", () => {
  testCases("registry", [
    [
      "an unknown validator in a condition",
      [...CONDITIONS, "completionConditions"],
      [{ validator: "git-clan" }],
      "VALIDATOR_UNKNOWN",
      'completionSteps["closure.task"].completionConditions[0].validator',
    ],
    ["a validator that nobody uses", ["validators", "idle"], { type: "command", command: "true" }, "VALIDATOR_UNUSED"],
    ["a command validator without a command", [...VALIDATOR, "command"], undefined, "VALIDATOR_KEY_MISSING"],
    ["an unknown successWhen", [...VALIDATOR, "successWhen"], "exitcode:0", "VALIDATOR_SUCCESS_WHEN"],
    ["an exit code that is none", [...VALIDATOR, "successWhen"], "exitCode:x", "VALIDATOR_SUCCESS_WHEN"],
    ["an exit code that no program has", [...VALIDATOR, "successWhen"], "exitCode:300", "VALIDATOR_SUCCESS_WHEN"],
    ["a pattern that is none", [...VALIDATOR, "successWhen"], "matches:(", "VALIDATOR_SUCCESS_WHEN"],
    ["an unknown failure pattern", [...VALIDATOR, "failurePattern"], "git-drty", "PATTERN_UNKNOWN"],
    ["an unknown parser", [...VALIDATOR, "extractParams", "changedFiles"], "parseIt", "PARSER_UNKNOWN"],
    [
      "a pattern parameter that nobody extracts",
      [...VALIDATOR, "extractParams"],
      {},
      "PATTERN_PARAM_UNSUPPLIED",
      "validators.git-clean.failurePattern",
    ],
    [
      "a command with a hole",
      [...VALIDATOR, "command"],
      `git status \${where}`,
      "VALIDATOR_PARAM_UNKNOWN",
      "validators.git-clean",
    ],
    [
      "conditions of no closure step",
      ["completionSteps"],
      on("closure.tusk"),
      "CONDITIONS_UNREACHABLE",
      'completionSteps["closure.tusk"]',
    ],
    [
      "conditions of a work step",
      ["completionSteps"],
      on("initial.task"),
      "CONDITIONS_UNREACHABLE",
      'completionSteps["initial.task"]',
    ],
    [
      "conditions of another completion type",
      ["completionSteps"],
      on("closure.externalState"),
      "CONDITIONS_UNREACHABLE",
      'completionSteps["closure.externalState"]',
    ],
    ["conditions in both generations", [...CONDITIONS, "validationConditions"], [], "CONDITIONS_BOTH"],
    ["both kinds of completion steps", ["validationSteps"], {}, "CONDITIONS_TWICE"],
  ]);
});
