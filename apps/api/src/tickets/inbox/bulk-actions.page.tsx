import type { ComponentChildren } from 'preact';
import { type InboxQuery, inboxPath, queryFacts, toSearchParams } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { Facts } from '../../layers/ui/parts/facts.js';
import { type Choice, Field, toChoices } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import { Icon, type IconName } from '../../layers/ui/parts/icon.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { SNOOZE_CHOICES } from './snooze-times.js';
import { PRIORITY_CHOICES, TagInput } from './ticket-tools.js';

interface BulkProps {
  readonly query: InboxQuery;
  readonly choices: TicketChoices;
}

export interface WholeSearch {
  /** In the order of the list. */
  readonly numbers: readonly number[];
  /** The search finds more tickets than these. */
  readonly capped: boolean;
}

interface WholeSearchProps extends BulkProps {
  readonly found: WholeSearch;
  /** The tag to rename, or empty. */
  readonly tag: string;
}

/** The form lists the counted tickets, so tickets that match later are not changed. */
export function WholeSearchPage({ query, found: { numbers, capped }, choices, tag }: WholeSearchProps) {
  const many = numbers.length === 1 ? '1 ticket' : `${numbers.length.toLocaleString('en')} tickets`;
  return (
    <PageLayout
      title={tag ? 'Rename tag' : 'All search results'}
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
          <Facts of={queryFacts(query)} />
          <p>{`The action applies to ${capped ? 'these' : 'all'} ${many}. You can undo it.`}</p>
          <Form action="/tickets/bulk" class="row whole-search" label={many}>
            <HiddenFields fields={{ back: toSearchParams(query), tickets: numbers.join(',') }} />
            {tag ? <RenameTag tag={tag} /> : <BulkActions query={query} choices={choices} />}
          </Form>
        </section>
      )}
    </PageLayout>
  );
}

const RenameTag = ({ tag }: { tag: string }) => (
  <>
    <HiddenFields fields={{ tag }} />
    <Field label={`New name of “${tag}”`} name="to" required hint="If another tag has this name, the two are merged." />
    <BulkButton what="rename" label="Rename" />
  </>
);

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
  if (folder === 'deleted') return <BulkButton what="restore" label="Restore" />;
  const isDone = folder === 'closed' || folder === 'spam';
  const others = agentChoices(choices.agents.filter(({ email }) => email !== me.email));
  const assignees = [...agentChoices([me]), { value: 'unassigned', label: 'Unassigned' }, ...others];
  const mailboxes = [NOTHING, ...toChoices(choices.mailboxes)];
  return (
    <>
      {/* Enter in the tag field presses the first button. */}
      <BulkButton what="tag" label="Tag" hidden />
      <BulkSelect what="assign" label="Assign" icon="person" tool="a" name="assignee" choices={assignees} />
      <BulkMenu label="Tag" icon="tag" tool="t">
        <TagInput aria-label="Tag to add" placeholder="Tag" />
        <BulkButton what="tag" label="Tag" />
      </BulkMenu>
      <BulkSelect what="priority" label="Priority" icon="flag" tool="p" name="priority" choices={PRIORITIES} />
      <BulkSelect what="move" label="Move" icon="mail" tool="v" name="mailbox" choices={mailboxes} />
      {folder === 'snoozed' ? (
        <BulkButton what="wake" label="Wake" icon="clock" tool="s" />
      ) : (
        !isDone && <BulkSelect what="snooze" label="Snooze" icon="clock" tool="s" name="until" choices={SNOOZES} />
      )}
      <BulkButton what={isDone ? 'reopen' : 'close'} label={isDone ? 'Reopen' : 'Close'} icon="check" tool="c" />
      <BulkMenu label="More" icon="more">
        {folder !== 'spam' && <BulkButton what="spam" label="Spam" />}
        <BulkButton what="merge" label="Merge…" tool="m" />
        <BulkButton what="delete" label="Delete" />
        {children}
      </BulkMenu>
    </>
  );
}

const NOTHING = { value: '', label: '–' };
const SNOOZES = [NOTHING, ...SNOOZE_CHOICES];
const PRIORITIES = [NOTHING, ...PRIORITY_CHOICES];

interface ActionProps {
  readonly label: string;
  /** The word is then only for screen readers. */
  readonly icon?: IconName;
  /** The shortcut. */
  readonly tool?: string;
}

const ActionLabel = ({ label, icon }: ActionProps) => (
  <>
    {icon && <Icon name={icon} />}
    <span class={icon && 'unseen'}>{label}</span>
  </>
);

const titleOf = ({ label, icon, tool }: ActionProps) => icon && (tool ? `${label} (${tool})` : label);

function BulkButton({ what, hidden, ...action }: ActionProps & { what: string; hidden?: boolean }) {
  const attributes = { title: titleOf(action), 'data-tool': action.tool, hidden };
  return (
    <button type="submit" class="slim" name="do" value={what} {...attributes}>
      <ActionLabel {...action} />
    </button>
  );
}

/** Opening one closes the others, because all have the same name. */
function BulkMenu({ children, ...action }: ActionProps & { children: ComponentChildren }) {
  return (
    <details class="menu" name="bulk" data-tool={action.tool}>
      <summary class="button slim" title={titleOf(action)}>
        <ActionLabel {...action} />
      </summary>
      <div class="sheet stack">{children}</div>
    </details>
  );
}

interface SelectProps extends ActionProps {
  readonly what: string;
  readonly name: string;
  readonly choices: readonly (Choice & { readonly digit?: number })[];
}

function BulkSelect({ what, name, choices, ...action }: SelectProps) {
  return (
    <BulkMenu {...action}>
      <select name={name} aria-label={`${action.label} to`}>
        {choices.map(({ value, label, digit }) => (
          <option value={value} data-digit={digit} key={value}>
            {label}
          </option>
        ))}
      </select>
      <BulkButton what={what} label={action.label} />
    </BulkMenu>
  );
}
