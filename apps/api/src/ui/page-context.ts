import type { AuthenticatedSession } from '#libs/access';
import type { Counted } from '#libs/lists';
import type { FolderCounts, KeptView } from '#libs/tickets';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { IconName } from './parts/icon.js';
import type { FormState, PageNotice } from './page-response.js';
import type { Preferences } from './preferences.js';

/** The person who looks at the page, with the CSRF token of their forms. */
interface Viewer extends AuthenticatedSession {
  readonly csrf: string;
}

/** A link of the sidebar. */
export interface NavigationEntry {
  readonly group: 'People' | 'Settings';
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

/** A list of tickets that is kept under a name. */
export interface RailView extends KeptView {
  /** Nothing while it was not counted. */
  readonly count: Counted | undefined;
}

export interface RailViews {
  /** Those that there is room for. */
  readonly shown: readonly RailView[];
  /** How many there are. */
  readonly total: number;
}

/** The mailboxes, tags, views and counts beside every page. */
export interface RailContent {
  readonly counts: FolderCounts;
  readonly views: RailViews;
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
}

/** What any part of a page may need. It is handed down once instead of from part to part. */
export interface PageContextValue {
  readonly me: Viewer;
  readonly now: Date;
  readonly path: string;
  /** The pages that this person may open. */
  readonly navigation: readonly NavigationEntry[];
  readonly preferences: Preferences;
  /** The result of the last action. */
  readonly notice: PageNotice | null;
  readonly form: FormState;
  /** What the rail says of the inbox, on pages that do not load it themselves. */
  readonly rail: RailContent | undefined;
  /** Tickets that wait to be read by this person, for the title and the icon. */
  readonly unread: number;
  /** How many mails wait for a person. */
  readonly heldMails: number;
  /** The version of what the page watches, asked before anything else was read for it. */
  readonly version: string | undefined;
}

export const PageContext = createContext<PageContextValue | null>(null);

export function usePageContext(): PageContextValue {
  const pageContext = useContext(PageContext);
  if (!pageContext) throw new Error('This part stands outside a page');
  return pageContext;
}
