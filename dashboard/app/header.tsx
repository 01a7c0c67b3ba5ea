import { link } from "../data/link.ts";
import { coded } from "../parts/coded.tsx";
import { Mark } from "../parts/first.tsx";
import { moment } from "../parts/format.ts";
import { choose, language, texts } from "../texts/texts.ts";
import { maySteer, session, source } from "./context.ts";
import { isHelpOpen } from "./keys-help.tsx";
import { address, type Page, route } from "./route.ts";
import { chooseTheme, THEMES, theme } from "./theme.ts";

export function Header() {
  const { menu } = texts();
  return (
    <header class="top">
      <span class="brand">
        <Mark />
        <span>
          endless<b>8</b>
        </span>
      </span>
      {source().is_live ? <Pages /> : <Made />}
      <span class="gap" />
      <Link />
      <span class="pick">
        <span aria-hidden="true">◐</span>
        <select
          aria-label={menu.theme}
          value={theme.value}
          onChange={({ currentTarget }) => chooseTheme(THEMES.find((one) => one === currentTarget.value) ?? "auto")}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {menu.themes[one]}
            </option>
          ))}
        </select>
      </span>
      <select
        aria-label={menu.language}
        value={language.value}
        onChange={({ currentTarget }) => choose(currentTarget.value === "ja" ? "ja" : "en")}
      >
        <option value="en" lang="en">
          English
        </option>
        <option value="ja" lang="ja">
          日本語
        </option>
      </select>
      <button
        type="button"
        class="plain keys-button"
        aria-label={menu.keys}
        title={menu.keys}
        onClick={() => (isHelpOpen.value = true)}
      >
        ?
      </button>
    </header>
  );
}

function Made() {
  const { made_at } = source();
  return <span class="quiet small">{made_at && texts().report.made(moment(made_at))}</span>;
}

function Pages() {
  const { menu, pages } = texts();
  const [first] = session.value?.projects ?? [];
  const { page } = route.value;
  const current = page === "task" || page === "latest" ? "tasks" : page;
  const items: { page: Page; text: string; project?: string }[] = [
    { page: "tasks", text: pages.tasks },
    { page: "backlog", text: pages.backlog, ...(first && { project: first.key }) },
    { page: "figures", text: pages.figures },
    ...(maySteer() ? [{ page: "new" as const, text: pages.start }] : []),
  ];
  return (
    <nav class="pages" aria-label={menu.label}>
      {items.map(({ page, text, project }) => (
        <a
          key={page}
          href={address({ page, ...(project && { project }) })}
          aria-current={page === current ? "page" : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

function Link() {
  const words = texts().link;
  if (!source().is_live) return null;
  if (link.value === "denied")
    return (
      <span class="link" data-tone="bad" role="alert">
        {coded(words.denied)}
      </span>
    );
  return (
    <>
      {session.value?.read_only && <span class="link">{words.readOnly}</span>}
      <span class="link" data-tone={link.value === "live" ? "live" : "warn"} role="status">
        {link.value === "live" ? words.live : words.lost}
      </span>
    </>
  );
}
