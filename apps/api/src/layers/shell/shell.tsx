import type { ComponentChildren } from 'preact';
import { usePageContext } from '../ui/page-context.js';
import { HtmlDocument } from '../ui/layout.js';
import { Shortcuts, Toasts } from './overlays.js';
import { Sidebar } from './sidebar.js';

interface ShellProps {
  readonly title: string;
  /** The section of the console, if the address does not show it. */
  readonly section?: string;
  /** The links of the sidebar, on pages that load their own. */
  readonly links?: ComponentChildren;
  readonly watch?: string;
  /** A cheaper page with the same live parts, for refreshes. */
  readonly liveFrom?: string;
  readonly children: ComponentChildren;
}

export function Shell({ title, section, links, watch, liveFrom, children }: ShellProps) {
  const { me, preferences, version, sidebar } = usePageContext();
  return (
    <HtmlDocument title={title} theme={preferences.theme} badge={sidebar.badge} scripts>
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
        <Sidebar section={section} links={links} />
        {children}
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
