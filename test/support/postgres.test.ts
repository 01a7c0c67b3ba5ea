import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { describeWithPostgres } from "./postgres.ts";

const HOLDER = fileURLToPath(new URL("./programs/hold-postgres.ts", import.meta.url));

describeWithPostgres("a PostgreSQL for tests", (postgres) => {
  test("is a real one, and its schemas are not shared", async () => {
    expect(await postgres().ask("select 1 + 1 as two")).toEqual([{ two: 2 }]);
    expect(postgres().schema()).not.toBe(postgres().schema());
  });

  test.skipIf(process.env.E8_TEST_PG_URL !== undefined)(
    "ends with the process that started it, also when that is killed",
    async () => {
      const child = spawn(process.execPath, ["--import", REGISTER, HOLDER], { stdio: ["ignore", "pipe", "inherit"] });
      const [line] = await once(createInterface(child.stdout), "line");
      const { url, data } = JSON.parse(String(line)) as { url: string; data: string };
      onTestFinished(() => rm(dirname(data), { recursive: true, force: true, maxRetries: 10 }));
      expect(await isUp(url)).toBe(true);

      child.kill("SIGKILL");

      let waited = 0;
      for (; waited < 20_000 && (await isUp(url)); waited += 100) await pause(100);
      expect(await isUp(url)).toBe(false);
    },
  );
});

const REGISTER = new URL("./typescript-register.mjs", import.meta.url).href;

async function isUp(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
