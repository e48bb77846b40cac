import { TICKET_PRIORITIES, manages } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { toSearchParams } from '../../shell/inbox-query.js';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';
import { agentChoices, agentName } from '../../ui/agent-name.js';
import { usePageContext } from '../../ui/page-context.js';
import { ConfirmDialog } from '../../ui/parts/dialog.js';
import { LabelledSelect, toChoices } from '../../ui/parts/fields.js';
import { PriorityPill } from '../../ui/parts/indicators.js';
import { SNOOZE_CHOICES } from './snooze-times.js';
import { TicketButton, TicketForm, type ToolProps } from './ticket-form.js';

interface ToolMenuProps {
  readonly label: ComponentChildren;
  readonly shortcut?: string;
  readonly children: ComponentChildren;
}

/** Opening one closes the others, because all have the same name. */
function Tool({ label, shortcut, children }: ToolMenuProps) {
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
  const owner = [assignee && agentName(assignee), assignedGroup?.name].filter(Boolean).join(' · ');
  return (
    <Tool label={owner ? `Assigned to ${owner}` : 'Assign'} shortcut="a">
      <div class="stack">
        <TicketForm ticket={ticket} query={query} action="assign" label="Assign">
          <LabelledSelect
            label="Agent"
            name="assignee"
            choices={[{ value: 'unassigned', label: 'Nobody' }, ...agentChoices(choices.agents)]}
            chosen={assignee?.email ?? 'unassigned'}
          />
          <LabelledSelect
            label="Group"
            name="assigned_group"
            choices={[{ value: 'none', label: 'None' }, ...toChoices(choices.groups)]}
            chosen={assignedGroup?.name ?? 'none'}
          />
          <button type="submit" class="primary">
            Assign
          </button>
        </TicketForm>
        {assignee?.id !== me.agentId && (
          <TicketButton
            ticket={ticket}
            query={query}
            action="assign"
            label="Assign to me"
            fields={{ assignee: me.email, assigned_group: assignedGroup?.name ?? 'none' }}
          />
        )}
      </div>
    </Tool>
  );
}

export function Priority({ ticket, query }: ToolProps) {
  const { priority } = ticket;
  return (
    <Tool label={priority ? <PriorityPill priority={priority} /> : 'Priority'} shortcut="p">
      <TicketForm ticket={ticket} query={query} action="priority" label="Priority">
        {TICKET_PRIORITIES.toReversed().map((value) => (
          <button type="submit" name="priority" value={value} aria-pressed={value === priority} key={value}>
            {value}
          </button>
        ))}
        <button type="submit" name="priority" value="none" aria-pressed={priority === null}>
          no priority
        </button>
      </TicketForm>
    </Tool>
  );
}

export function Move({ ticket, query, choices }: ToolProps & { choices: TicketChoices }) {
  return (
    <Tool label={`In ${ticket.mailbox.name}`} shortcut="v">
      <TicketForm ticket={ticket} query={query} action="move" label="Move">
        <LabelledSelect
          label="Mailbox"
          name="mailbox"
          choices={toChoices(choices.mailboxes)}
          chosen={ticket.mailbox.name}
        />
        <button type="submit" class="primary">
          Move
        </button>
      </TicketForm>
    </Tool>
  );
}

export function MoreMenu({ ticket, query }: ToolProps) {
  const { me } = usePageContext();
  const { number, state, title } = ticket;
  return (
    <Tool label="More">
      <div class="stack">
        <TicketForm ticket={ticket} query={query} action="title" label="Subject">
          <label class="field">
            Subject
            <input name="title" value={title ?? ''} maxLength={500} />
          </label>
          <button type="submit">Save subject</button>
        </TicketForm>
        <hr />
        {(['unread', 'pending', 'spam'] as const)
          .filter((other) => other !== state)
          .map((other) => (
            <TicketButton
              ticket={ticket}
              query={query}
              action="state"
              label={STATE_ACTIONS[other]}
              class="plain"
              fields={{ state: other }}
              key={other}
            />
          ))}
        <ConfirmDialog
          id="delete-ticket"
          openerClass="plain danger"
          title={`Delete ticket #${number}?`}
          action={`/tickets/${number}/delete`}
          fields={{ back: toSearchParams(query) }}
          verb="Delete"
          what="ticket"
        >
          <p>It moves to the Deleted folder. After 30 days it is deleted permanently.</p>
        </ConfirmDialog>
        {manages(me.role) && <a href={`/settings/events?ticket=${number}`}>Events and deliveries</a>}
      </div>
    </Tool>
  );
}

const STATE_ACTIONS = { unread: 'Mark as unread', pending: 'Mark as pending', spam: 'Mark as spam' } as const;

export function Snooze({ ticket, query }: ToolProps) {
  return (
    <Tool label="Snooze">
      <div class="stack">
        <TicketForm ticket={ticket} query={query} action="snooze" label="Snooze">
          {SNOOZE_CHOICES.map(({ value, label }) => (
            <button type="submit" name="until" value={value} key={value}>
              {label}
            </button>
          ))}
        </TicketForm>
        <hr />
        <TicketForm ticket={ticket} query={query} action="snooze" label="Snooze until a time">
          <label class="field">
            Until
            <input type="datetime-local" name="until" required />
          </label>
          <button type="submit" class="primary">
            Snooze
          </button>
        </TicketForm>
      </div>
    </Tool>
  );
}
