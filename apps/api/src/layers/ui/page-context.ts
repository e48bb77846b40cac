import type { AuthenticatedSession } from '#libs/access';
import type { Counted } from '#libs/lists';
import type { FolderCounts, ListedView } from '#libs/tickets';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { IconName } from './parts/icon.js';
import type { FormState, PageNotice } from './page-response.js';
import type { Preferences } from './preferences.js';

export interface NavigationEntry {
  readonly group: 'People' | 'Settings';
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

export type RailView = ListedView & { readonly count: Counted | undefined };

/** The total includes views that are not shown. */
export type RailViews = { readonly shown: readonly RailView[]; readonly total: number };

export interface RailContent {
  readonly counts: FolderCounts;
  readonly views: RailViews;
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
}

export interface PageContextValue {
  readonly me: AuthenticatedSession & { readonly csrf: string };
  readonly now: Date;
  readonly path: string;
  readonly navigation: readonly NavigationEntry[];
  readonly preferences: Preferences;
  readonly notice: PageNotice | null;
  readonly form: FormState;
  /** Undefined on pages that load their own. */
  readonly rail: RailContent | undefined;
  /** Unread tickets that this person should look at. */
  readonly unread: number;
  readonly quarantinedMails: number;
  /** The version of the watched topics, read before everything else. */
  readonly version: string | undefined;
}

export const PageContext = createContext<PageContextValue | null>(null);

export function usePageContext(): PageContextValue {
  const pageContext = useContext(PageContext);
  if (!pageContext) throw new Error('This component is outside a page');
  return pageContext;
}
