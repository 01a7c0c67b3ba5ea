import { History, KnowledgeBase, run } from "endless8";

const knowledge = new KnowledgeBase(".e8/knowledge.jsonl");
await knowledge.add({
  type: "constraint",
  category: "testing",
  content: "The tests need a database",
  confidence: "high",
});

const result = await run(
  {
    task: "Write the answer into answer.txt",
    criteria: [{ type: "command", command: "grep -qx 42 answer.txt" }],
    agent: { command: "echo $((40 + E8_ITERATION)) | tee answer.txt" },
  },
  { project: process.cwd() },
);

const history = new History(result.history_path ?? undefined);
await history.load();
const { latest } = history.context(1);
console.log("the next worker would be told of iteration", latest[0]?.iteration, "of", history.summaries.length);

for (const { content, confidence } of await knowledge.relevant("mend the database tests", 3))
  console.log(`known (${confidence}):`, content);
for (const { path, status } of result.changed_files) console.log("changed:", path, status);
