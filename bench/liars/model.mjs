// The scripted model of the bench: a server on loopback that speaks OpenAI's chat completions and answers by simple rules. The name of a
// model chooses how it behaves; what stands behind its last dash keeps the runs apart.
import { createServer } from "node:http";
import { intakes } from "./intakes.mjs";
import { judges } from "./judges.mjs";
import { reviewers } from "./reviewer.mjs";

export async function startModel() {
  const asked = new Map();
  const heard = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const answer = answerTo(body, asked, heard);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(completion(body.model, JSON.stringify(answer))));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  return {
    named: (behaviour, run) => `openai-compatible:${behaviour}-${run.split("-").at(-1)}@${url}`,
    /** What judges and reviewers were asked. */
    heard,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function answerTo({ model, messages }, asked, heard) {
  const text = (role) =>
    messages
      .filter((one) => one.role === role)
      .map(({ content }) => plain(content))
      .join("\n");
  const times = (asked.get(model) ?? 0) + 1;
  asked.set(model, times);
  const behaviour = model.slice(0, model.lastIndexOf("-"));
  const answers = { ...judges, ...intakes, ...reviewers };
  if (!(behaviour in intakes)) heard.push(text("user"));
  return answers[behaviour]({ prompt: text("user"), system: text("system"), times });
}

function plain(content) {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

function completion(model, content) {
  return {
    id: "chatcmpl_bench",
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
