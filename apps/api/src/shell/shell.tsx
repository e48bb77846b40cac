import type { ComponentChildren } from 'preact';
import { usePageContext } from '../ui/page-context.js';
import { HtmlDocument } from '../ui/layout.js';
import { Sidebar } from './sidebar.js';
import type { InboxSidebar } from './sidebar-views.js';
import { Shortcuts } from './shortcuts.js';
import { Toasts } from './toasts.js';

interface ShellProps {
  readonly title: string;
  /** The part of the console that the page belongs to, where its address does not say so. */
  readonly section?: string;
  readonly inbox?: InboxSidebar;
  /** The topics that the page watches while it is open. */
  readonly watch?: string;
  /** Another page that shows its live parts, where showing the whole page again costs much. */
  readonly liveFrom?: string;
  readonly children: ComponentChildren;
}

/** The frame of every page for people who are signed in: sidebar, page and toasts. */
export function Shell({ title, section, inbox, watch, liveFrom, children }: ShellProps) {
  const { me, preferences, version, unread } = usePageContext();
  return (
    <HtmlDocument title={title} theme={preferences.theme} unread={unread} scripts>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div
        class="shell"
        data-watch={watch}
        data-live-from={liveFrom}
        data-version={version}
        data-density={me.compactList ? 'compact' : 'comfortable'}
        data-shortcuts={preferences.shortcuts ? 'on' : 'off'}
      >
        <Sidebar section={section} {...(inbox && { inbox })} />
        {children}
      </div>
      <Toasts />
      <Shortcuts />
    </HtmlDocument>
  );
}

interface PageLayoutProps extends Omit<ShellProps, 'inbox' | 'children'> {
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly narrow?: boolean;
}

/** A page that is read from top to bottom. */
export function PageLayout({ title, intro, actions, children, narrow = false, ...shell }: PageLayoutProps) {
  return (
    <Shell title={title} {...shell}>
      {/* It scrolls, and a page of mere text has nothing else that keys could reach. */}
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
