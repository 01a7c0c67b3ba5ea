import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/connection/agents/scripted/model/server.ts";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import type { HistoryRecord, LoopResult } from "../../src/model/records.ts";
import { temporaryDirectory } from "./temporary.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export interface Call {
  stdin?: string;
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** The words before the program's own, such as those of a program that starts it elsewhere. */
  through?: readonly string[];
}

/** A project, a home and an environment of their own, in which the real program runs as a process. */
export interface Sandbox {
  project: string;
  home: string;
  env: Record<string, string | undefined>;
  model: ScriptedModel;
  e8(args: string[], call?: Call): Promise<Ended>;
  start(args: string[], call?: Call): Started;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Task ids, oldest first. */
  tasks(): Promise<string[]>;
  /** The records of a task, the latest where no id is given. */
  records(id?: string): Promise<HistoryRecord[]>;
  /** How answers began that were asked for: all, or those of one role or step, oldest first. */
  asked(who?: string): Promise<Asked[]>;
}

/** What an agent was asked with. */
export interface Asked {
  /** The role or step; empty where the request did not say. */
  who: string;
  model: string;
  /** System and user texts, as JSON. */
  text: string;
}

/** Without a story, the model refuses every request: a run that should not need one shows it. */
export async function sandbox(story: Story = NO_STORY): Promise<Sandbox> {
  const home = await temporaryDirectory();
  const project = join(home, "my project");
  await mkdir(join(home, "tmp"), { recursive: true });
  await mkdir(project);
  const model = await startScriptedModel(story);
  onTestFinished(() => model.close());
  const env = environment(home, model.url);
  const start: Sandbox["start"] = (args, call) =>
    startE8(args, { cwd: project, ...call, env: { ...env, ...call?.env } });
  const records = async (id?: string) => recordsIn(project, id ?? (await tasksIn(project)).at(-1) ?? "none");
  return {
    project,
    home,
    env,
    model,
    start,
    e8: (args, call) => start(args, call).ended,
    write: async (path, content) => {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), content);
    },
    read: (path) => readFile(join(project, path), "utf8"),
    tasks: () => tasksIn(project),
    records,
    asked: async (who) => by(who, sentTo(model)),
  };
}

export interface ScriptedSandbox extends Sandbox {
  /** Has another story played from the next run on. A run plays its story from the beginning. */
  plays(story: Story): Promise<void>;
}

/** The same, but the scripted agent plays the story inside e8: for tests whose subject is not Claude Code. Settings go to endless8.yaml. */
export async function scriptedSandbox(story: Story, settings: object = {}): Promise<ScriptedSandbox> {
  const box = await sandbox();
  const file = join(box.home, "story.json");
  const plays = (one: Story) => writeFile(file, JSON.stringify(one));
  await plays(story);
  const project = { agent: { scripted: file }, logging: { raw_log: true }, ...settings };
  await box.write("endless8.yaml", JSON.stringify(project));
  return { ...box, plays, asked: async (who) => by(who, await loggedIn(box)) };
}

export function resultOf(ended: Ended): LoopResult {
  return JSON.parse(ended.stdout) as LoopResult;
}

const NO_STORY: Story = { scenes: [{ when: "no request ever says this: 7f3a", turns: [{ say: "" }] }] };

function environment(home: string, url: string): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: join(home, "tmp"),
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    CLAUDE_CODE_TMPDIR: join(home, "tmp"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    ENDLESS8_PROOF: "none", // tests of the proof turn it on
  };
}

function startE8(args: string[], { stdin, cwd, env, through = [] }: Call): Started {
  const [program = "", ...words] = [...through, process.execPath, E8, ...args];
  const child = spawn(program, words, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // it may not read at all
  child.stdin.end(stdin ?? "");
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: outcome(child) };
}

async function outcome(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : "",
    child.stderr ? text(child.stderr) : "",
    once(child, "exit"),
  ]);
  return { code, stdout, stderr };
}

async function tasksIn(project: string): Promise<string[]> {
  const names = await readdir(join(project, ".e8", "tasks")).catch(() => []);
  return names
    .filter((name) => name !== ".gitignore")
    .sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}

function by(who: string | undefined, asked: Asked[]): Asked[] {
  return who === undefined ? asked : asked.filter((one) => one.who === who);
}

/** A request that holds an answer is not the first of its conversation. */
function sentTo({ requests }: ScriptedModel): Asked[] {
  const all = requests.map(({ who, body }) => ({ who: who ?? "", model: body.model, text: JSON.stringify(body) }));
  return all.filter(({ text }) => !text.includes('"role":"assistant"'));
}

/** From the raw logs, whose answers each begin with what was asked. */
async function loggedIn({ project, tasks }: Sandbox): Promise<Asked[]> {
  const folders = (await tasks()).map((id) => join(project, ".e8", "tasks", id, "logs"));
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).sort().map((name) => join(folder, name))),
  );
  const texts = await Promise.all(files.flat().map((file) => readFile(file, "utf8")));
  return texts.flatMap((text) => linesOf(text).flatMap((line) => askedBy(JSON.parse(line))));
}

function askedBy({ request, model }: { request?: { system?: string }; model: string }): Asked[] {
  const lines = [/^endless8-step: (\S+)$/m, /^endless8-role: (\S+)$/m];
  const [who] = lines.flatMap((line) => line.exec(request?.system ?? "")?.[1] ?? []);
  return who === undefined ? [] : [{ who, model, text: JSON.stringify(request) }];
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

async function recordsIn(project: string, id: string): Promise<HistoryRecord[]> {
  const lines = await readFile(join(project, ".e8", "tasks", id, "history.jsonl"), "utf8").catch(() => "");
  return linesOf(lines).map((line) => JSON.parse(line) as HistoryRecord);
}
