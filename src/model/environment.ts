/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a collector of OpenTelemetry is named. */
export function wantsTelemetry(environment: Environment): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  return ["ENDPOINT", "TRACES_ENDPOINT", "METRICS_ENDPOINT"].some((name) => environment[`OTEL_EXPORTER_OTLP_${name}`]);
}
