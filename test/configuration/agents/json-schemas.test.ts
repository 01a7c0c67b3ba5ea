import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonSchemas } from "../../../src/configuration/agents/json-schemas.ts";

test.each(Object.entries(jsonSchemas()))(
  "schemas/%s is what the program itself reads by; else run scripts/json-schemas.mjs",
  (name, schema) => {
    const shipped = readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), "utf8");

    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(schema)));
    expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", additionalProperties: false });
  },
);
