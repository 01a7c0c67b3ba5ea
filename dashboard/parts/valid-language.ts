/** In an environment of `LANG=C`, Chromium names a language that Intl refuses, and uPlot asks Intl while it is loaded. */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
