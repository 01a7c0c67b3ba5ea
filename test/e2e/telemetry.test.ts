import { expect, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { freePort } from "../support/free-port.ts";
import { quickScripted } from "../support/in-process.ts";
import { otlpCollector, type Span, valuesOf } from "../support/otlp-collector.ts";
import { resultOf } from "../support/sandbox.ts";
import { always, judges, summarizes, works } from "../support/stories.ts";

const RUN = ["run", "Greet", "--check", "grep -q Hello greeting.txt", "--json", "--proof", "clean", "--no-review"];

function greeting() {
  return quickScripted(
    story(
      works("wrote hm", use("Write", { file_path: "greeting.txt", content: "hm\n" })),
      works("wrote Hello", use("Write", { file_path: "greeting.txt", content: "Hello\n" })),
      always(summarizes("worked")),
      always(judges(true, [])),
    ),
  );
}

/** A span's name with those above it: `run ▸ iteration 1 ▸ …`. */
function pathOf(span: Span, spans: readonly Span[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? `${pathOf(parent, spans)} ▸ ${span.name}` : span.name;
}

test("a run becomes one trace, with GenAI attributes, and metrics, at the collector that the standard variables name", async () => {
  const box = await greeting();
  const collector = await otlpCollector();

  const ended = await box.e8(RUN, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20secret,other=1",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_SERVICE_NAME: "nightly",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
      TRACEPARENT: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    },
  });

  const { spans, metrics, requests, resource } = collector;
  expect(ended.code, ended.stderr).toBe(0);
  const paths = spans.map((span) => pathOf(span, spans));
  for (const path of [
    "invoke_agent endless8",
    "invoke_agent endless8 ▸ iteration 1 ▸ invoke_agent executor ▸ execute_tool Write",
    "invoke_agent endless8 ▸ iteration 2 ▸ invoke_agent summarizer",
    "invoke_agent endless8 ▸ iteration 2 ▸ proof",
  ])
    expect(paths).toContain(path);
  expect(paths.filter((path) => /▸ iteration \d ▸ .*check 1$/.test(path)).length).toBeGreaterThanOrEqual(2);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(["0af7651916cd43dd8448eb211c80319c"]));
  for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans) expect(BigInt(to) >= BigInt(from)).toBe(true);
  const { task_id } = resultOf(ended);
  const run = spans.find(({ name }) => name === "invoke_agent endless8");
  expect(run && valuesOf(run)).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.conversation.id": task_id,
    "e8.stop_reason": "criteria_met",
    "e8.iterations": "2",
  });
  const tool = spans.find(({ name }) => name === "execute_tool Write");
  expect(tool && valuesOf(tool)).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "Write",
    "gen_ai.agent.name": "executor",
  });
  expect(metrics.find(({ name }) => name === "e8.iterations")?.sum?.dataPoints).toMatchObject([{ asDouble: 2 }]);
  const runs = metrics.find(({ name }) => name === "e8.runs")?.sum?.dataPoints[0];
  expect(runs && valuesOf(runs)).toEqual({ "e8.stop_reason": "criteria_met", "e8.status": "completed" });
  for (const name of ["e8.tokens", "e8.cost", "e8.run.duration", "e8.iteration.duration", "e8.phase.duration"])
    expect(metrics.map((metric) => metric.name)).toContain(name);
  expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
  expect(requests[0]?.headers).toMatchObject({ "x-key": "a secret", other: "1" });
  expect(resource).toMatchObject({ "service.name": "nightly", "deployment.environment.name": "test" });
});

test("what agents and users wrote is sent only where it is asked for", async () => {
  const collector = await otlpCollector();
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };

  await (await greeting()).e8(RUN, { env: to });
  const without = collector.text();
  await (await greeting()).e8(RUN, { env: { ...to, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" } });

  expect(without).not.toContain("greeting.txt");
  expect(collector.text()).toContain("gen_ai.tool.call.arguments");
});

test("a collector that is away, refuses, or speaks another protocol is a note, and the run ends as it would have", async () => {
  const refusing = await otlpCollector(503);
  const ways: [Record<string, string>, string][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` }, "ECONNREFUSED"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url }, "HTTP 503"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "PROTOCOL=grpc"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "not an address" }, "Invalid URL"],
  ];
  for (const [env, problem] of ways) {
    const { code, stderr } = await (await greeting()).e8(RUN, { env });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("did not arrive");
    expect(stderr).toContain(problem);
  }
});

test("each signal has its own address, and can be turned off; a disabled SDK sends nothing", async () => {
  const collector = await otlpCollector();
  const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/traces` };

  await (await greeting()).e8(RUN, { env: traces });
  await (await greeting()).e8(RUN, { env: { ...traces, OTEL_SDK_DISABLED: "true" } });
  await (await greeting()).e8(RUN, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_EXPORTER: "none" },
  });

  expect(collector.requests.map(({ path }) => path)).toEqual(["/own/traces", "/v1/metrics"]);
});
