import type { Ticket } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { type InboxQuery, toSearchParams } from '../../shell/inbox-query.js';
import { ActionButton, Form, HiddenFields } from '../../ui/parts/form.js';

/** Excludes the composer, so that the text in it stays. */
const SWAPPED_PARTS = 'folders tickets facts thread toasts';

export interface ToolProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
}

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
  readonly fields: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly title?: string;
}

export function TicketButton({ ticket, query, action, fields, ...button }: TicketButtonProps) {
  const back = toSearchParams(query);
  return (
    <ActionButton
      to={`/tickets/${ticket.number}/${action}`}
      fields={{ back, ...fields }}
      swap={SWAPPED_PARTS}
      {...button}
    />
  );
}
