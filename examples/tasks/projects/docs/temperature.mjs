export function toFahrenheit(celsius) {
  if (!Number.isFinite(celsius)) throw new RangeError("not a temperature");
  return celsius * 1.8 + 32;
}
