import { MAX_TITLE_CHARACTERS, TICKET_PRIORITIES, type Ticket, manages } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { type InboxQuery, toSearchParams } from '../inbox-query.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices, agentName } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { DeleteDialog } from '../../layers/ui/parts/dialog.js';
import { LabelledSelect, toChoices } from '../../layers/ui/parts/fields.js';
import { ActionButton, Form, HiddenFields, SubmitButton } from '../../layers/ui/parts/form.js';
import { PriorityPill } from '../../layers/ui/parts/indicators.js';
import { SNOOZE_CHOICES } from './snooze-times.js';

export interface ToolProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
}

/** Excludes the composer, so that the text in it stays. */
const SWAPPED_PARTS = 'folders tickets facts thread toasts';

interface TicketFormProps extends ToolProps {
  readonly action: string;
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function TicketForm({ ticket, query, action, children, class: className = 'stack', label }: TicketFormProps) {
  return (
    <Form action={`/tickets/${ticket.number}/${action}`} swap={SWAPPED_PARTS} class={className} label={label}>
      <HiddenFields fields={{ back: toSearchParams(query) }} />
      {children}
    </Form>
  );
}

interface TicketButtonProps extends ToolProps {
  readonly action: string;
  readonly label: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly title?: string;
}

export function TicketButton({ ticket, query, action, fields, ...button }: TicketButtonProps) {
  const to = `/tickets/${ticket.number}/${action}`;
  return <ActionButton to={to} fields={{ back: toSearchParams(query), ...fields }} swap={SWAPPED_PARTS} {...button} />;
}

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

export function Assign({ choices, ...tool }: ToolProps & { choices: TicketChoices }) {
  const { me } = usePageContext();
  const { assignee, assignedGroup } = tool.ticket;
  const owner = [assignee && agentName(assignee), assignedGroup?.name].filter(Boolean).join(' · ');
  const agents = [{ value: 'unassigned', label: 'Unassigned' }, ...agentChoices(choices.agents)];
  const groups = [{ value: 'none', label: 'None' }, ...toChoices(choices.groups)];
  const group = assignedGroup?.name ?? 'none';
  const toMe = { assignee: me.email, assigned_group: group };
  return (
    <Tool label={owner ? `Assigned to ${owner}` : 'Assign'} shortcut="a">
      <div class="stack">
        <TicketForm {...tool} action="assign" label="Assign">
          <LabelledSelect label="Agent" name="assignee" choices={agents} chosen={assignee?.email ?? 'unassigned'} />
          <LabelledSelect label="Group" name="assigned_group" choices={groups} chosen={group} />
          <SubmitButton>Assign</SubmitButton>
        </TicketForm>
        {assignee?.id !== me.agentId && (
          <TicketForm {...tool} action="assign" label="Assign to me">
            <HiddenFields fields={toMe} />
            <button type="submit" data-assign-me>
              Assign to me
            </button>
          </TicketForm>
        )}
      </div>
    </Tool>
  );
}

export function Priority(tool: ToolProps) {
  const { priority } = tool.ticket;
  return (
    <Tool label={priority ? <PriorityPill priority={priority} /> : 'Priority'} shortcut="p">
      <TicketForm {...tool} action="priority" label="Priority">
        {TICKET_PRIORITIES.toReversed().map((value, index) => (
          <button
            type="submit"
            name="priority"
            value={value}
            aria-pressed={value === priority}
            data-digit={index + 1}
            key={value}
          >
            {value}
          </button>
        ))}
        <button type="submit" name="priority" value="none" aria-pressed={priority === null} data-digit={0}>
          no priority
        </button>
      </TicketForm>
    </Tool>
  );
}

export function Move({ choices, ...tool }: ToolProps & { choices: TicketChoices }) {
  const { name } = tool.ticket.mailbox;
  return (
    <Tool label={`Mailbox: ${name}`} shortcut="v">
      <TicketForm {...tool} action="move" label="Move">
        <LabelledSelect label="Mailbox" name="mailbox" choices={toChoices(choices.mailboxes)} chosen={name} />
        <SubmitButton>Move</SubmitButton>
      </TicketForm>
    </Tool>
  );
}

export function MoreMenu(tool: ToolProps) {
  const { me } = usePageContext();
  const { number, state, title } = tool.ticket;
  const states = (['unread', 'pending', 'spam'] as const).filter((other) => other !== state);
  return (
    <Tool label="More">
      <div class="stack">
        <TicketForm {...tool} action="title" label="Subject">
          <label class="field">
            Subject
            <input name="title" value={title ?? ''} maxLength={MAX_TITLE_CHARACTERS} />
          </label>
          <button type="submit">Save subject</button>
        </TicketForm>
        <hr />
        {states.map((other) => (
          <TicketButton
            {...tool}
            action="state"
            label={
              other === 'pending' ? 'Set to waiting for customer' : `Mark as ${other === 'unread' ? 'new' : other}`
            }
            class="plain"
            fields={{ state: other }}
            key={other}
          />
        ))}
        <DeleteDialog
          id="delete-ticket"
          openerClass="plain danger"
          name={`ticket #${number}`}
          path={`/tickets/${number}`}
          fields={{ back: toSearchParams(tool.query) }}
          what="ticket"
        >
          <p>It moves to the Deleted folder. After 30 days it is deleted permanently.</p>
        </DeleteDialog>
        {manages(me.role) && <a href={`/settings/events?ticket=${number}`}>Events and deliveries</a>}
      </div>
    </Tool>
  );
}

export function Snooze(tool: ToolProps) {
  return (
    <Tool label="Snooze" shortcut="s">
      <div class="stack">
        <TicketForm {...tool} action="snooze" label="Snooze">
          {SNOOZE_CHOICES.map(({ value, label }) => (
            <button type="submit" name="until" value={value} key={value}>
              {label}
            </button>
          ))}
        </TicketForm>
        <hr />
        <TicketForm {...tool} action="snooze" label="Snooze until a time">
          <label class="field">
            Until
            <input type="datetime-local" name="until" required />
          </label>
          <SubmitButton>Snooze</SubmitButton>
        </TicketForm>
      </div>
    </Tool>
  );
}
