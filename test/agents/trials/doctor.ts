import { inPlace, linesOf } from "../place.ts";
import { cell, type Trial } from "../trial.ts";
import { storyOf, works } from "./common.ts";

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
        const { login } = agent;
        const without = Object.fromEntries([login, ...agent.keys].flatMap((key) => (key ? [[key, undefined]] : [])));
        const out = (await place.start(["doctor"], without).ended).stdout;
        const inside = (await place.start(["doctor"], { ...without, ...(login && { [login]: "fake" }) }).ended).stdout;
        const found = linesAbout(agent.name, out)[0] ?? "";
        const [before = "", after = ""] = [out, inside].map((text) => linesAbout(agent.name, text).find(isOfLogin));
        const isTrue = login
          ? before.includes("not logged in") && after.includes(login)
          : [before, after].every((line) => line.includes("cannot be seen"));
        const asked = place.model.asked.length;
        return {
          found: cell(found.includes(installed.version), "", found || "no line about it"),
          login: cell(isTrue && asked === 0, login ? "" : "says that it cannot be seen", `"${before}", "${after}"`),
        };
      },
    );
  },
};

function isOfLogin(line: string): boolean {
  return /logged in|key is set/.test(line);
}

function settingOf(choice: string): string | object {
  const [name = "", argument] = choice.split(/:(.*)/s);
  return argument === undefined ? name : { [name]: argument };
}

function linesAbout(name: string, text: string): string[] {
  return linesOf(text).filter((line) => line.toLowerCase().includes(name) && !/Claude Code/.test(line));
}
