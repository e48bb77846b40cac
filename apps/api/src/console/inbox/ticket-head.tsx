import { TICKET_PRIORITIES, type Ticket } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { useFrame } from '../../pages/frame.js';
import { Confirm } from '../../pages/parts/dialog.js';
import { Action, Form, Hidden, Options } from '../../pages/parts/form.js';
import { PriorityPill, TicketStatePill } from '../../pages/parts/marks.js';
import type { Choices } from './choices.js';
import { agentChoices, agentName, same } from './filters.js';
import { type InboxQuery, listPath, searchOf } from './inbox-query.js';
import { SWAP, Tags } from './ticket-tags.js';

interface TicketHeadProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
  readonly choices: Choices;
}

export function TicketHead({ ticket, query, choices }: TicketHeadProps) {
  const { number, title } = ticket;
  return (
    <header class="ticket-head" id="facts" data-live>
      <div class="row">
        <a class="button slim back" href={listPath(query)}>
          ← List
        </a>
        <h1 class="break">{title ?? '(no subject)'}</h1>
        <span class="quiet">#{number}</span>
        <TicketStatePill state={ticket.state} />
      </div>
      <div class="ticket-tools">
        {ticket.deletedAt ? (
          <Restore ticket={ticket} query={query} />
        ) : (
          <>
            <Assign ticket={ticket} query={query} choices={choices} />
            <Priority ticket={ticket} query={query} />
            <Move ticket={ticket} query={query} choices={choices} />
            <StateButtons ticket={ticket} query={query} />
            <More ticket={ticket} query={query} />
          </>
        )}
      </div>
      <Tags ticket={ticket} query={query} />
    </header>
  );
}

interface ToolProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
}

/** A sheet that the browser opens and closes; the same name means that opening one closes the other. */
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

function Assign({ ticket, query, choices }: ToolProps & { choices: Choices }) {
  const { me } = useFrame();
  const { assignee, assignedGroup } = ticket;
  const to = `/tickets/${ticket.number}/assign`;
  const owner = [assignee && agentName(assignee), assignedGroup?.name].filter(Boolean).join(' · ');
  return (
    <Tool label={owner ? `Assigned to ${owner}` : 'Assign'} shortcut="a">
      <div class="stack">
        <Form action={to} swap={SWAP} class="stack" label="Assign">
          <Hidden fields={{ back: searchOf(query) }} />
          <label class="field">
            Agent
            <select name="assignee">
              <Options
                choices={[{ value: 'unassigned', label: 'Nobody' }, ...agentChoices(choices.agents)]}
                chosen={assignee?.email ?? 'unassigned'}
              />
            </select>
          </label>
          <label class="field">
            Group
            <select name="assigned_group">
              <Options
                choices={[{ value: 'none', label: 'None' }, ...same(choices.groups)]}
                chosen={assignedGroup?.name ?? 'none'}
              />
            </select>
          </label>
          <button type="submit" class="primary">
            Assign
          </button>
        </Form>
        {assignee?.id !== me.agentId && (
          <Action
            to={to}
            swap={SWAP}
            label="Assign to me"
            fields={{ back: searchOf(query), assignee: me.email, assigned_group: assignedGroup?.name ?? 'none' }}
          />
        )}
      </div>
    </Tool>
  );
}

function Priority({ ticket, query }: ToolProps) {
  const { priority, number } = ticket;
  return (
    <Tool label={priority ? <PriorityPill priority={priority} /> : 'Priority'} shortcut="p">
      <Form action={`/tickets/${number}/priority`} swap={SWAP} class="stack" label="Priority">
        <Hidden fields={{ back: searchOf(query) }} />
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

function Move({ ticket, query, choices }: ToolProps & { choices: Choices }) {
  return (
    <Tool label={`In ${ticket.mailbox.name}`} shortcut="v">
      <Form action={`/tickets/${ticket.number}/move`} swap={SWAP} class="stack" label="Move">
        <Hidden fields={{ back: searchOf(query) }} />
        <label class="field">
          Mailbox
          <select name="mailbox">
            <Options choices={same(choices.mailboxes)} chosen={ticket.mailbox.name} />
          </select>
        </label>
        <button type="submit" class="primary">
          Move
        </button>
      </Form>
    </Tool>
  );
}

/** All that can be done to a deleted ticket. */
function Restore({ ticket, query }: ToolProps) {
  return (
    <>
      <Action
        to={`/tickets/${ticket.number}/restore`}
        label="Restore"
        class="slim"
        fields={{ back: searchOf(query) }}
      />
      <span class="quiet small">Deleted. It is kept for 30 days, and nothing can be changed until it is restored.</span>
    </>
  );
}

function StateButtons({ ticket, query }: ToolProps) {
  const { state, number } = ticket;
  const to = `/tickets/${number}/state`;
  const back = searchOf(query);
  return (
    <>
      {state === 'closed' || state === 'spam' ? (
        <Action to={to} label="Re-open" class="slim" fields={{ back, state: 'opened' }} swap={SWAP} />
      ) : (
        <Action to={to} label="Close" class="slim" fields={{ back, state: 'closed' }} swap={SWAP} />
      )}
    </>
  );
}

function More({ ticket, query }: ToolProps) {
  const { number, state, title } = ticket;
  const back = searchOf(query);
  return (
    <Tool label="More">
      <div class="stack">
        <Form action={`/tickets/${number}/title`} swap={SWAP} class="stack" label="Subject">
          <Hidden fields={{ back }} />
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
            <Action
              to={`/tickets/${number}/state`}
              label={STATE_DEEDS[other]}
              class="plain"
              fields={{ back, state: other }}
              swap={SWAP}
              key={other}
            />
          ))}
        <Confirm
          id="delete-ticket"
          opener="Delete…"
          openerClass="plain danger"
          title={`Delete ticket #${number}?`}
          action={`/tickets/${number}/delete`}
          fields={{ back }}
          confirm="Delete ticket"
        >
          <p>It goes to the folder Deleted. It can be restored there for 30 days; then it is gone for good.</p>
        </Confirm>
      </div>
    </Tool>
  );
}

const STATE_DEEDS = { unread: 'Mark as unread', pending: 'Mark as pending', spam: 'Mark as spam' } as const;
