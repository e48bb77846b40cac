import { TICKET_PRIORITIES, type Ticket } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { usePageContext } from '../../pages/page-context.js';
import { ConfirmDialog } from '../../pages/parts/dialog.js';
import { ActionButton, Form, HiddenFields, SelectOptions, toChoices } from '../../pages/parts/form.js';
import { PriorityPill } from '../../pages/parts/indicators.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { type InboxQuery, toSearchParams } from './inbox-query.js';
import { SWAPPED_PARTS } from './ticket-tags.js';
import { agentName, agentChoices } from '../people/agent-name.js';

export interface ToolProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
}

/** The browser opens and closes it. All have the same name, so that opening one closes the others. */
function Tool({
  label,
  shortcut,
  children,
}: {
  label: ComponentChildren;
  shortcut?: string;
  children: ComponentChildren;
}) {
  return (
    <details class="menu" name="tool" data-tool={shortcut}>
      <summary class="button slim">{label}</summary>
      <div class="sheet">{children}</div>
    </details>
  );
}

export function Assign({ ticket, query, choices }: ToolProps & { choices: TicketChoices }) {
  const { me } = usePageContext();
  const { assignee, assignedGroup } = ticket;
  const to = `/tickets/${ticket.number}/assign`;
  const owner = [assignee && agentName(assignee), assignedGroup?.name].filter(Boolean).join(' · ');
  return (
    <Tool label={owner ? `Assigned to ${owner}` : 'Assign'} shortcut="a">
      <div class="stack">
        <Form action={to} swap={SWAPPED_PARTS} class="stack" label="Assign">
          <HiddenFields fields={{ back: toSearchParams(query) }} />
          <label class="field">
            Agent
            <select name="assignee">
              <SelectOptions
                choices={[{ value: 'unassigned', label: 'Nobody' }, ...agentChoices(choices.agents)]}
                chosen={assignee?.email ?? 'unassigned'}
              />
            </select>
          </label>
          <label class="field">
            Group
            <select name="assigned_group">
              <SelectOptions
                choices={[{ value: 'none', label: 'None' }, ...toChoices(choices.groups)]}
                chosen={assignedGroup?.name ?? 'none'}
              />
            </select>
          </label>
          <button type="submit" class="primary">
            Assign
          </button>
        </Form>
        {assignee?.id !== me.agentId && (
          <ActionButton
            to={to}
            swap={SWAPPED_PARTS}
            label="Assign to me"
            fields={{ back: toSearchParams(query), assignee: me.email, assigned_group: assignedGroup?.name ?? 'none' }}
          />
        )}
      </div>
    </Tool>
  );
}

export function Priority({ ticket, query }: ToolProps) {
  const { priority, number } = ticket;
  return (
    <Tool label={priority ? <PriorityPill priority={priority} /> : 'Priority'} shortcut="p">
      <Form action={`/tickets/${number}/priority`} swap={SWAPPED_PARTS} class="stack" label="Priority">
        <HiddenFields fields={{ back: toSearchParams(query) }} />
        {TICKET_PRIORITIES.toReversed().map((value) => (
          <button type="submit" name="priority" value={value} aria-pressed={value === priority} key={value}>
            {value}
          </button>
        ))}
        <button type="submit" name="priority" value="none" aria-pressed={priority === null}>
          no priority
        </button>
      </Form>
    </Tool>
  );
}

export function Move({ ticket, query, choices }: ToolProps & { choices: TicketChoices }) {
  return (
    <Tool label={`In ${ticket.mailbox.name}`} shortcut="v">
      <Form action={`/tickets/${ticket.number}/move`} swap={SWAPPED_PARTS} class="stack" label="Move">
        <HiddenFields fields={{ back: toSearchParams(query) }} />
        <label class="field">
          Mailbox
          <select name="mailbox">
            <SelectOptions choices={toChoices(choices.mailboxes)} chosen={ticket.mailbox.name} />
          </select>
        </label>
        <button type="submit" class="primary">
          Move
        </button>
      </Form>
    </Tool>
  );
}

export function MoreMenu({ ticket, query }: ToolProps) {
  const { number, state, title } = ticket;
  const back = toSearchParams(query);
  return (
    <Tool label="More">
      <div class="stack">
        <Form action={`/tickets/${number}/title`} swap={SWAPPED_PARTS} class="stack" label="Subject">
          <HiddenFields fields={{ back }} />
          <label class="field">
            Subject
            <input name="title" value={title ?? ''} maxLength={500} />
          </label>
          <button type="submit">Save subject</button>
        </Form>
        <hr />
        {(['unread', 'pending', 'spam'] as const)
          .filter((other) => other !== state)
          .map((other) => (
            <ActionButton
              to={`/tickets/${number}/state`}
              label={STATE_ACTIONS[other]}
              class="plain"
              fields={{ back, state: other }}
              swap={SWAPPED_PARTS}
              key={other}
            />
          ))}
        <ConfirmDialog
          id="delete-ticket"
          opener="Delete…"
          openerClass="plain danger"
          title={`Delete ticket #${number}?`}
          action={`/tickets/${number}/delete`}
          fields={{ back }}
          confirm="Delete ticket"
        >
          <p>It goes to the folder Deleted. It can be restored there for 30 days; then it is gone for good.</p>
        </ConfirmDialog>
      </div>
    </Tool>
  );
}

const STATE_ACTIONS = { unread: 'Mark as unread', pending: 'Mark as pending', spam: 'Mark as spam' } as const;
