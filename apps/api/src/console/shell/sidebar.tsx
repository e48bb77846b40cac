import type { ComponentChildren } from 'preact';
import { manages } from '#libs/entities';
import { usePageContext } from '../../pages/page-context.js';
import { FOLDERS, FOLDER_IDS, type FolderCounts } from '#libs/desk';
import { MAX_COUNTED_ROWS } from '#libs/lists';
import { type InboxQuery, parseInboxQuery, inboxPath } from '../inbox/inbox-query.js';
import { ActionButton } from '../../pages/parts/form.js';
import { Icon, type IconName } from '../../pages/parts/icon.js';

/** What the navigation shows of the inbox; pages that have nothing to do with it show the folders alone. */
export interface InboxSidebar {
  readonly counts: FolderCounts;
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
  readonly query: InboxQuery;
}

interface SidebarProps {
  readonly inbox?: InboxSidebar;
  /** The path of the page that is open. */
  readonly currentPath: string;
}

export function Sidebar({ inbox, currentPath }: SidebarProps) {
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
      {inbox && <InboxFilterLinks inbox={inbox} />}
      <Group title="People">
        <Item href="/customers" icon="person" currentPath={currentPath} label="Customers" />
      </Group>
      <Settings here={currentPath} />
      <SidebarFooter here={currentPath} />
    </nav>
  );
}

function Folders({ inbox }: { inbox?: InboxSidebar }) {
  const empty = parseInboxQuery({});
  return (
    <Group title="Folders" id="folders" live>
      {FOLDER_IDS.map((folder) => (
        <a
          class="item"
          href={inboxPath(empty, { folder })}
          aria-current={inbox?.query.folder === folder ? 'page' : undefined}
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
          {mailboxes.map((name) => (
            <InboxFilterLink
              href={inboxPath(open, { mailbox: name })}
              icon="mail"
              current={query.mailbox === name}
              key={name}
            >
              {name}
            </InboxFilterLink>
          ))}
        </Group>
      )}
      {tags.length > 0 && (
        <Group title="Tags">
          {tags.slice(0, 5).map((tag) => (
            <InboxFilterLink href={inboxPath(open, { tag })} icon="tag" current={query.tag === tag} key={tag}>
              {tag}
            </InboxFilterLink>
          ))}
        </Group>
      )}
    </>
  );
}

interface InboxFilterLinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly current: boolean;
  readonly children: string;
}

function InboxFilterLink({ href, icon, current, children }: InboxFilterLinkProps) {
  return (
    <a class="item" href={href} aria-current={current ? 'true' : undefined}>
      <Icon name={icon} />
      <span class="clip">{children}</span>
    </a>
  );
}

/** What a role may not do is not offered; the services refuse it in any case. */
function Settings({ here }: { here: string }) {
  const { me } = usePageContext();
  const mayManage = manages(me.role);
  return (
    <Group title="Settings">
      <Item href="/settings/agents" icon="people" currentPath={here} label="Agents" />
      {mayManage && <Item href="/settings/mailboxes" icon="mail" currentPath={here} label="Mailboxes" />}
      {mayManage && <Item href="/settings/groups" icon="people" currentPath={here} label="Groups" />}
      {mayManage && <Item href="/settings/webhooks" icon="bolt" currentPath={here} label="Webhooks" />}
      {mayManage && <Item href="/settings/applications" icon="plug" currentPath={here} label="Applications" />}
      {mayManage && <Item href="/settings/events" icon="list" currentPath={here} label="Events and audit" />}
      {me.role === 'owner' && <Item href="/settings/system" icon="pulse" currentPath={here} label="System" />}
    </Group>
  );
}

function SidebarFooter({ here }: { here: string }) {
  const { me } = usePageContext();
  return (
    <div class="rail-foot">
      <Item
        href="/profile"
        icon="gear"
        currentPath={here}
        label={`${me.firstName} ${me.lastName}`.trim() || me.email}
      />
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

interface ItemProps {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly currentPath: string;
}

function Item({ href, icon, label, currentPath }: ItemProps) {
  const current = currentPath === href || currentPath.startsWith(`${href}/`);
  return (
    <a class="item" href={href} aria-current={current ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="clip">{label}</span>
    </a>
  );
}
