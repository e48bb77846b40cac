import type { AuthenticatedSession } from '#libs/access';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { IconName } from './parts/icon.js';
import type { FormState, PageNotice } from './page-response.js';
import type { Preferences } from './preferences.js';

/** The groups of the settings, in the order of their navigation. */
export const SETTINGS_GROUPS = ['Account', 'Email', 'Team', 'Integrations', 'Activity'] as const;

export interface NavigationEntry {
  readonly group: 'Folders' | 'People' | (typeof SETTINGS_GROUPS)[number];
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

export interface SidebarContent {
  /** Above the navigation. Pages may show their own instead. */
  readonly links: ComponentChildren;
  /** By the address of a navigation entry. An entry with 0 is hidden. */
  readonly counts: Readonly<Record<string, number>>;
  /** The number on the title and the icon of the tab. */
  readonly badge: number;
}

export interface PageContextValue {
  readonly me: AuthenticatedSession & { readonly csrf: string };
  readonly now: Date;
  readonly path: string;
  readonly navigation: readonly NavigationEntry[];
  readonly preferences: Preferences;
  readonly notice: PageNotice | null;
  readonly form: FormState;
  readonly sidebar: SidebarContent;
  /** The version of the watched topics, read before everything else. */
  readonly version: string | undefined;
}

export const PageContext = createContext<PageContextValue | null>(null);

export function usePageContext(): PageContextValue {
  const pageContext = useContext(PageContext);
  if (!pageContext) throw new Error('This component is outside a page');
  return pageContext;
}
