import type { ComponentChildren } from 'preact';
import { type NavigationEntry, type RailContent, type RailView, usePageContext } from '../../pages/page-context.js';
import { FOLDERS, FOLDER_IDS } from '#libs/desk';
import { type Counted, MAX_COUNTED_ROWS } from '#libs/lists';
import { type InboxQuery, inboxPath, listQuery, parseInboxQuery } from '../inbox/inbox-query.js';
import { ActionButton } from '../../pages/parts/form.js';
import { HELD_MAIL_PATH } from '../held-mail/held-mail-path.js';
import { Icon, type IconName } from '../../pages/parts/icon.js';
import { UnreadMark } from './unread-mark.js';

/** What the sidebar shows of the inbox. Other pages have no query, so nothing of it is the current one. */
export interface InboxSidebar extends RailContent {
  readonly query?: InboxQuery;
}

interface SidebarProps {
  readonly inbox?: InboxSidebar;
  /** The part of the console that the page belongs to, where its address does not say so. */
  readonly section?: string | undefined;
}

export function Sidebar({ inbox: own, section }: SidebarProps) {
  const inbox = own ?? usePageContext().rail;
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
      <SidebarFooter />
    </nav>
  );
}

function Folders({ inbox }: { inbox?: InboxSidebar }) {
  /** A search keeps its words when the folder changes. */
  const empty = { ...parseInboxQuery({}), q: inbox?.query?.q };
  const isView = inbox !== undefined && shownView(inbox) !== undefined;
  return (
    <Group title="Folders" id="folders" live>
      <UnreadMark />
      {FOLDER_IDS.map((folder) => (
        <a
          class="item"
          href={inboxPath(empty, { folder })}
          aria-current={inbox && !isView && inbox.query?.folder === folder ? 'page' : undefined}
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

/** The view whose list the page shows. */
export const shownView = ({ views, query }: InboxSidebar): RailView | undefined =>
  query && views.shown.find((view) => view.query === listQuery(query));

/** Without any there is nothing to say: a search offers to be kept. */
function SavedViews({ inbox, section }: { inbox: InboxSidebar; section: string | undefined }) {
  const { shown, total } = inbox.views;
  const current = shownView(inbox);
  if (total === 0) return null;
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
      <PageItem href="/views" icon="list" label={total > shown.length ? `All ${total} views` : 'All views'} section={section} />
    </Group>
  );
}

/** There are so many at least where more was not counted. */
function ViewCount({ of }: { of: Counted | undefined }) {
  if (!of || (of.total === 0 && !of.capped)) return null;
  return <span class="count">{of.capped ? `${of.total}+` : of.total}</span>;
}

function Count({ of }: { of: number | undefined }) {
  return of ? (
    <span class="count">
      {of >= MAX_COUNTED_ROWS ? `${MAX_COUNTED_ROWS.toLocaleString('en')}+` : of.toLocaleString('en')}
    </span>
  ) : null;
}

function InboxFilterLinks({ inbox: { mailboxes, tags, query } }: { inbox: InboxSidebar }) {
  const open = parseInboxQuery({ folder: 'open' });
  return (
    <>
      {mailboxes.length > 1 && (
        <Group title="Mailboxes">
          {mailboxes.map((mailbox) => (
            <Item
              href={inboxPath(open, { mailbox })}
              icon="mail"
              label={mailbox}
              current={query?.mailbox === mailbox ? 'true' : undefined}
              key={mailbox}
            />
          ))}
        </Group>
      )}
      {tags.length > 0 && (
        <Group title="Tags">
          {tags.slice(0, 5).map((tag) => (
            <Item
              href={inboxPath(open, { tag })}
              icon="tag"
              label={tag}
              current={query?.tag === tag ? 'true' : undefined}
              key={tag}
            />
          ))}
        </Group>
      )}
    </>
  );
}

/** Held mail is there as long as some is held. */
function NavigationGroup({ title, section }: { title: NavigationEntry['group']; section: string | undefined }) {
  const { navigation, heldMails } = usePageContext();
  const countOf = ({ href }: NavigationEntry) => (href === HELD_MAIL_PATH ? heldMails : undefined);
  const entries = navigation.filter((entry) => entry.group === title && countOf(entry) !== 0);
  return (
    <Group title={title}>
      {entries.map((entry) => (
        <PageItem {...entry} count={countOf(entry)} section={section} key={entry.href} />
      ))}
    </Group>
  );
}

function SidebarFooter() {
  const { me } = usePageContext();
  return (
    <div class="rail-foot">
      <PageItem href="/profile" icon="gear" label={`${me.firstName} ${me.lastName}`.trim() || me.email} />
      <ActionButton
        to="/sign-out"
        class="plain"
        label={
          <>
            <Icon name="leave" />
            Sign out
          </>
        }
      />
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly id?: string;
  readonly live?: boolean;
}

function Group({ title, children, id, live = false }: GroupProps) {
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

/** Current on the page that it leads to, and on those below it. */
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
