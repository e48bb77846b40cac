import type { ComponentChildren } from 'preact';
import { SETTINGS_GROUPS, usePageContext } from '../ui/page-context.js';
import { HtmlDocument } from '../ui/layout.js';
import { Shortcuts, Toasts } from './overlays.js';
import { CurrentPageLink, NavigationLinks, Section, SidebarGroup } from './sidebar-parts.js';
import { Sidebar, SETTINGS } from './sidebar.js';

interface ShellProps {
  readonly title: string;
  /** The section of the console, if the address does not show it. */
  readonly section?: string;
  /** The links of the sidebar, on pages that load their own. */
  readonly links?: ComponentChildren;
  /** Further skip links, by the id of their target. */
  readonly skips?: Readonly<Record<string, string>> | undefined;
  readonly watch?: string;
  /** A cheaper page with the same live parts, for refreshes. */
  readonly liveFrom?: string;
  readonly children: ComponentChildren;
}

export function Shell({ title, section, links, skips = {}, watch, liveFrom, children }: ShellProps) {
  const { preferences, version, sidebar } = usePageContext();
  return (
    <HtmlDocument title={title} theme={preferences.theme} badge={sidebar.badge} scripts>
      {Object.entries({ main: 'Skip to the page', ...skips }).map(([id, label]) => (
        <a class="skip" href={`#${id}`} key={id}>
          {label}
        </a>
      ))}
      <div
        class="shell"
        data-watch={watch}
        data-live-from={liveFrom}
        data-version={version}
        data-shortcuts={preferences.shortcuts ? 'on' : 'off'}
      >
        <Section.Provider value={section}>
          <Sidebar links={links} />
          {children}
        </Section.Provider>
      </div>
      <Toasts />
      <Shortcuts />
    </HtmlDocument>
  );
}

interface PageLayoutProps extends Omit<ShellProps, 'links'> {
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly narrow?: boolean;
}

export function PageLayout({ title, intro, actions, children, narrow = false, ...shell }: PageLayoutProps) {
  const { path } = usePageContext();
  const isSetting = (shell.section ?? path).startsWith(SETTINGS);
  return (
    <Shell title={title} {...shell}>
      {isSetting && <SettingsNavigation />}
      {/* Focusable, so that a keyboard can scroll a page of text. */}
      <main id="main" class={narrow ? 'page narrow' : 'page'} tabIndex={0}>
        <div class="page-head">
          <div>
            <h1 class="break">{title}</h1>
            {intro && <p>{intro}</p>}
          </div>
          {actions && <div class="row">{actions}</div>}
        </div>
        <div class="stack wide">{children}</div>
      </main>
    </Shell>
  );
}

function SettingsNavigation() {
  const { navigation } = usePageContext();
  const groups = SETTINGS_GROUPS.filter((name) => navigation.some(({ group }) => group === name));
  return (
    <nav class="settings-nav" aria-label="Settings">
      {groups.map((group) => (
        <SidebarGroup title={group} key={group}>
          <NavigationLinks group={group} />
          {group === 'Integrations' && <CurrentPageLink href="/docs" icon="list" label="API reference" />}
        </SidebarGroup>
      ))}
    </nav>
  );
}
