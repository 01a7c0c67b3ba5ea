import { describe, expect, test } from "vitest";
import { MINIMAL, resolved, thrown } from "./support.ts";

test("variables set what no other layer sets, and are named as the source", () => {
  const { configuration, sources } = resolved({
    task: MINIMAL,
    environment: { ENDLESS8_MAX_ITERATIONS: "50", ENDLESS8_DEFAULT_MODEL: "opus", PATH: "/bin" },
  });

  expect(configuration).toMatchObject({ max_iterations: 50, models: { executor: "opus", judge: "opus" } });
  expect(sources).toMatchObject({
    max_iterations: "ENDLESS8_MAX_ITERATIONS",
    "models.judge": "ENDLESS8_DEFAULT_MODEL",
  });
  expect(configuration).not.toHaveProperty("default_model");
  expect(sources).not.toHaveProperty("default_model");
});

test.each(["", "  ", undefined])("%j counts as unset", (value) => {
  const environment = { ENDLESS8_MAX_ITERATIONS: value, ENDLESS8_DEFAULT_MODEL: value };

  expect(resolved({ task: MINIMAL, environment }).sources.max_iterations).toBe("default");
});

describe("an unusable variable is one clear error, even where something else decides", () => {
  test.each([
    ["ENDLESS8_MAX_ITERATIONS", "abc", '"abc" is not a whole number: 1 to 1000'],
    ["ENDLESS8_MAX_ITERATIONS", "0", "0 is too small: 1 to 1000"],
    ["ENDLESS8_MAX_ITERATIONS", "1e1", '"1e1" is not a whole number: 1 to 1000'],
    ["ENDLESS8_DEFAULT_MODEL", "none", "only models.summarizer can be none"],
  ])("%s=%s", (variable, value, problem) => {
    const error = thrown(() =>
      resolved({ task: MINIMAL, flags: { maxIterations: 5, model: "x" }, environment: { [variable]: value } }),
    );

    expect(error.code).toBe("environment_invalid");
    expect(error.message).toBe(`The environment variable ${variable}: ${problem}`);
  });
});
