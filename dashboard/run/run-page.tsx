import { useEffect, useState } from "preact/hooks";
import type { TaskView } from "../../src/model/dashboard.ts";
import { source } from "../app/context.ts";
import { useKeys } from "../app/keys.ts";
import { Later, type LaterPart } from "../app/later.tsx";
import { address, go, route } from "../app/route.ts";
import { useTitle } from "../app/title.ts";
import { ProblemBox, Waiting } from "../parts/bits.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { Questions } from "./actions/questions.tsx";
import { RunHead } from "./head/run-head.tsx";
import { LiveTab } from "./live/live-tab.tsx";
import { Overview } from "./overview/overview.tsx";
import { ProofTab } from "./proof/proof-tab.tsx";
import { RunStore } from "./run-store.ts";
import { tabsOf } from "./run-tabs.ts";
import { TimelineTab } from "./timeline/timeline-tab.tsx";

type OfView = LaterPart<{ view: TaskView }>;
const CHANGES: OfView = { load: async () => (await import("./diff/changes-tab.tsx")).ChangesTab };
const FIGURES: OfView = { load: async () => (await import("./figures-tab.tsx")).FiguresTab };
const FLOW: OfView = { load: async () => (await import("./flow/flow-tab.tsx")).FlowTab };
const KNOWLEDGE: OfView = { load: async () => (await import("./knowledge-tab.tsx")).KnowledgeTab };

export function RunPage({ project, id }: { project: string; id: string }) {
  const [store] = useState(() => new RunStore({ project, task_id: id }));
  useEffect(() => {
    void store.open();
    return () => store.close();
  }, [store]);
  const view = store.view.value;
  const problem = store.problem.value;
  useTitle(view?.title ?? id);
  if (!view)
    return (
      <div class="page">
        {source().is_live && (
          <p class="crumbs small">
            <a href={address({ page: "tasks" })}>← {texts().run.back}</a>
          </p>
        )}
        {problem ? <ProblemBox problem={problem} again={() => void store.open()} /> : <Waiting />}
      </div>
    );
  return (
    <div class="page run">
      <RunHead view={view} reload={() => void store.load()} />
      <Questions view={view} reload={() => void store.load()} />
      <Parts view={view} store={store} />
    </div>
  );
}

function Parts({ view, store }: { view: TaskView; store: RunStore }) {
  const tabs = tabsOf(view);
  const asked = route.value.tab;
  const current = tabs.find(({ id }) => id === asked)?.id ?? "overview";
  const { page, project, id } = route.value;
  useKeys(
    Object.fromEntries(tabs.map((tab, index) => [String(index + 1), () => go({ page, project, id, tab: tab.id })])),
  );
  return (
    <>
      <Tabs label={texts().run.parts} tabs={tabs} current={current} />
      <Part tab={current} view={view} store={store} />
    </>
  );
}

function Part({ tab, view, store }: { tab: string; view: TaskView; store: RunStore }) {
  switch (tab) {
    case "timeline":
      return <TimelineTab view={view} />;
    case "live":
      return <LiveTab store={store} />;
    case "changes":
      return <Later part={CHANGES} props={{ view }} />;
    case "proof":
      return <ProofTab view={view} />;
    case "knowledge":
      return <Later part={KNOWLEDGE} props={{ view }} />;
    case "flow":
      return <Later part={FLOW} props={{ view }} />;
    case "figures":
      return <Later part={FIGURES} props={{ view }} />;
    default:
      return <Overview view={view} />;
  }
}
