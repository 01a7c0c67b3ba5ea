// An agent is any program: the prompt comes on stdin, the answer goes to stdout, the work is done in the current directory.
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

const prompt = await text(process.stdin);
const wasWrong = prompt.includes("NOT MET"); // what the last judgment found missing, with the evidence
await writeFile("answer.txt", wasWrong ? "42\n" : "41\n");
console.log(wasWrong ? "Corrected the answer to 42." : "Wrote 41.");
