import type { ErrorTexts } from "../message-texts.ts";

/** What other programs are told that start runs and follow them. */
export const enDoors = {
  doors: {
    task: "task",
    last: (iteration: number) => `iteration ${iteration}`,
    proved: "The result is proved.",
    notProved: "The result is not proved.",
    started: (id: string) =>
      `Task ${id} has begun. It goes on in the background when this conversation ends. People follow it with: e8 watch ${id}`,
    answered: (id: string) => `Task ${id} has its answers and has begun.`,
    next: {
      running: "wait for news with `watch`, or leave it: it goes on alone",
      paused: "people go on with it: e8 resume",
      completed: "nothing; it is done",
      answer: "answer the questions with `answer`",
      resume: "look at what is missing; go on with it: `run_task` with `resume`",
    },
    stillWaiting: (id: string) => `task ${id} goes on`,
    listening: (url: string) => `An MCP server listens on ${url}, for programs of this machine that know the token.`,
    addIt: (command: string) => `Add it to Claude Code: ${command}`,
    roots: (roots: string) => `Runs start only below: ${roots}`,
  },
};

export const enDoorsHelp = {
  mcp: "an MCP server: other programs start runs and follow them",
  mcpHttp:
    "serve over HTTP on loopback in the place of standard input and output; also ENDLESS8_MCP_TOKEN for a token of your own",
  mcpPort: "the port with --http (default: a free one)",
  mcpRoot: "a directory in which runs may start, besides the project (repeat)",
};

export const enDoorsErrors: Pick<ErrorTexts, "run_not_started" | "project_not_allowed" | "task_choice" | "port_taken"> =
  {
    run_not_started: (d) => [
      `The run did not begin. It said:\n${d.said}`,
      "Correct that and try again; nothing was started.",
    ],
    project_not_allowed: (d) => [
      `${d.path} is outside the directories in which this server may start runs: ${d.roots.join(", ")}.`,
      "Start the server in that project, or with --root for it.",
    ],
    task_choice: [
      "Exactly one of `task`, `task_file` and `resume` says what to run.",
      "Name one: a task in words, a task file of the project, or the id of a task to go on with.",
    ],
    port_taken: (d, tell) => [
      `Nothing can be served on port ${d.port}: ${tell(d.problem)}.`,
      "Choose another one with --port, or leave it out for a free one.",
    ],
  };
