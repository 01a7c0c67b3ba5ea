import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSecretName, isSecretValue } from "../../../src/connection/secrets/look-of-secrets.ts";
import { SecretBook, secretsOf } from "../../../src/connection/secrets/secret-book.ts";
import { secretsIn } from "../../../src/connection/secrets/secret-files.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

describe("what looks like a secret", () => {
  test.each([
    ..."NPM_TOKEN GITHUB_TOKEN AWS_SECRET_ACCESS_KEY OPENAI_API_KEY DB_PASSWORD PGPASSWORD MYSQL_PWD SIGNING_SECRET".split(
      " ",
    ),
    ..."_authToken dbPassword client-key-data apiKey TLS_KEY_BASE64 STRIPE_SECRET_2 SENTRY_DSN SSHPASS".split(" "),
  ])("is a value under the name %s", (name) => expect(isSecretName(name)).toBe(true));

  test.each(
    "PATH HOME PWD OLDPWD LANG SSH_AUTH_SOCK AWS_ACCESS_KEY_ID TOKENIZER KEYBOARD MONKEY SSH_PUBLIC_KEY GIT_AUTHOR".split(
      " ",
    ),
  )("is not a value under the name %s", (name) => expect(isSecretName(name)).toBe(false));

  test.each([
    ..."tok_9f8a7b6c5d4e hunter2-Q9zL5 dGhpc0lzTm90QVdvcmQ sk-ant-api03-abcdef ghp_16C7e42F292c6912E7710c838347Ae178B4a".split(
      " ",
    ),
    "correct horse battery staple",
  ])("is %s", (value) => expect(isSecretValue(value)).toBe(true));

  test.each([
    ..."short development production my-project camelCase true 12345678 2026-01-23 1.2.3-4 password123 changeme".split(
      " ",
    ),
    ..."$OTHER_TOKEN <your-token> your-api-key xxxxxxxxxxxx localhost:5432 https://example.org/path".split(" "),
  ])("is not %s, which would be found where nothing is secret", (value) => expect(isSecretValue(value)).toBe(false));
});

test("of an address the password is secret, and a variable that names a file holds none", async () => {
  const file = join(await temporaryDirectory(), "key1.pem");
  await writeFile(file, "x");

  expect(
    secretsOf({ DATABASE_URL: "postgres://shop:p%40ssw0rd-77@db/shop", TLS_KEY: file, A_TOKEN: "tok_9f8a7b6c" }),
  ).toEqual([
    { name: "DATABASE_URL", value: "p%40ssw0rd-77" },
    { name: "DATABASE_URL", value: "p@ssw0rd-77" },
    { name: "A_TOKEN", value: "tok_9f8a7b6c" },
  ]);
});

test.each([
  [".env", '# comment\nexport API_KEY="k3y with spaces"\nMODE=production1\n', ["k3y with spaces"]],
  [".npmrc", "//registry.npmjs.org/:_authToken=npm_Ab12Cd34Ef56\n", ["npm_Ab12Cd34Ef56"]],
  [".netrc", "machine example.org login me password s3cr3t-w0rd\n", ["s3cr3t-w0rd"]],
  [".git-credentials", "https://me:ghp_abcDEF123456@github.com\n", ["ghp_abcDEF123456"]],
  [".pgpass", "db:5432:shop:me:pg-pa55word\n", ["pg-pa55word"]],
  ["credentials", "[default]\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG\n", ["wJalrXUtnFEMI/K7MDENG"]],
  ["auth.json", '{"tokens":{"access_token":"eyJ0.a1b2c3"},"account":"me"}', ["eyJ0.a1b2c3"]],
  ["hosts.yml", "github.com:\n    oauth_token: gho_1234567890ab\n", ["gho_1234567890ab"]],
])("the secrets of a %s are found", (_, text, values) => {
  expect(secretsIn(text).map(({ value }) => value)).toEqual(values);
});

test("files of the project and of HOME count, also those that come later; examples do not", async () => {
  const home = await temporaryDirectory();
  const project = join(home, "shop");
  await mkdir(join(project, "api"), { recursive: true });
  await writeFile(join(home, ".netrc"), "machine m login me password n3trc-s3cret");
  await writeFile(join(project, "api", ".env.local"), "STRIPE_SECRET=sk_live_51Habcdef");
  await writeFile(join(project, ".env.example"), "STRIPE_SECRET=sk_test_51Hexample");
  const book = new SecretBook(project);
  book.learn({ HOME: home });

  expect(book.redact("n3trc-s3cret sk_live_51Habcdef sk_test_51Hexample")).toBe(
    "[redacted: password] [redacted: STRIPE_SECRET] sk_test_51Hexample",
  );
  await writeFile(join(project, ".env"), "LATE_TOKEN=l4te-t0ken-77");
  await expect.poll(() => book.redact("l4te-t0ken-77"), { timeout: 10_000 }).toBe("[redacted: LATE_TOKEN]");
});
