import { describe, expect, test } from "vitest";
import { holdsPassword, readAddress } from "../../../../src/connection/stores/postgres/address.ts";
import { loadDriver } from "../../../../src/connection/stores/postgres/driver.ts";
import { databaseFault } from "../../../../src/connection/stores/postgres/faults.ts";
import { errorText } from "../../../../src/texts/sentences.ts";

const SECRET = "hunter2-and-more";

describe("the URL of a store", () => {
  test("names a schema, a project and a lease of ours; the rest goes to PostgreSQL", () => {
    const address = readAddress("postgres://ann@db.example:6432/team?schema=night&project=github.com/a/b&lease=5&x=1");
    expect(address).toMatchObject({ schema: "night", project: "github.com/a/b", lease: 5 });
    expect(address.connection).toBe("postgres://ann@db.example:6432/team?x=1");
    expect(readAddress("postgresql://db.example/team")).toMatchObject({ schema: "endless8", lease: 60 });
  });

  test("is shown without user, password and parameters", () => {
    const { name } = readAddress(`postgres://ann:${SECRET}@db.example/team?password=${SECRET}&schema=night`);
    expect(name).toBe("postgres://db.example/team?schema=night");
  });

  test.each([
    "mysql://db/x",
    "postgres://ann:a#b/c@db:port/x",
    `postgres://ann:1/${SECRET}@db/x`,
    `postgres://ann:1#${SECRET}@db/x`,
    "postgres://db/x?schema=Night",
    'postgres://db/x?schema=a";drop',
    "postgres://db/x?lease=0",
    "postgres://db/x?lease=soon",
    "postgres://db/x?sslmode=perhaps",
    "postgres://db/x?sslmode=verify-full&sslrootcert=/no/such/file",
    "postgres://db/x?sslmode=require&sslcert=/no/such/file&sslkey=/no/such/file",
    "postgres://db/x?sslmode=require&sslcert=/dev/null",
    "postgres://db/x?sslmode=disable&sslcert=/dev/null&sslkey=/dev/null",
  ])("%s is refused, and the error does not quote it", (url) => {
    const error = thrownBy(() => readAddress(url.replace("://", `://ann:${SECRET}@`)));
    expect(error).toMatchObject({ code: "store_url_invalid" });
    expect(JSON.stringify(error) + String(error)).not.toContain(SECRET);
  });

  test.each([
    ["postgres://localhost/x", false],
    ["postgres://127.0.0.1:5432/x", false],
    ["postgres:///x?host=/run/postgresql", false],
    ["postgres://db.example/x", { rejectUnauthorized: true }],
    ["postgres://db.example/x?sslmode=disable", false],
    ["postgres://db.example/x?sslmode=require", { rejectUnauthorized: false }],
    ["postgres://localhost/x?sslmode=verify-full", { rejectUnauthorized: true }],
  ])("%s is encrypted as its sslmode says, and to another machine unless it says otherwise", (url, tls) => {
    expect(readAddress(url).tls).toEqual(tls);
  });

  test("holds a password or does not", () => {
    expect(holdsPassword(`postgres://ann:${SECRET}@db/x`)).toBe(true);
    expect(holdsPassword(`postgres://db/x?password=${SECRET}`)).toBe(true);
    expect(holdsPassword("postgres://ann@db/x")).toBe(false);
  });
});

test("without the package pg, the error says what to type", async () => {
  const missing = Object.assign(new Error("Cannot find package 'pg'"), { code: "ERR_MODULE_NOT_FOUND" });
  const error = await loadDriver(() => Promise.reject(missing)).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "store_driver_missing" });
  expect(errorText(error, "en").hint).toContain("npm install -g pg");
});

test.each([
  [{ code: "ECONNREFUSED" }, "store_unreachable"],
  [{ code: "57P01" }, "store_unreachable"],
  [{ code: "42P01" }, "store_not_made"],
  [{ code: "42501" }, "store_forbidden"],
  [{ code: "28P01" }, "store_refused"],
  [{ code: "22003" }, "store_failed"],
])("an error %o of the database is %s", (properties, code) => {
  expect(databaseFault(Object.assign(new Error("said"), properties), "postgres://db/x")).toMatchObject({
    code,
    details: { store: "postgres://db/x" },
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
