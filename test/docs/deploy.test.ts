import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { readAllowance } from "../../src/configuration/fleet/read-allowance.ts";

const file = (name: string) => readFile(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

/** The flags that `e8 worker` knows, of which each takes a value. */
async function flags(): Promise<string[]> {
  const source = await readFile(new URL("../../src/cli/fleet.ts", import.meta.url), "utf8");
  const declared = source.slice(source.indexOf('command("worker")'), source.indexOf('command("submit")'));
  return [...declared.matchAll(/"(--[a-z-]+)/g)].map(([, flag = ""]) => flag);
}

function drainTime(words: readonly string[]): number {
  return Number(words[words.indexOf("--drain-time") + 1]);
}

async function requireKnown(words: readonly string[]): Promise<void> {
  const known = await flags();
  for (const word of words.filter((one) => one.startsWith("--"))) expect(known).toContain(word);
}

test("the unit drains for longer than the worker takes, spares the agents, and leaves the sandbox its namespaces", async () => {
  const unit = await file("e8-worker.service");
  const lines = unit.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.filter((line) => line.startsWith("["))).toEqual(["[Unit]", "[Service]", "[Install]"]);
  const settings = Object.fromEntries(
    lines
      .filter((line) => line.includes("="))
      .map((line) => [line.split("=", 1)[0] ?? "", line.slice(line.indexOf("=") + 1)]),
  );
  const words = settings.ExecStart?.split(" ") ?? [];
  expect(words.slice(0, 3)).toEqual(["/usr/bin/env", "e8", "worker"]);
  await requireKnown(words);
  expect(Number(settings.TimeoutStopSec)).toBeGreaterThan(drainTime(words));
  expect(settings).toMatchObject({ KillMode: "mixed", KillSignal: "SIGTERM", Restart: "always" });
  expect(settings).not.toHaveProperty("RestrictNamespaces");
});

test("the image runs as an ordinary user under an init, and holds no secret", async () => {
  const text = await file("Dockerfile");
  const steps = text
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const known = /^(FROM|ARG|RUN|COPY|USER|WORKDIR|STOPSIGNAL|ENTRYPOINT|CMD) \S/;
  for (const step of steps) expect(step).toMatch(known);
  const at = (word: string) => steps.findIndex((step) => step.startsWith(`${word} `));
  expect(at("FROM")).toBe(0);
  expect(at("USER")).toBeGreaterThan(at("RUN"));
  const list = (word: string) => z.array(z.string()).parse(JSON.parse(steps[at(word)]?.slice(word.length) ?? ""));
  expect(list("ENTRYPOINT")).toEqual(["/usr/bin/tini", "--", "e8", "worker"]);
  await requireKnown(list("CMD"));
  const { peerDependencies } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  expect(text).toContain(`bullmq@${peerDependencies.bullmq} `);
  expect(text).not.toMatch(/^(ENV|ARG) .*(KEY|PASSWORD|TOKEN|STORE)/m);
});

const Pod = z.object({
  terminationGracePeriodSeconds: z.number(),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({ runAsNonRoot: z.literal(true) }).loose(),
  containers: z
    .array(
      z.object({
        name: z.string(),
        image: z.string(),
        args: z.array(z.string()),
        envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
        securityContext: z.object({ allowPrivilegeEscalation: z.literal(false) }).loose(),
        volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() })),
        resources: z.object({ requests: z.record(z.string(), z.string()), limits: z.record(z.string(), z.string()) }),
      }),
    )
    .length(1),
  volumes: z.array(z.object({ name: z.string() }).loose()),
});
const Labels = z.record(z.string(), z.string());
const Deployment = z.object({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  metadata: z.object({ name: z.string(), labels: Labels }),
  spec: z.object({
    replicas: z.int(),
    selector: z.object({ matchLabels: Labels }),
    strategy: z.object({}).loose(),
    template: z.object({ metadata: z.object({ labels: Labels }), spec: Pod }),
  }),
});

test("the manifest's parts fit each other, and a pod has time to drain", async () => {
  const documents = parseAllDocuments(await file("kubernetes.yaml"));
  for (const document of documents) expect(document.errors).toEqual([]);
  const [map, deployment] = documents.map((document) => document.toJS());
  const { template, selector } = Deployment.parse(deployment).spec;
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  const [container] = template.spec.containers;
  const words = container?.args ?? [];
  await requireKnown(words);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drainTime(words));
  const volumes = template.spec.volumes.map(({ name }) => name);
  for (const { name } of container?.volumeMounts ?? []) expect(volumes).toContain(name);
  expect(readAllowance({ name: "allow.yaml", text: map.data["allow.yaml"] })).toMatchObject({ sandbox: "off" });
  expect(JSON.stringify(documents.map(String))).not.toMatch(/kind: Secret/);
});

test("the example of a list is one", async () => {
  const text = await file("allow.yaml");
  expect(readAllowance({ name: "allow.yaml", text })).toMatchObject({
    sandbox: "contain",
    commands: parse(text).commands,
  });
});
