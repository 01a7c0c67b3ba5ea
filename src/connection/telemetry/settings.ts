import type { Environment } from "../../model/environment.ts";

export type Signal = "traces" | "metrics";

/** What the standard variables of OpenTelemetry say. */
export interface TelemetrySettings {
  /** Where each signal goes; absent: it is not sent. */
  endpoints: Readonly<Partial<Record<Signal, string>>>;
  headers: Readonly<Record<Signal, Readonly<Record<string, string>>>>;
  timeout_milliseconds: number;
  is_compressed: boolean;
  resource: Readonly<Record<string, string>>;
  /** Whether what agents and users wrote may be sent, such as the arguments of tool calls. */
  has_content: boolean;
  is_delta: boolean;
  /** A protocol that we do not speak. */
  foreign_protocol: string | undefined;
}

const LONGEST_WAIT = 10_000;

export function telemetrySettings(environment: Environment): TelemetrySettings {
  const own = (signal: Signal, name: string) =>
    environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`];
  const protocol = own("traces", "PROTOCOL");
  return {
    endpoints: { ...endpointOf("traces", environment), ...endpointOf("metrics", environment) },
    headers: { traces: pairs(own("traces", "HEADERS")), metrics: pairs(own("metrics", "HEADERS")) },
    timeout_milliseconds: Math.min(LONGEST_WAIT, Number(own("traces", "TIMEOUT")) || LONGEST_WAIT),
    is_compressed: own("traces", "COMPRESSION") === "gzip",
    resource: {
      "service.name": "endless8",
      ...pairs(environment.OTEL_RESOURCE_ATTRIBUTES),
      ...(environment.OTEL_SERVICE_NAME && { "service.name": environment.OTEL_SERVICE_NAME }),
    },
    has_content: environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === "true",
    is_delta: environment.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE?.toLowerCase() === "delta",
    foreign_protocol: protocol?.startsWith("http/") === false ? protocol : undefined,
  };
}

function endpointOf(signal: Signal, environment: Environment): Partial<Record<Signal, string>> {
  const name = signal.toUpperCase();
  if (environment[`OTEL_${name}_EXPORTER`] === "none") return {};
  const own = environment[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  if (own) return { [signal]: own };
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base ? { [signal]: `${base.replace(/\/$/, "")}/v1/${signal}` } : {};
}

/** `key=value,other=value`, percent-encoded. */
function pairs(text = ""): Record<string, string> {
  const entries = text.split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at > 0 ? [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]] : [];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
