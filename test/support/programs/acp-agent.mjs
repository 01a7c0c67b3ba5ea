// A small agent that speaks the Agent Client Protocol over stdio and does what its script says. It uses no package, so that it can
// also break the protocol's rules. Its one argument is the script as JSON, or the name of a file with it:
//   prompts    one list of acts for each prompt, the last one for all further prompts
//   roles      { role: prompts }, for the prompts of these roles
//   diary      a file that gets a line of JSON for each message that the agent is sent
//   name, version, modes, models, capabilities, auth_methods, configOptions   what it says of itself
//   needs_login  it opens no session before `authenticate` with one of its auth_methods
//   refuses    { method: error }: requests that it answers with an error
//   starts_for milliseconds before it reads anything
//   ignores_cancel, ignores_end, exits   how it behaves around the conversation
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [given = "{}"] = process.argv.slice(2);
const script = JSON.parse(existsSync(given) ? readFileSync(given, "utf8") : given);
const prompts = script.prompts ?? [[]];
const cancelled = new Map();
const answers = new Map();
let sessions = 0;
let asked = 0;
let isLoggedIn = !script.needs_login;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionId, given) => send({ method: "session/update", params: { sessionId, update: given } });
const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function ask(method, params) {
  const id = `ask-${++asked}`;
  send({ id, method, params });
  return new Promise((resolve) => answers.set(id, resolve));
}

function run(command, cwd) {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("close", (code) => resolve({ code, output }));
  });
}

const acts = {
  say: async ({ say: text }, { id }) => say(id, text),
  update: async ({ update: given }, { id }) => update(id, given),
  late: async ({ late: text, to }) => say(to ?? `session-${sessions - 1}`, text),
  noise: async ({ noise }) => process.stdout.write(`${noise}\n`),
  stderr: async ({ stderr }) => process.stderr.write(stderr),
  raw: async ({ raw }) => send(raw),
  wait: async ({ wait: milliseconds }) => wait(milliseconds),
  crash: async ({ crash }) => process.exit(crash),
  kill: async () => process.kill(process.pid, "SIGKILL"),
  flood: async ({ flood }, { id }) => {
    for (let count = 0; count < flood; count += 1)
      update(id, {
        sessionUpdate: "tool_call",
        toolCallId: `flood-${count}`,
        title: `Read ${count}`,
        kind: "read",
        status: "completed",
        locations: [{ path: `/${count}` }],
      });
  },
  // Runs a command as a tool call, and says what it printed.
  run: async ({ run: command, call = `run-${++asked}` }, { id, cwd }) => {
    const rawInput = { command };
    update(id, {
      sessionUpdate: "tool_call",
      toolCallId: call,
      title: command,
      kind: "execute",
      status: "in_progress",
      rawInput,
    });
    const { code, output } = await run(command, cwd);
    const content = [{ type: "content", content: { type: "text", text: output } }];
    update(id, {
      sessionUpdate: "tool_call_update",
      toolCallId: call,
      status: code === 0 ? "completed" : "failed",
      content,
    });
  },
  // Writes a file as a tool call, with a diff.
  edit: async ({ edit: path, content: newText, call = `edit-${++asked}` }, { id, cwd }) => {
    const file = path.startsWith("/") ? path : `${cwd}/${path}`;
    const content = [
      { type: "diff", path: file, oldText: existsSync(file) ? readFileSync(file, "utf8") : null, newText },
    ];
    update(id, {
      sessionUpdate: "tool_call",
      toolCallId: call,
      title: `Write ${path}`,
      kind: "edit",
      status: "pending",
    });
    await run(`mkdir -p "$(dirname '${file}')" && cat > '${file}' <<'END-OF-FILE'\n${newText}\nEND-OF-FILE`, cwd);
    update(id, { sessionUpdate: "tool_call_update", toolCallId: call, status: "completed", content });
  },
  // Asks whether it may, and does what `allowed` says if so.
  permission: async ({ permission: toolCall, options = OPTIONS, allowed = [], in: session }, context) => {
    const answer = await ask("session/request_permission", { sessionId: session ?? context.id, toolCall, options });
    const { outcome } = answer.result ?? {};
    const isAllowed = outcome?.outcome === "selected" && /allow/.test(outcome.optionId);
    const { toolCallId } = toolCall;
    if (isAllowed) for (const act of allowed) await perform(act, context);
    if (!session)
      update(context.id, { sessionUpdate: "tool_call_update", toolCallId, status: isAllowed ? "completed" : "failed" });
  },
  write: async ({ write: path, content }, { id, cwd }) => {
    const answer = await ask("fs/write_text_file", {
      sessionId: id,
      path: path.startsWith("/") ? path : `${cwd}/${path}`,
      content,
    });
    say(id, answer.error ? `refused: ${answer.error.data?.details ?? answer.error.message}` : "written");
  },
  call: async ({ call: method, params }, { id }) => {
    const answer = await ask(method, { sessionId: id, ...params });
    say(id, answer.error ? `error ${answer.error.code}` : "done");
  },
  // Until it is cancelled; then it may say something.
  hang: async ({ hang: last }, { id }) => {
    while (script.ignores_cancel || !cancelled.get(id)) await wait(20);
    if (typeof last === "string") say(id, last);
  },
};

