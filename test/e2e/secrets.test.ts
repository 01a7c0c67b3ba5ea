import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, sep } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { dashboardBox } from "../support/dashboard.ts";
import { sandbox } from "../support/sandbox.ts";

const PLANTED = {
  DEPLOY_TOKEN: "tok_9f8a7b6c5d4e3f2a",
  DB_PASSWORD: "hunter2-Q9zL5!x$y",
  npm: "npm_Zz9Yy8Xx7Ww6Vv5",
  netrc: "n3trc-p4ssw0rd-11",
  url: "p4ss-in-url-4242",
};

/** A worker that prints all that it can find, and checks that do the same. */
const TELLS_ALL = `
echo "the token is $DEPLOY_TOKEN, and again: $DEPLOY_TOKEN"
cat .env .npmrc "$HOME/.netrc"
echo "connecting to $DATABASE_URL"
node -e 'console.log(JSON.stringify({ all: process.env }))' | head -c 20000
`;

async function webhook() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test("planted secrets are found nowhere: not in records, events, logs, outputs, reports, notifications or answers of the command line", async () => {
  const box = await sandbox();
  const { bodies, url } = await webhook();
  await box.write(".env", `DB_PASSWORD='${PLANTED.DB_PASSWORD}'\n`);
  await box.write(".npmrc", `//registry.npmjs.org/:_authToken=${PLANTED.npm}\n`);
  await writeFile(join(box.home, ".netrc"), `machine example.org login me password ${PLANTED.netrc}\n`);
  await box.write("tell.sh", TELLS_ALL);
  await box.write("check.sh", `sh tell.sh; test -f second || { touch second; exit 1; }\n`);
  const told = join(box.home, "told.json");
  const settings = {
    agent: { command: "sh tell.sh >&2; sh tell.sh" },
    review: false,
    sandbox: "off",
    logging: { raw_log: true },
    notify: { on: ["end"], webhook: url, command: `cat >> '${told}'` },
  };
  await box.write("endless8.yaml", JSON.stringify(settings));
  const env = { DEPLOY_TOKEN: PLANTED.DEPLOY_TOKEN, DATABASE_URL: `postgres://shop:${PLANTED.url}@db.invalid/shop` };

  const words = ["run", "Tell all", "--check", "sh check.sh", "-n", "3"];
  const run = await box.e8([...words, "--verbose"], { env });
  await box.e8(["tell", "latest", `use ${PLANTED.DEPLOY_TOKEN}`], { env });
  await box.e8(["knowledge", "add", `the password is ${PLANTED.DB_PASSWORD}`], { env });
  const wire = await box.e8([...words, "--json-events"], { env });
  const shown = await Promise.all(
    [["show", "--json"], ["show"], ["logs"], ["list", "--json"], ["knowledge"]].map((one) => box.e8(one, { env })),
  );

  expect(run.stderr + run.stdout).toContain("[redacted: DEPLOY_TOKEN]");
  expect(bodies.length).toBeGreaterThan(0);
  const files = [
    ...(await filesBelow(join(box.project, ".e8"))),
    ...(await filesBelow(join(box.home, ".local"))),
    told,
  ];
  const texts = [
    ...(await Promise.all(files.map(async (path) => [path, await readFile(path, "latin1")] as const))),
    ...bodies.map((body) => ["webhook", body] as const),
    ...[run, wire, ...shown].map(({ stdout, stderr }, index) => [`output ${index}`, stdout + stderr] as const),
  ];
  const found = texts.flatMap(([name, content]) =>
    Object.entries(PLANTED).flatMap(([secret, value]) => (content.includes(value) ? [`${secret} in ${name}`] : [])),
  );
  expect(found).toEqual([]);
  const records = await readFile(files.find((path) => path.endsWith("history.jsonl")) ?? "", "utf8");
  for (const name of ["DEPLOY_TOKEN", "DB_PASSWORD", "_authToken", "DATABASE_URL"])
    expect(records).toContain(`[redacted: ${name}]`);
});

/** What git makes for our snapshots has git's own modes; nobody else can enter the directory. */
const OF_GIT = /^\/(?:index|git(?:\/.*)?)$/;

test("only its user can read a task: its directories have mode 0700, its files 0600", async () => {
  const box = await sandbox();
  const run = await box.e8([
    "run",
    "Do it",
    "--agent-command",
    "echo done",
    "--check",
    "true",
    "--raw-log",
    "--no-review",
  ]);
  expect(run.code).toBe(0);
  await box.e8(["tell", "latest", "a note"]);

  const [id = ""] = await box.tasks();
  const directory = join(box.project, ".e8", "tasks", id);
  const paths = [directory, ...(await readdir(directory, { recursive: true })).map((name) => join(directory, name))];
  const open = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path);
      if (OF_GIT.test(path.slice(directory.length))) return [];
      const mode = (found.mode & 0o777).toString(8);
      return mode === (found.isDirectory() ? "700" : "600") ? [] : [`${path.slice(directory.length)} ${mode}`];
    }),
  );
  expect(open.flat()).toEqual([]);
});

test("the page shows no secret of an earlier version's record", async () => {
  process.env.OLD_SERVICE_TOKEN = "old_5ervice_t0ken";
  onTestFinished(() => void delete process.env.OLD_SERVICE_TOKEN);
  const { get, key, task } = await dashboardBox();
  const id = await task(async () => {}, { task: "Call it with old_5ervice_t0ken" });

  for (const path of ["/api/tasks", `/api/tasks/${key}/${id}`]) {
    const { text: answer } = await get(path);
    expect(answer).toContain("[redacted: OLD_SERVICE_TOKEN]");
    expect(answer).not.toContain("old_5ervice_t0ken");
  }
});

/** Snapshots hold the user's own files, as git would. */
async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((path) => !path.includes(`${sep}repository${sep}`));
}
