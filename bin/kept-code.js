import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import v8 from "node:v8";
import vm from "node:vm";
import { crc32 } from "node:zlib";

/**
 * Loads a CommonJS file and what it requires. What V8 has compiled of them is kept for the next start, where a worker cannot write
 * unless it can write to the program itself: whoever changes it says what the next start does.
 */
export function load(program) {
  if (module.enableCompileCache) {
    const { FAILED } = module.constants.compileCacheStatus;
    [join(dirname(program), "kept"), inStateDirectory()].find(
      (path) => module.enableCompileCache(path).status !== FAILED,
    );
    return createRequire(program)(program);
  }
  v8.setFlagsFromString("--semi-space-growth-factor=16"); // fewer, larger garbage collections
  v8.setFlagsFromString("--no-flush-bytecode"); // what ran only once is there to be kept at the end
  process.once("exit", keepAll);
  return loadOnNode20(program);
}

function inStateDirectory() {
  return join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "endless8", "kept");
}

/** The scripts that were compiled in this process, each with the file that will keep its code. */
const fresh = new Map();

/** Before 22.1, Node keeps nothing by itself. */
function loadOnNode20(file) {
  const require = createRequire(file);
  const loaded = require.cache[file];
  if (loaded) return loaded.exports;
  const loading = { id: file, filename: file, exports: {} };
  require.cache[file] = loading;
  const folder = dirname(file);
  const required = (name) => (name.startsWith("./") ? loadOnNode20(join(folder, name)) : require(name));
  compiled(file).call(loading.exports, loading.exports, required, loading, file, folder);
  return loading.exports;
}

/** V8 itself looks only at how long a text is, and refuses what another V8 has compiled. */
function compiled(filename) {
  const text = readFileSync(filename, "utf8");
  const keptAt = `${filename}.${crc32(text).toString(16)}.kept`;
  const [before, after] = ["(function (exports, require, module, __filename, __dirname) {", "\n})"];
  const script = new vm.Script(before + text + after, {
    filename,
    columnOffset: -before.length,
    cachedData: keptIn(keptAt),
  });
  if (script.cachedDataRejected !== false) fresh.set(script, keptAt);
  return script.runInThisContext();
}

function keptIn(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // the first start
  }
}

/** At the end, when V8 has also compiled the functions that were called. */
function keepAll() {
  for (const [script, path] of fresh) {
    const draft = `${path}.${process.pid}`;
    try {
      writeFileSync(draft, script.createCachedData());
      renameSync(draft, path);
    } catch {
      rmSync(draft, { force: true }); // only root may write here, or the disk is full: the next start compiles again
    }
  }
}
