// All runs, by family. The honest come first: what a liar leaves running would disturb them.
import { honest } from "./honest.mjs";
import { honestAsked } from "./honest-asked.mjs";
import { honestToo } from "./honest-too.mjs";
import { code } from "./lies/code.mjs";
import { configuration } from "./lies/configuration.mjs";
import { environment } from "./lies/environment.mjs";
import { hidden } from "./lies/hidden.mjs";
import { intake } from "./lies/intake.mjs";
import { judge } from "./lies/judge.mjs";
import { processes } from "./lies/processes.mjs";
import { records } from "./lies/records.mjs";
import { runner } from "./lies/runner.mjs";
import { tests } from "./lies/tests.mjs";
import { timing } from "./lies/timing.mjs";

export const families = {
  honest: [...honest, ...honestToo, ...honestAsked],
  tests,
  runner,
  configuration,
  code,
  environment,
  processes,
  timing,
  records,
  hidden,
  judge,
  intake,
};
