import { TICKET_PRIORITIES } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { type InboxQuery, inboxPath, queryFacts, toSearchParams } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { type Choice, toChoices } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import { Icon, type IconName } from '../../layers/ui/parts/icon.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { SNOOZE_CHOICES } from './snooze-times.js';
import { TAG_HINT } from './ticket-head.js';

export interface WholeSearch {
  /** In the order of the list. */
  readonly numbers: readonly number[];
  /** The search finds more tickets than these. */
  readonly capped: boolean;
}

interface BulkProps {
  readonly query: InboxQuery;
  readonly choices: TicketChoices;
}

/** The form lists the counted tickets, so tickets that match later are not changed. */
export function WholeSearchPage({ query, found: { numbers, capped }, choices }: BulkProps & { found: WholeSearch }) {
  const many = numbers.length === 1 ? '1 ticket' : `${numbers.length.toLocaleString('en')} tickets`;
  return (
    <PageLayout
      title="All search results"
      section="/inbox"
      intro={<a href={inboxPath(query)}>← Back to the list</a>}
      narrow
    >
      <FormAlert />
      {numbers.length === 0 ? (
        <EmptyState title="No ticket matches" />
      ) : (
        <section class="card stack" aria-labelledby="whole-search">
          <h2 id="whole-search">{capped ? `The first ${many}` : many}</h2>
          <dl class="facts">
            {queryFacts(query).map(([name, value]) => (
              <>
                <dt key={name}>{name}</dt>
                <dd class="break">{value}</dd>
              </>
            ))}
          </dl>
          <p>{`The action applies to ${capped ? 'these' : 'all'} ${many}. You can undo it.`}</p>
          <Form action="/tickets/bulk" class="stack whole-search" label={many}>
            <HiddenFields fields={{ back: toSearchParams(query), tickets: numbers.join(',') }} />
            <BulkActions query={query} choices={choices} />
          </Form>
        </section>
      )}
    </PageLayout>
  );
}

/** The style sheet shows it while a checkbox is checked. */
export function BulkBar({ query, choices, total }: BulkProps & { total: number | undefined }) {
  return (
    <Form action="/tickets/bulk" id="bulk" class="bulk" label="Selected tickets" swap="folders tickets toasts">
      <HiddenFields fields={{ back: toSearchParams(query) }} />
      <strong class="small" data-selected>
        Selected
      </strong>
      <button type="reset" class="plain slim" title="Clear the selection">
        ×
      </button>
      <BulkActions query={query} choices={choices}>
        <a href={`/tickets/bulk?${toSearchParams(query, { cursor: undefined })}`}>
          {total === undefined ? 'Select all results…' : `Select all ${total.toLocaleString('en')}…`}
        </a>
      </BulkActions>
    </Form>
  );
}

function BulkActions({ query: { folder }, choices, children }: BulkProps & { children?: ComponentChildren }) {
  const { me } = usePageContext();
  if (folder === 'deleted') return <BulkActionButton what="restore" label="Restore" />;
  const isDone = folder === 'closed' || folder === 'spam';
  const others = agentChoices(choices.agents.filter(({ email }) => email !== me.email));
  const assignees = [...agentChoices([me]), { value: 'unassigned', label: 'Unassigned' }, ...others];
  return (
    <>
      {/* The first button is the one that Enter presses in the tag field. */}
      <BulkActionButton what="tag" label="Tag" hidden />
      <BulkMenu label="Assign" icon="person" shortcut="a">
        <BulkChoice label="Assign" name="assignee" what="assign" choices={assignees} toMe={me.email} />
      </BulkMenu>
      <BulkMenu label="Tag" icon="tag" shortcut="t">
        <input
          name="tags"
          list="known-tags"
          placeholder="Tag"
          aria-label="Tag to add"
          title={TAG_HINT}
          maxLength={100}
          data-completes
        />
        <BulkActionButton what="tag" label="Tag" />
      </BulkMenu>
      <BulkMenu label="Priority" icon="flag" shortcut="p">
        <BulkChoice label="Priority" name="priority" what="priority" choices={PRIORITIES} />
      </BulkMenu>
      <BulkMenu label="Move" icon="mail" shortcut="v">
        <BulkChoice label="Move" name="mailbox" what="move" choices={[NOTHING, ...toChoices(choices.mailboxes)]} />
      </BulkMenu>
      {folder === 'snoozed' && <BulkActionButton what="wake" label="Wake" icon="clock" shortcut="s" />}
      {folder !== 'snoozed' && !isDone && (
        <BulkMenu label="Snooze" icon="clock" shortcut="s">
          <BulkChoice label="Snooze" name="until" what="snooze" choices={[NOTHING, ...SNOOZE_CHOICES]} />
        </BulkMenu>
      )}
      <BulkActionButton
        what={isDone ? 'reopen' : 'close'}
        label={isDone ? 'Reopen' : 'Close'}
        icon="check"
        shortcut="c"
      />
      <BulkMenu label="More" icon="more">
        {folder !== 'spam' && <BulkActionButton what="spam" label="Spam" />}
        <BulkActionButton what="delete" label="Delete" />
        {children}
      </BulkMenu>
    </>
  );
}

const NOTHING = { value: '', label: '–' };
const PRIORITIES = [
  NOTHING,
  ...TICKET_PRIORITIES.toReversed().map((value, index) => ({ value, label: value, digit: index + 1 })),
  { value: 'none', label: 'no priority', digit: 0 },
];

interface ActionProps {
  readonly label: string;
  readonly icon?: IconName;
  readonly shortcut?: string;
}

/** With an icon, the word is only for screen readers. */
function ActionLabel({ label, icon }: ActionProps) {
  if (!icon) return <>{label}</>;
  return (
    <>
      <Icon name={icon} />
      <span class="unseen">{label}</span>
    </>
  );
}

const actionTitle = ({ label, icon, shortcut }: ActionProps): string | undefined =>
  icon && (shortcut ? `${label} (${shortcut})` : label);

function BulkActionButton({ what, hidden = false, ...action }: ActionProps & { what: string; hidden?: boolean }) {
  return (
    <button
      type="submit"
      class="slim"
      name="do"
      value={what}
      title={actionTitle(action)}
      data-tool={action.shortcut}
      hidden={hidden}
    >
      <ActionLabel {...action} />
    </button>
  );
}

/** Opening one closes the others, because all have the same name. */
function BulkMenu({ children, ...action }: ActionProps & { children: ComponentChildren }) {
  return (
    <details class="menu" name="bulk" data-tool={action.shortcut}>
      <summary class="button slim" title={actionTitle(action)}>
        <ActionLabel {...action} />
      </summary>
      <div class="sheet stack">{children}</div>
    </details>
  );
}

interface BulkChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly what: string;
  readonly choices: readonly (Choice & { readonly digit?: number })[];
  readonly toMe?: string;
}

function BulkChoice({ label, name, what, choices, toMe }: BulkChoiceProps) {
  return (
    <>
      <select name={name} aria-label={`${label} to`} data-assign-me={toMe}>
        {choices.map(({ value, label: text, digit }) => (
          <option value={value} data-digit={digit} key={value}>
            {text}
          </option>
        ))}
      </select>
      <BulkActionButton what={what} label={label} />
    </>
  );
}
