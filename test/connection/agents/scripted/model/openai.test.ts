import { describe, expect, test } from "vitest";
import { answer, fault, say, scene, use } from "../../../../../src/connection/agents/scripted/model/builders.ts";
import type { ScriptedModel } from "../../../../../src/connection/agents/scripted/model/server.ts";
import { play } from "./client.ts";

const SYSTEM = "You judge.\nendless8-role: judge\n";

const bodies = {
  "/v1/responses": {
    model: "gpt-5",
    input: [
      { role: "developer", content: SYSTEM },
      { role: "user", content: [{ type: "input_text", text: "Is it done?" }] },
    ],
  },
  "/v1/chat/completions": {
    model: "qwen3",
    messages: [
      { role: "system", content: SYSTEM },
      { role: "user", content: "Is it done?" },
    ],
  },
};

async function post(model: ScriptedModel, path: string, body: object) {
  const response = await fetch(model.url + path, {
    method: "POST",
    headers: { authorization: "Bearer sk-secret" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe.each(Object.entries(bodies))("%s", (path, body) => {
  test("plays the asker's scene: JSON text for an answer, and the tokens", async () => {
    const model = await play(
      scene("executor", say("not mine")),
      scene(
        { who: "judge", when: "Is it done?" },
        { ...answer({ is_complete: true }), tokens: { input: 7, cache_read: 3 } },
      ),
    );

    const reply = await post(model, path, body);

    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).toContain(JSON.stringify('{"is_complete":true}'));
    expect(Object.values(reply.body.usage)).toEqual(expect.arrayContaining([10, 20, 30]));
    expect(model.requests).toMatchObject([
      { who: "judge", scene: 1, credential: "token", body: { model: body.model } },
    ]);
    expect(JSON.stringify(model.requests)).not.toContain("sk-secret");
  });

  test("a fault is worded as OpenAI words it, and the next request gets the next turn", async () => {
    const model = await play(scene("judge", fault({ status: 429, retry_after: 3 }), say("better now")));

    const [first, second] = [await post(model, path, body), await post(model, path, body)];

    expect(first).toMatchObject({
      status: 429,
      body: { error: { message: expect.any(String), type: expect.any(String) } },
    });
    expect(first.headers.get("retry-after")).toBe("3");
    expect(JSON.stringify(second.body)).toContain("better now");
  });

  test("what it cannot play is refused with a reason", async () => {
    const model = await play(scene("judge", use("Read", { file_path: "x" })), scene("judge", say("x")));

    expect(await post(model, path, body)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/no tools/) } },
    });
    expect(await post(model, path, { ...body, stream: true })).toMatchObject({ status: 400 });
    expect(await post(model, path, body)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/no scene left/) } },
    });
    expect(await post(model, path, { hello: "world" })).toMatchObject({ status: 400 });
  });
});
