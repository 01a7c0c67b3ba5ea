import process from "node:process";

/** What React and ink read while they are loaded. Agents must not inherit our choice, so that it holds only for the moment. */
const CHOICES = {
  /** Otherwise React keeps notes on every drawing for as long as the program runs. */
  NODE_ENV: "production",
  /** Otherwise ink looks for its debugger. */
  DEV: undefined,
  /** Otherwise ink decides by itself whether it may draw. */
  CI: undefined,
  CONTINUOUS_INTEGRATION: undefined,
};

/** Loads what draws. */
export async function loadLiveScreen() {
  const kept = Object.keys(CHOICES).map((name) => [name, process.env[name]] as const);
  setAll(Object.entries(CHOICES));
  try {
    return await import("./live-screen.ts");
  } finally {
    setAll(kept);
  }
}

function setAll(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
