import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { endTree, startTree } from "../../processes/process-tree.ts";
import type { AcpAgentOptions } from "./options.ts";

/** Writes a file that the agent asks us to write, where its own processes run: it then reaches no further than they do. */
export async function writeInSpace(path: string, content: string, options: AcpAgentOptions): Promise<void> {
  const { space, working_directory: cwd, environment, task_token } = options;
  if (!space) {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, content);
  }
  const args = ["-c", 'mkdir -p -- "$1" && cat > "$2"', "e8", dirname(path), path];
  const tree = startTree({ command: "sh", args, cwd, environment, task_token, space, stdin: "pipe", stderr: "ignore" });
  tree.child.stdin?.end(content);
  const { code } = await tree.exit;
  await endTree(tree);
  if (code !== 0) throw new Error(`${path} cannot be written`);
}
