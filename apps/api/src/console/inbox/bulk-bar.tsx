import type { Choice } from '../../pages/parts/form.js';
import { Form, Hidden, Options } from '../../pages/parts/form.js';
import type { Choices } from './choices.js';
import { agentChoices, same } from './filters.js';
import { type InboxQuery, searchOf } from './inbox-query.js';

/** Shown by the style sheet as soon as a ticket is ticked. The checkboxes belong to this form by its id. */
export function BulkBar({ query, choices }: { query: InboxQuery; choices: Choices }) {
  const assignees = [{ value: 'unassigned', label: 'Nobody' }, ...agentChoices(choices.agents)];
  return (
    <Form action="/tickets/bulk" id="bulk" class="bulk" label="Selected tickets" swap="folders tickets toasts">
      <Hidden fields={{ back: searchOf(query) }} />
      <div class="row">
        <strong class="small" data-selected>
          Selected
        </strong>
        <Do what="close" label="Close" />
        {query.folder === 'deleted' ? <Do what="restore" label="Restore" /> : <Do what="delete" label="Delete" />}
      </div>
      <div class="row">
        <Menu label="Assign" name="assignee" what="assign" choices={assignees} />
        <Menu label="Move" name="mailbox" what="move" choices={same(choices.mailboxes)} />
      </div>
      <div class="row">
        <input name="tags" list="known-tags" placeholder="Tag" aria-label="Tag to add" maxLength={100} />
        <Do what="tag" label="Tag" />
      </div>
    </Form>
  );
}

function Do({ what, label }: { what: string; label: string }) {
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

function Menu({ label, name, what, choices }: MenuProps) {
  return (
    <>
      <select name={name} aria-label={`${label} to`}>
        <Options choices={choices} chosen={null} />
      </select>
      <Do what={what} label={label} />
    </>
  );
}
