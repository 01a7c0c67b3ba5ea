import { useEffect, useRef } from "preact/hooks";
import { BacklogPage } from "../backlog/backlog-page.tsx";
import { RunPage } from "../run/run-page.tsx";
import { StartPage } from "../start/start-page.tsx";
import { TasksPage } from "../tasks/tasks-page.tsx";
import { texts } from "../texts/texts.ts";
import { Announcer } from "./announce.tsx";
import { source } from "./context.ts";
import { Header } from "./header.tsx";
import { useKeys } from "./keys.ts";
import { isHelpOpen, KeysHelp } from "./keys-help.tsx";
import { lazily } from "./lazily.tsx";
import { go, route } from "./route.ts";
import { nextTheme } from "./theme.ts";

const FiguresPage = lazily(async () => (await import("../figures/figures-page.tsx")).FiguresPage);

export function App() {
  const { page, project, id } = route.value;
  const main = useRef<HTMLElement>(null);
  const place = `${page}/${project}/${id}`;
  const former = useRef(place);
  useEffect(() => {
    if (former.current !== place) main.current?.focus();
    former.current = place;
  }, [place]);
  useKeys(globalKeys());
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        {texts().pages.skip}
      </a>
      <Header />
      <main ref={main} id="main" tabIndex={-1}>
        <Shown />
      </main>
      <Announcer />
      <KeysHelp />
    </>
  );
}

/** The address behind `#` is the page's own, so the browser must not follow the link. */
function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

function Shown() {
  const { page, project, id } = route.value;
  switch (page) {
    case "task":
      return <RunPage key={`${project}/${id}`} project={project} id={id} />;
    case "backlog":
      return <BacklogPage project={project} />;
    case "figures":
      return <FiguresPage />;
    case "new":
      return <StartPage />;
    default:
      return <TasksPage />;
  }
}

function globalKeys() {
  const help = () => {
    isHelpOpen.value = true;
  };
  if (!source().is_live) return { "?": help, t: nextTheme };
  return {
    "?": help,
    t: nextTheme,
    n: () => go({ page: "new" }),
    "g t": () => go({ page: "tasks" }),
    "g b": () => go({ page: "backlog" }),
    "g f": () => go({ page: "figures" }),
    Escape: () => go({ page: "tasks" }),
  };
}
