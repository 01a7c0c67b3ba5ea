import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sandbox } from "../support/sandbox.ts";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
const RECORDER = new URL("../support/record-modules.mjs", import.meta.url).href;

test("e8 --version loads nothing at all", async () => {
  const { ended, own, packages } = await started(["--version"]);

  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(own).toEqual(["bin/e8.js"]);
  expect(packages).toEqual([]);
});

const QUICK = [["--help"], ["run", "--help"], ["agent", "validate", "--help"], ["help"], ["no-such-command"]];

test.each(QUICK.map((args) => [args]))("%j loads the command line's declarations and parser only", async (args) => {
  const { own, packages } = await started(args);

  const layers = /^src\/(compose|configuration|connection|execution|judgment)\/(?!version\.ts$)/; // a few lines, for --version
  expect(packages).toEqual(["commander"]);
  expect(own.filter((path) => layers.test(path))).toEqual([]);
});

test("only the language that is spoken is loaded", async () => {
  const english = await started(["--help"]);
  const japanese = await started(["--lang", "ja", "--help"]);

  expect(english.own.filter((path) => path.includes("/texts/ja"))).toEqual([]);
  expect(japanese.own.filter((path) => path.includes("/texts/en"))).toEqual([]);
  expect(japanese.own).toContain("src/texts/ja/catalogue.ts");
});

test("e8 list needs the schemas of the records, and no package beyond", async () => {
  const { ended, packages } = await started(["list"]);

  expect(ended.code).toBe(0);
  expect(packages).toEqual(["commander", "zod"]);
});

test("nothing of telemetry is loaded by a run, unless the environment names a collector", async () => {
  const run = ["run", "-- hello", "--check", "true", "--agent-command", "true", "--if-green", "done"];
  const ofTelemetry = ({ own }: { own: string[] }) => own.filter((path) => /telemetry|otlp/.test(path));

  const without = await started(run);
  const off = await started(run, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" });
  const named = await started(run, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });

  expect([without, off, named].map(({ ended }) => ended.code)).toEqual([0, 0, 0]);
  expect(ofTelemetry(without)).toEqual([]);
  expect(ofTelemetry(off)).toEqual([]);
  expect(ofTelemetry(named)).toContain("src/compose/telemetry.ts");
});

/** Runs e8 and tells which modules were loaded: those of this package, by the sources in its bundle, and the packages that others came from. */
async function started(args: string[], more: Record<string, string> = {}) {
  const { e8, home } = await sandbox();
  const record = join(home, "loaded.txt");
  const ended = await e8(args, { env: { ...more, NODE_OPTIONS: `--import=${RECORDER}`, LOADED_MODULES: record } });
  const urls = (await readFile(record, "utf8")).split("\n").filter((url) => url.startsWith("file:"));
  const modules = (await Promise.all(urls.map(sourcesOf))).flat();
  const named = modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(path)?.[1] ?? []);
  const own = modules.filter((path) => /^(bin|src)\//.test(path));
  return { ended, own, packages: [...new Set(named)].sort() };
}

/** Beside the bundle stands which sources each of its files was made of; any other file is its own. */
async function sourcesOf(url: string): Promise<string[]> {
  const path = decodeURI(new URL(url).pathname).replace(PACKAGE, "");
  const [, file] = /^dist\/e8\/(.+)$/.exec(path) ?? [];
  if (file === undefined) return [path];
  const sources = JSON.parse(await readFile(join(PACKAGE, "dist/e8/sources.json"), "utf8")) as Record<string, string[]>;
  return sources[file] ?? [];
}
