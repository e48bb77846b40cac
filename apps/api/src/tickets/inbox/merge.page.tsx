import type { Ticket } from '#libs/entities';
import type { OtherTicket } from '#libs/tickets';
import { type InboxQuery, inboxPath, ticketPath, toSearchParams } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { Form, HiddenFields } from '../../layers/ui/parts/form.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';

interface MergeProps {
  /** Oldest first. */
  readonly tickets: readonly Ticket[];
  /** Those of the customer of the oldest. */
  readonly others: readonly OtherTicket[];
  readonly back: InboxQuery;
}

export const mergePath = (numbers: readonly number[], back: InboxQuery): string =>
  `/tickets/merge?${new URLSearchParams({ tickets: numbers.join(','), back: toSearchParams(back) })}`;

export function MergePage({ tickets, others, back }: MergeProps) {
  const { number } = tickets[0]!;
  const isChosen = tickets.length > 1;
  const path = isChosen ? inboxPath(back) : ticketPath(number, back);
  return (
    <PageLayout title="Merge tickets" section="/inbox" intro={<a href={path}>← Back</a>} narrow>
      {isChosen ? (
        <Choice tickets={tickets} back={back} />
      ) : (
        <OtherTickets number={number} others={others} back={back} />
      )}
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
          <button name="into" value={ticket.number} {...(place === 0 && { class: 'primary', autofocus: true })}>
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

function OtherTickets({ number, others, back }: Omit<MergeProps, 'tickets'> & { readonly number: number }) {
  return (
    <section class="card stack" aria-labelledby="merge-with">
      <h2 id="merge-with">{`Merge #${number} with`}</h2>
      {others.map((other, place) => (
        <a href={mergePath([number, other.number], back)} autofocus={place === 0} key={other.number}>
          <TicketName ticket={other} />
        </a>
      ))}
      <form action="/tickets/merge" class="row" aria-label="Another ticket">
        <HiddenFields fields={{ tickets: String(number), back: toSearchParams(back) }} />
        <input name="ticket" inputMode="numeric" placeholder="Ticket number" aria-label="Ticket number" required />
        <button type="submit">Continue</button>
      </form>
    </section>
  );
}
