import type { ComponentChildren } from 'preact';
import { usePageContext } from '../ui/page-context.js';
import { HtmlDocument } from '../ui/layout.js';
import { Shortcuts, Toasts } from './overlays.js';
import { type InboxSidebar, Sidebar } from './sidebar.js';

interface ShellProps {
  readonly title: string;
  /** The section of the console, if the address does not show it. */
  readonly section?: string;
  readonly inbox?: InboxSidebar;
  readonly watch?: string;
  /** A cheaper page with the same live parts, for refreshes. */
  readonly liveFrom?: string;
  readonly children: ComponentChildren;
}

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

interface PageLayoutProps extends Omit<ShellProps, 'inbox'> {
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly narrow?: boolean;
}

export function PageLayout({ title, intro, actions, children, narrow = false, ...shell }: PageLayoutProps) {
  return (
    <Shell title={title} {...shell}>
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
