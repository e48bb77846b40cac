import { TICKET_PRIORITIES } from '#libs/entities';
import { type InboxQuery, toSearchParams } from '../../shell/inbox-query.js';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';
import { agentChoices } from '../../ui/agent-name.js';
import { type Choice, SelectOptions, toChoices } from '../../ui/parts/fields.js';
import { Form, HiddenFields } from '../../ui/parts/form.js';

/** The style sheet shows it while a checkbox is checked. */
export function BulkBar({ query, choices }: { query: InboxQuery; choices: TicketChoices }) {
  return (
    <Form action="/tickets/bulk" id="bulk" class="bulk" label="Selected tickets" swap="folders tickets toasts">
      <HiddenFields fields={{ back: toSearchParams(query) }} />
      <div class="row apart">
        <strong class="small" data-selected>
          Selected
        </strong>
        <a class="small" href={`/tickets/bulk?${toSearchParams(query, { cursor: undefined })}`}>
          All of this search…
        </a>
      </div>
      <BulkActions query={query} choices={choices} />
    </Form>
  );
}

export function BulkActions({ query, choices }: { query: InboxQuery; choices: TicketChoices }) {
  const assignees = [{ value: 'unassigned', label: 'Nobody' }, ...agentChoices(choices.agents)];
  return (
    <>
      <div class="row">
        {query.folder === 'closed' || query.folder === 'spam' ? (
          <BulkActionButton what="reopen" label="Re-open" />
        ) : (
          <BulkActionButton what="close" label="Close" />
        )}
        {query.folder !== 'spam' && query.folder !== 'deleted' && <BulkActionButton what="spam" label="Spam" />}
        {query.folder === 'deleted' ? (
          <BulkActionButton what="restore" label="Restore" />
        ) : (
          <BulkActionButton what="delete" label="Delete" />
        )}
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
