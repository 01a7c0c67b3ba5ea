import { inPlace } from "../place.ts";
import { cell, type Trial } from "../trial.ts";
import { lastWords, storyOf, works } from "./common.ts";

/** What `e8 doctor` says of it on a machine that has it. */
export const doctor: Trial<"found" | "login"> = {
  name: "doctor",
  rows: {
    found: "`e8 doctor` finds it, with its version",
    login: "`e8 doctor` knows whether it is logged in",
  },
  async run(tried) {
    const { agent, installed } = tried;
    return inPlace(
      tried,
      () => storyOf(works()),
      async (place) => {
        await place.write("endless8.yaml", JSON.stringify({ agent: settingOf(agent.choice) }));
        const without = Object.fromEntries(agent.keys.map((key) => [key, undefined]));
        const { stdout, stderr } = await place.start(["doctor"]).ended;
        const out = await place.start(["doctor"], without).ended;
        const line = lineAbout(agent.program, stdout);
        const other = lineAbout(agent.program, out.stdout);
        const asked = place.model.asked.length;
        return {
          found: cell(line.includes(installed.version), line, line || lastWords(stdout + stderr)),
          login: cell(
            line !== other && asked === 0,
            other,
            `the same line with and without a login; ${asked} requests`,
          ),
        };
      },
    );
  },
};

function settingOf(choice: string): string | object {
  const [name = "", argument] = choice.split(/:(.*)/s);
  return argument === undefined ? name : { [name]: argument };
}

function lineAbout(program: string, text: string): string {
  const words = [program, program.replace(/-acp$/, "")];
  return (
    text
      .split("\n")
      .find((line) => words.some((word) => line.toLowerCase().includes(word)))
      ?.trim() ?? ""
  );
}
