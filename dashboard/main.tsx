import { render } from "preact";
import { App } from "./app/app.tsx";
import { chooseSource, loadSession, session } from "./app/context.ts";
import { listenToKeys } from "./app/keys.ts";
import { followAddress, startAt } from "./app/route.ts";
import { firstTheme, showTheme } from "./app/theme.ts";
import { httpSource } from "./data/http-source.ts";
import { readReport, reportSource } from "./data/report-source.ts";
import { problemOf } from "./data/source.ts";
import { ProblemBox } from "./parts/bits.tsx";
import "./styles/styles.ts";
import { firstLanguage, speak } from "./texts/texts.ts";

const page = document.getElementById("page");

async function open(root: HTMLElement): Promise<void> {
  showTheme(firstTheme());
  const report = readReport();
  const source = report ? reportSource(report) : httpSource;
  chooseSource(source);
  speak(firstLanguage(report?.language ?? "en"));
  try {
    await loadSession();
  } catch (error) {
    const problem = problemOf(error);
    render(
      <main class="page">
        <ProblemBox problem={problem} again={() => void open(root)} />
      </main>,
      root,
    );
    return;
  }
  speak(firstLanguage(session.value?.language ?? "en"));
  followAddress();
  listenToKeys();
  startAt(report ? { page: "task", project: report.view.project, id: report.view.task_id } : { page: "tasks" });
  render(<App />, root);
}

if (page) void open(page);
