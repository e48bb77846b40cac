import type { ComponentChildren } from 'preact';
import { manages } from '#libs/entities';
import { useFrame } from '../../pages/frame.js';
import { FOLDERS, FOLDER_IDS, type FolderCounts } from '#libs/desk';
import { COUNTED_ROWS } from '#libs/lists';
import { type InboxQuery, inboxQuery, listPath } from '../inbox/inbox-query.js';
import { Action } from '../../pages/parts/form.js';
import { Icon, type IconName } from '../../pages/parts/icon.js';

/** What the navigation shows of the inbox; pages that have nothing to do with it show the folders alone. */
export interface InboxRail {
  readonly counts: FolderCounts;
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
  readonly query: InboxQuery;
}

interface RailProps {
  readonly inbox?: InboxRail;
  /** The path of the page that is open. */
  readonly here: string;
}

export function Rail({ inbox, here }: RailProps) {
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
      {inbox && <Narrowings inbox={inbox} />}
      <Group title="People">
        <Item href="/customers" icon="person" here={here} label="Customers" />
      </Group>
      <Settings here={here} />
      <Foot here={here} />
    </nav>
  );
}

function Folders({ inbox }: { inbox?: InboxRail }) {
  const empty = inboxQuery({});
  return (
    <Group title="Folders" id="folders" live>
      {FOLDER_IDS.map((folder) => (
        <a
          class="item"
          href={listPath(empty, { folder })}
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
    <span class="count">{of >= COUNTED_ROWS ? `${COUNTED_ROWS.toLocaleString('en')}+` : of.toLocaleString('en')}</span>
  ) : null;
}

function Narrowings({ inbox: { mailboxes, tags, query } }: { inbox: InboxRail }) {
  const open = inboxQuery({ folder: 'open' });
  return (
    <>
      {mailboxes.length > 1 && (
        <Group title="Mailboxes">
          {mailboxes.map((name) => (
            <Narrowing href={listPath(open, { mailbox: name })} icon="mail" current={query.mailbox === name} key={name}>
              {name}
            </Narrowing>
          ))}
        </Group>
      )}
      {tags.length > 0 && (
        <Group title="Tags">
          {tags.slice(0, 5).map((tag) => (
            <Narrowing href={listPath(open, { tag })} icon="tag" current={query.tag === tag} key={tag}>
              {tag}
            </Narrowing>
          ))}
        </Group>
      )}
    </>
  );
}

interface NarrowingProps {
  readonly href: string;
  readonly icon: IconName;
  readonly current: boolean;
  readonly children: string;
}

function Narrowing({ href, icon, current, children }: NarrowingProps) {
  return (
    <a class="item" href={href} aria-current={current ? 'true' : undefined}>
      <Icon name={icon} />
      <span class="clip">{children}</span>
    </a>
  );
}

/** What a role may not do is not offered; the services refuse it in any case. */
function Settings({ here }: { here: string }) {
  const { me } = useFrame();
  const mayManage = manages(me.role);
  return (
    <Group title="Settings">
      <Item href="/settings/agents" icon="people" here={here} label="Agents" />
      {mayManage && <Item href="/settings/mailboxes" icon="mail" here={here} label="Mailboxes" />}
      {mayManage && <Item href="/settings/groups" icon="people" here={here} label="Groups" />}
      {mayManage && <Item href="/settings/webhooks" icon="bolt" here={here} label="Webhooks" />}
      {mayManage && <Item href="/settings/applications" icon="plug" here={here} label="Applications" />}
      {mayManage && <Item href="/settings/events" icon="list" here={here} label="Events and audit" />}
      {me.role === 'owner' && <Item href="/settings/system" icon="pulse" here={here} label="System" />}
    </Group>
  );
}

function Foot({ here }: { here: string }) {
  const { me } = useFrame();
  return (
    <div class="rail-foot">
      <Item href="/profile" icon="gear" here={here} label={`${me.firstName} ${me.lastName}`.trim() || me.email} />
      <Action
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
  readonly here: string;
}

function Item({ href, icon, label, here }: ItemProps) {
  const current = here === href || here.startsWith(`${href}/`);
  return (
    <a class="item" href={href} aria-current={current ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="clip">{label}</span>
    </a>
  );
}
