import { MAX_TITLE_CHARACTERS, TICKET_PRIORITIES, type Ticket, manages } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { type InboxQuery, forwardPath, toSearchParams } from '../inbox-query.js';
import { mergePath } from './merge.page.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { DeleteDialog } from '../../layers/ui/parts/dialog.js';
import { ActionButton, Form, HiddenFields, SubmitButton } from '../../layers/ui/parts/form.js';
import { SNOOZE_CHOICES } from './snooze-times.js';

export interface ToolProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
}

/** Excludes the composer, so that the text in it stays. The head and the properties pass it to their forms. */
export const SWAPPED_PARTS = 'folders tickets facts properties thread toasts';

interface TicketButtonProps extends ToolProps {
  readonly action: string;
  readonly label: string;
  readonly class?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

type TicketFormProps = TicketButtonProps & { readonly children: ComponentChildren };

export function TicketForm({ ticket, query, action, fields, children, ...form }: TicketFormProps) {
  return (
    <Form action={`/tickets/${ticket.number}/${action}`} swap="inherited" class="stack" {...form}>
      <HiddenFields fields={{ back: toSearchParams(query), ...fields }} />
      {children}
    </Form>
  );
}

export function TicketButton({ ticket, query, action, fields, ...button }: TicketButtonProps) {
  const to = `/tickets/${ticket.number}/${action}`;
  return <ActionButton to={to} fields={{ back: toSearchParams(query), ...fields }} swap="inherited" {...button} />;
}

interface ToolMenuProps {
  readonly label: ComponentChildren;
  /** For a label without words. */
  readonly name?: string;
  readonly shortcut?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Opening one closes the others, because all have the same name. */
export function Tool({ label, name, shortcut, class: className = 'button slim', children }: ToolMenuProps) {
  return (
    <details class="menu" name="tool" data-tool={shortcut}>
      <summary class={className} aria-label={name} title={name}>
        {label}
      </summary>
      <div class="sheet stack">{children}</div>
    </details>
  );
}

const OTHER_STATES = [
  { state: 'unread', label: 'Set to new' },
  { state: 'pending', label: 'Set to waiting for customer' },
  { state: 'spam', label: 'Mark as spam' },
] as const;

export function MoreMenu(tool: ToolProps) {
  const { me } = usePageContext();
  const { number, state, title } = tool.ticket;
  return (
    <Tool label="⋯" name="More">
      <TicketForm {...tool} action="title" label="Subject">
        <label class="field">
          Subject
          <input name="title" value={title ?? ''} maxLength={MAX_TITLE_CHARACTERS} />
        </label>
        <button type="submit">Save subject</button>
      </TicketForm>
      <hr />
      <TicketForm {...tool} action="state" label="State">
        {OTHER_STATES.filter((other) => other.state !== state).map((other) => (
          <button type="submit" name="state" value={other.state} class="plain" key={other.state}>
            {other.label}
          </button>
        ))}
      </TicketForm>
      <a class="button plain" data-tool="m" href={mergePath([number], tool.query)}>
        Merge…
      </a>
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
      <a class="button plain" href={forwardPath(number, tool.query)} data-tool="f">
        Forward…
      </a>
      {manages(me.role) && (
        <a class="button plain" href={`/settings/events?ticket=${number}`}>
          Events and deliveries
        </a>
      )}
    </Tool>
  );
}

/** With the digits of the shortcut. */
export const PRIORITY_CHOICES = [
  ...TICKET_PRIORITIES.toReversed().map((value, index) => ({ value, label: value, digit: index + 1 })),
  { value: 'none', label: 'no priority', digit: 0 },
];

const TAG_HINT = 'Completes known tags. Press Delete to keep only what you typed.';

export const TagInput = (attributes: Readonly<Record<string, string | boolean>>) => (
  <input name="tags" list="known-tags" title={TAG_HINT} maxLength={100} data-completes {...attributes} />
);

export function Snooze(tool: ToolProps) {
  return (
    <Tool label="Snooze" shortcut="s">
      <TicketForm {...tool} action="snooze" label="Snooze">
        {SNOOZE_CHOICES.map(({ value, label }) => (
          <button type="submit" name="until" value={value} class="plain" key={value}>
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
    </Tool>
  );
}
