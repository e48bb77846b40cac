import { TICKET_PRIORITIES } from '#libs/entities';
import { type InboxQuery, inboxPath, queryFacts, toSearchParams } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { type Choice, SelectOptions, toChoices } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';

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
export function BulkBar({ query, choices }: BulkProps) {
  return (
    <Form action="/tickets/bulk" id="bulk" class="bulk" label="Selected tickets" swap="folders tickets toasts">
      <HiddenFields fields={{ back: toSearchParams(query) }} />
      <div class="row apart">
        <strong class="small" data-selected>
          Selected
        </strong>
        <a class="small" href={`/tickets/bulk?${toSearchParams(query, { cursor: undefined })}`}>
          Select all results…
        </a>
      </div>
      <BulkActions query={query} choices={choices} />
    </Form>
  );
}

function BulkActions({ query: { folder }, choices }: BulkProps) {
  const isDone = folder === 'closed' || folder === 'spam';
  const isDeleted = folder === 'deleted';
  const assignees = [{ value: 'unassigned', label: 'Unassigned' }, ...agentChoices(choices.agents)];
  return (
    <>
      <div class="row">
        <BulkActionButton what={isDone ? 'reopen' : 'close'} label={isDone ? 'Reopen' : 'Close'} />
        {folder !== 'spam' && !isDeleted && <BulkActionButton what="spam" label="Spam" />}
        <BulkActionButton what={isDeleted ? 'restore' : 'delete'} label={isDeleted ? 'Restore' : 'Delete'} />
      </div>
      <div class="row">
        <BulkActionMenu label="Assign" name="assignee" what="assign" choices={assignees} />
        <BulkActionMenu label="Move" name="mailbox" what="move" choices={toChoices(choices.mailboxes)} />
      </div>
      <div class="row">
        <BulkActionMenu label="Priority" name="priority" what="priority" choices={PRIORITIES} />
      </div>
      <div class="row">
        <input name="tags" list="known-tags" placeholder="Tag" aria-label="Tag to add" maxLength={100} />
        <BulkActionButton what="tag" label="Tag" />
      </div>
    </>
  );
}

const PRIORITIES = [...toChoices(TICKET_PRIORITIES.toReversed()), { value: 'none', label: 'no priority' }];

function BulkActionButton({ what, label }: { what: string; label: string }) {
  return (
    <button type="submit" class="slim" name="do" value={what}>
      {label}
    </button>
  );
}

interface MenuProps {
  readonly label: string;
  readonly name: string;
  readonly what: string;
  readonly choices: readonly Choice[];
}

function BulkActionMenu({ label, name, what, choices }: MenuProps) {
  return (
    <>
      <select name={name} aria-label={`${label} to`}>
        <SelectOptions choices={[{ value: '', label: '–' }, ...choices]} chosen={null} />
      </select>
      <BulkActionButton what={what} label={label} />
    </>
  );
}