const OPTIONS = [
  { optionId: "allow-always", name: "Always", kind: "allow_always" },
  { optionId: "allow", name: "Yes", kind: "allow_once" },
  { optionId: "reject", name: "No", kind: "reject_once" },
];

async function perform(act, context) {
  const [name] = Object.keys(act).filter((key) => key in acts);
  await acts[name](act, context);
}

/** The acts for a prompt: those for its role, where the script has some. */
function listFor(text) {
  const [, role] = /endless8-role: (\w+)/.exec(text) ?? [];
  const lists = script.roles?.[role] ?? prompts;
  const count = given_to.get(lists) ?? 0;
  given_to.set(lists, count + 1);
  return lists[Math.min(count, lists.length - 1)];
}

const given_to = new Map();

async function prompt(id, { sessionId, prompt: parts }) {
  const list = listFor(parts.map(({ text }) => text).join(""));
  const end = { stopReason: "end_turn" };
  for (const act of list) {
    if (act.error) return send({ id, error: act.error });
    if (act.end) Object.assign(end, act.end);
    else await perform(act, { id: sessionId, cwd: directories.get(sessionId) });
    if (cancelled.get(sessionId) && !script.ignores_cancel)
      return send({ id, result: { ...end, stopReason: "cancelled" } });
  }
  send({ id, result: end });
}

const directories = new Map();

const methods = {
  initialize: () => ({
    protocolVersion: script.version ?? 1,
    agentCapabilities: script.capabilities ?? {},
    authMethods: script.auth_methods ?? [],
    agentInfo: { name: script.name ?? "acp-agent", version: "1.2.3" },
  }),
  "session/new": ({ cwd }) => {
    const sessionId = `session-${++sessions}`;
    directories.set(sessionId, cwd);
    const { modes, models, configOptions } = script;
    return { sessionId, ...(modes && { modes }), ...(models && { models }), ...(configOptions && { configOptions }) };
  },
  authenticate: ({ methodId }) => {
    isLoggedIn ||= (script.auth_methods ?? []).some(({ id }) => id === methodId);
    return {};
  },
  "session/close": () => ({}),
  "session/set_mode": () => ({}),
  "session/set_model": () => ({}),
  "session/set_config_option": () => ({ configOptions: script.configOptions ?? [] }),
};

function received(line) {
  if (script.diary) appendFileSync(script.diary, `${line.slice(0, -1)},"pid":${process.pid}}\n`);
  const { id, method, params, ...answer } = JSON.parse(line);
  if (method === undefined) {
    answers.get(id)?.(answer);
    return answers.delete(id);
  }
  if (method === "session/cancel") return cancelled.set(params.sessionId, true);
  if (script.refuses?.[method]) return send({ id, error: script.refuses[method] });
  if (method === "session/new" && !isLoggedIn)
    return send({ id, error: { code: -32000, message: "Authentication required" } });
  if (method === "session/prompt") return void prompt(id, params);
  if (methods[method]) return send({ id, result: methods[method](params) });
  if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
}

for (const line of script.banner ?? []) process.stdout.write(`${line}\n`);
if (script.exits !== undefined) {
  process.stderr.write(script.last_words ?? "");
  process.exit(script.exits);
}
// What it is sent meanwhile waits.
if (script.starts_for) await wait(script.starts_for);
createInterface({ input: process.stdin })
  .on("line", received)
  .on("close", () => script.ignores_end || process.exit(0));
