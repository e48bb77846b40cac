import { type Counted, MAX_COUNTED_ROWS } from '#libs/lists';
import { FOLDERS, FOLDER_IDS } from '#libs/tickets';
import type { ComponentChildren } from 'preact';
import { iconUrl, titleWithUnread } from '../ui/layout.js';
import { type NavigationEntry, type RailContent, type RailView, usePageContext } from '../ui/page-context.js';
import { ActionButton } from '../ui/parts/form.js';
import { Icon, type IconName } from '../ui/parts/icon.js';
import { type InboxQuery, inboxPath, listQuery, parseInboxQuery } from './inbox-query.js';
import { QUARANTINE_PATH } from './navigation.js';

/** Pages outside the inbox have no query, so no link is the current one. */
export interface InboxSidebar extends RailContent {
  readonly query?: InboxQuery;
}

export const shownView = ({ views, query }: InboxSidebar): RailView | undefined =>
  query && views.shown.find((view) => view.query === listQuery(query));

export function Sidebar({ inbox: own, section }: { inbox?: InboxSidebar; section?: string | undefined }) {
  const { me, rail } = usePageContext();
  const inbox = own ?? rail;
  return (
    <nav class="rail" aria-label="Main">
      <div class="rail-top">
        <a class="brand" href="/inbox">
          <Icon name="box" />
          Deskwire
        </a>
        <label class="menu-toggle">
          <input type="checkbox" class="unseen" aria-label="Show the navigation" />
          <Icon name="menu" />
          Menu
        </label>
      </div>
      <a class="button primary" href="/tickets/new">
        <Icon name="plus" />
        New ticket
      </a>
      <Folders {...(inbox && { inbox })} />
      {inbox && <SavedViews inbox={inbox} section={section} />}
      {inbox && <InboxFilterLinks inbox={inbox} />}
      <NavigationGroup title="People" section={section} />
      <NavigationGroup title="Settings" section={section} />
      <div class="rail-foot">
        <PageItem href="/profile" icon="gear" label={`${me.firstName} ${me.lastName}`.trim() || me.email} />
        <ActionButton to="/sign-out" class="plain" label={[<Icon key="leave" name="leave" />, 'Sign out']} />
      </div>
    </nav>
  );
}

function Folders({ inbox }: { inbox?: InboxSidebar }) {
  const empty = { ...parseInboxQuery({}), q: inbox?.query?.q };
  const isView = inbox !== undefined && shownView(inbox) !== undefined;
  return (
    <Group title="Folders" id="folders" live>
      <UnreadMark />
      {FOLDER_IDS.map((folder) => (
        <a
          class="item"
          href={inboxPath(empty, { folder })}
          aria-current={!isView && inbox?.query?.folder === folder ? 'page' : undefined}
          data-folder={folder}
          key={folder}
        >
          {FOLDERS[folder].name}
          <Count of={inbox?.counts[folder]} />
        </a>
      ))}
    </Group>
  );
}

function SavedViews({ inbox, section }: { inbox: InboxSidebar; section: string | undefined }) {
  const { shown, total } = inbox.views;
  const current = shownView(inbox);
  if (total === 0) return null;
  const all = total > shown.length ? `All ${total} views` : 'All views';
  return (
    <Group title="Views" id="views" live>
      {shown.map((view) => (
        <a
          class="item"
          href={`/inbox?${view.query}`}
          aria-current={view === current ? 'page' : undefined}
          title={view.agentId === null ? `${view.name} (for everybody)` : view.name}
          data-view={view.id}
          key={view.id}
        >
          <Icon name={view.agentId === null ? 'people' : 'person'} />
          <span class="clip" dir="auto">
            {view.name}
          </span>
          <ViewCount of={view.count} />
        </a>
      ))}
      <PageItem href="/views" icon="list" label={all} section={section} />
    </Group>
  );
}

function ViewCount({ of }: { of: Counted | undefined }) {
  if (!of || (of.total === 0 && !of.capped)) return null;
  return <span class="count">{of.capped ? `${of.total}+` : of.total}</span>;
}

function InboxFilterLinks({ inbox: { mailboxes, tags, query } }: { inbox: InboxSidebar }) {
  const open = parseInboxQuery({ folder: 'open' });
  const links = (name: 'mailbox' | 'tag', icon: IconName, values: readonly string[]) =>
    values.map((value) => {
      const current = query?.[name] === value ? 'true' : undefined;
      return <Item href={inboxPath(open, { [name]: value })} icon={icon} label={value} current={current} key={value} />;
    });
  return (
    <>
      {mailboxes.length > 1 && <Group title="Mailboxes">{links('mailbox', 'mail', mailboxes)}</Group>}
      {tags.length > 0 && <Group title="Tags">{links('tag', 'tag', tags.slice(0, 5))}</Group>}
    </>
  );
}

/** The link to the quarantine is only shown while it has mails. */
function NavigationGroup({ title, section }: { title: NavigationEntry['group']; section: string | undefined }) {
  const { navigation, quarantinedMails } = usePageContext();
  const countOf = ({ href }: NavigationEntry) => (href === QUARANTINE_PATH ? quarantinedMails : undefined);
  const entries = navigation.filter((entry) => entry.group === title && countOf(entry) !== 0);
  return (
    <Group title={title}>
      {entries.map((entry) => (
        <PageItem {...entry} count={countOf(entry)} section={section} key={entry.href} />
      ))}
    </Group>
  );
}

function Group(props: { title: string; children: ComponentChildren; id?: string; live?: boolean }) {
  const { title, children, id, live = false } = props;
  return (
    <section class="rail-group" aria-label={title} id={id} data-live={live || undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface LinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Current on its page and on the pages below it. */
function PageItem({ section, ...link }: LinkProps & { section?: string | undefined }) {
  const { path } = usePageContext();
  const current = `${section ?? path}/`.startsWith(`${link.href}/`);
  return <Item {...link} current={current ? 'page' : undefined} />;
}

function Item({ href, icon, label, count, current }: LinkProps & { current: 'page' | 'true' | undefined }) {
  return (
    <a class="item" href={href} aria-current={current}>
      <Icon name={icon} />
      <span class="clip">{label}</span>
      <Count of={count} />
    </a>
  );
}

function Count({ of }: { of: number | undefined }) {
  return of ? (
    <span class="count">
      {of >= MAX_COUNTED_ROWS ? `${MAX_COUNTED_ROWS.toLocaleString('en')}+` : of.toLocaleString('en')}
    </span>
  ) : null;
}

/** Title and icon of the tab, for the script to set when the page is refreshed. */
export function UnreadMark() {
  const { unread } = usePageContext();
  return <span id="unread" data-title={titleWithUnread('', unread)} data-icon={iconUrl(unread)} hidden />;
}
