import process from "node:process";

/**
 * Loads what draws. Without `production`, React keeps notes on every drawing for as long as the program runs; with `DEV`, ink
 * looks for its debugger. Both are read while they are loaded, and agents must not inherit our choice.
 */
export async function loadLiveScreen() {
  const kept = { NODE_ENV: process.env.NODE_ENV, DEV: process.env.DEV };
  process.env.NODE_ENV = "production";
  delete process.env.DEV;
  try {
    return await import("./live-screen.ts");
  } finally {
    for (const [name, value] of Object.entries(kept)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
