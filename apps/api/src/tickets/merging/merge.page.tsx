import type { Ticket } from '#libs/entities';
import type { OtherTicket } from '#libs/tickets';
import { type InboxQuery, inboxPath, ticketPath, toSearchParams } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { Form, HiddenFields } from '../../layers/ui/parts/form.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';

interface MergeProps {
  /** Oldest first. */
  readonly tickets: readonly Ticket[];
  /** The customer's other tickets, if there is one ticket. */
  readonly others: readonly OtherTicket[];
  readonly back: InboxQuery;
}

export const mergePath = (numbers: readonly number[], back: InboxQuery): string =>
  `/tickets/merge?${new URLSearchParams({ tickets: numbers.join(','), back: toSearchParams(back) })}`;

export function MergePage({ tickets, others, back }: MergeProps) {
  const [first, second] = tickets;
  const path = first && !second ? ticketPath(first.number, back) : inboxPath(back);
  return (
    <PageLayout title="Merge tickets" section="/inbox" intro={<a href={path}>← Back</a>} narrow>
      {second && <Choice tickets={tickets} back={back} />}
      {first && !second && <OtherTickets ticket={first} others={others} back={back} />}
      {!first && <EmptyState title="No tickets" text="Select the tickets to merge in the inbox." />}
    </PageLayout>
  );
}

/** Any of the tickets can stay. The button of the oldest has the focus. */
function Choice({ tickets, back }: Omit<MergeProps, 'others'>) {
  const emails = [...new Set(tickets.map(({ customer }) => customer.email))];
  const numbers = tickets.map(({ number }) => number).join(',');
  return (
    <Form action="/tickets/bulk" class="stack" label="Ticket that stays">
      <HiddenFields fields={{ back: toSearchParams(back), do: 'merge', tickets: numbers }} />
      <p>Choose the ticket that gets the messages of all. The other numbers will lead to it.</p>
      {tickets.map((ticket, place) => (
        <div class="card row apart" key={ticket.number}>
          <div>
            <TicketName ticket={ticket} />
            <span class="quiet small block">
              <bdi>{ticket.customer.name() ?? ticket.customer.email}</bdi>
              {` · ${ticket.messageCount === 1 ? '1 message' : `${ticket.messageCount} messages`} · `}
              <RelativeTime at={ticket.createdAt} />
            </span>
            {emails.length > 1 && (
              <span class="small block">
                {`In copy: ${emails.filter((email) => email !== ticket.customer.email).join(', ')}`}
              </span>
            )}
          </div>
          <button
            type="submit"
            name="into"
            value={ticket.number}
            class={place === 0 ? 'primary' : ''}
            autofocus={place === 0}
          >
            {`Merge into #${ticket.number}`}
          </button>
        </div>
      ))}
    </Form>
  );
}

const TicketName = ({ ticket: { number, title, summary } }: { readonly ticket: OtherTicket }) => (
  <>
    {`#${number} `}
    <bdi>{title ?? summary}</bdi>
  </>
);

function OtherTickets({ ticket, others, back }: Omit<MergeProps, 'tickets'> & { readonly ticket: Ticket }) {
  return (
    <section class="card stack" aria-labelledby="merge-with">
      <h2 id="merge-with">{`Merge #${ticket.number} with`}</h2>
      {others.map((other, place) => (
        <a href={mergePath([ticket.number, other.number], back)} autofocus={place === 0} key={other.number}>
          <TicketName ticket={other} />
        </a>
      ))}
      <form action="/tickets/merge" class="row" aria-label="Another ticket">
        <HiddenFields fields={{ tickets: String(ticket.number), back: toSearchParams(back) }} />
        <input name="ticket" inputMode="numeric" placeholder="Ticket number" aria-label="Ticket number" required />
        <button type="submit">Continue</button>
      </form>
    </section>
  );
}
