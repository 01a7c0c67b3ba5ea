import { useEffect, useRef } from "preact/hooks";
import { BacklogPage } from "../backlog/backlog-page.tsx";
import { RunPage } from "../run/run-page.tsx";
import { StartPage } from "../start/start-page.tsx";
import { LatestPage } from "../tasks/latest-page.tsx";
import { TasksPage } from "../tasks/tasks-page.tsx";
import { texts } from "../texts/texts.ts";
import { Announcer } from "./announce.tsx";
import { maySteer, source } from "./context.ts";
import { Header } from "./header.tsx";
import { useKeys } from "./keys.ts";
import { isHelpOpen, KeysHelp } from "./keys-help.tsx";
import { Later, type LaterPart } from "./later.tsx";
import { go, route } from "./route.ts";
import { nextTheme } from "./theme.ts";

const FIGURES: LaterPart<object> = { load: async () => (await import("../figures/figures-page.tsx")).FiguresPage };

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
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {texts().pages.skip}
      </button>
      <Header />
      <main ref={main} id="main" tabIndex={-1}>
        <Shown />
      </main>
      <Announcer />
      <KeysHelp />
    </>
  );
}

function Shown() {
  const { page, project, id } = route.value;
  switch (page) {
    case "task":
      return <RunPage key={`${project}/${id}`} project={project} id={id} />;
    case "latest":
      return <LatestPage />;
    case "backlog":
      return <BacklogPage project={project} />;
    case "figures":
      return (
        <div class="page">
          <Later part={FIGURES} props={{}} />
        </div>
      );
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
  const toTasks = () => go({ page: "tasks" });
  if (!source().is_live) return { "?": help, t: nextTheme };
  return {
    "?": help,
    t: nextTheme,
    ...(maySteer() && { n: () => go({ page: "new" }) }),
    "g t": toTasks,
    "g b": () => go({ page: "backlog" }),
    "g f": () => go({ page: "figures" }),
    Escape: toTasks,
  };
}
