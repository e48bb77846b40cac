import type { Counted } from '#libs/lists';
import { FOLDERS, FOLDER_IDS, type FolderCounts, type FolderId, type ListedView } from '#libs/tickets';
import { Icon, type IconName } from '../../layers/ui/parts/icon.js';
import { type InboxQuery, inboxPath, listQuery, parseInboxQuery } from '../inbox-query.js';
import { CurrentPageLink, NavigationLinks, SidebarGroup, SidebarLink } from '../../layers/shell/sidebar-parts.js';
import { TabBadge } from '../../layers/shell/tab-badge.js';

type SidebarView = ListedView & { readonly count: Counted | undefined };

/** The total includes views that are not shown. */
export type SidebarViews = { readonly shown: readonly SidebarView[]; readonly total: number };

export interface InboxLists {
  readonly counts: FolderCounts;
  readonly views: SidebarViews;
  /** Those of the agent. */
  readonly groups: readonly SidebarView[];
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
}

/** Pages outside the inbox have no query, so no link is the current one. */
interface ShownLists extends InboxLists {
  readonly query?: InboxQuery;
}

/** A group counts as a view. */
export const shownView = ({ views, groups, query }: ShownLists): SidebarView | undefined =>
  query && [...groups, ...views.shown].find((view) => view.query === listQuery(query));

/** Without the lists, the folders have no counts. */
export function InboxSidebar({ lists }: { lists: ShownLists | undefined }) {
  return (
    <>
      <a class="button primary" href="/tickets/new">
        <Icon name="plus" />
        New ticket
      </a>
      <Folders lists={lists} />
      {lists && <Groups lists={lists} />}
      {lists && <SavedViews lists={lists} />}
      {lists && <InboxFilterLinks lists={lists} />}
    </>
  );
}

const FOLDER_ICONS: Readonly<Record<FolderId, IconName>> = {
  needs_reply: 'reply',
  unassigned: 'box',
  mine: 'person',
  mentioned: 'at',
  open: 'list',
  snoozed: 'clock',
  closed: 'check',
  spam: 'ban',
  deleted: 'trash',
};

function Folders({ lists }: { lists: ShownLists | undefined }) {
  const empty = parseInboxQuery({});
  const isView = lists !== undefined && shownView(lists) !== undefined;
  return (
    <SidebarGroup title="Folders" id="folders">
      <TabBadge />
      {FOLDER_IDS.map((folder) => (
        <SidebarLink
          href={inboxPath(empty, { folder })}
          icon={FOLDER_ICONS[folder]}
          label={FOLDERS[folder].name}
          count={lists?.counts[folder]}
          current={!isView && lists?.query?.folder === folder}
          data-folder={folder}
          key={folder}
        />
      ))}
      <NavigationLinks group="Folders" />
    </SidebarGroup>
  );
}

/** Hidden while it is empty, so that it can appear in an open page. */
function Groups({ lists }: { lists: ShownLists }) {
  return (
    <SidebarGroup title="Groups" id="groups" hidden={lists.groups.length === 0}>
      <ViewLinks views={lists.groups} lists={lists} />
    </SidebarGroup>
  );
}

function SavedViews({ lists }: { lists: ShownLists }) {
  const { shown, total } = lists.views;
  if (total === 0) return null;
  const all = total > shown.length ? `All ${total} views` : 'All views';
  return (
    <SidebarGroup title="Views" id="views">
      <ViewLinks views={shown} lists={lists} shared=" (for everyone)" />
      <CurrentPageLink href="/views" icon="list" label={all} />
    </SidebarGroup>
  );
}

interface ViewLinksProps {
  readonly views: readonly SidebarView[];
  readonly lists: ShownLists;
  readonly shared?: string;
}

function ViewLinks({ views, lists, shared = '' }: ViewLinksProps) {
  return views.map((view) => (
    <SidebarLink
      href={`/inbox?${view.query}`}
      icon={view.agentId === null ? 'people' : 'person'}
      label={view.name}
      count={view.count}
      current={view === shownView(lists)}
      title={view.agentId === null ? `${view.name}${shared}` : view.name}
      data-view={view.id || undefined}
      key={view.query}
    />
  ));
}

function InboxFilterLinks({ lists: { mailboxes, tags, query } }: { lists: ShownLists }) {
  const open = parseInboxQuery({ folder: 'open' });
  const links = (name: 'mailbox' | 'tag', icon: IconName, values: readonly string[]) =>
    values.map((value) => (
      <SidebarLink
        href={inboxPath(open, { [name]: value })}
        icon={icon}
        label={value}
        current={query?.[name] === value}
        key={value}
      />
    ));
  return (
    <>
      {mailboxes.length > 1 && <SidebarGroup title="Mailboxes">{links('mailbox', 'mail', mailboxes)}</SidebarGroup>}
      {tags.length > 0 && <SidebarGroup title="Tags">{links('tag', 'tag', tags.slice(0, 5))}</SidebarGroup>}
    </>
  );
}
