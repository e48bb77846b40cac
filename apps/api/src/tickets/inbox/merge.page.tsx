import type { Ticket } from '#libs/entities';
import type { OtherTicket } from '#libs/tickets';
import { type InboxQuery, inboxPath, ticketPath, toSearchParams } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { Form, HiddenFields } from '../../layers/ui/parts/form.js';
import { NoticeBox, TicketStatePill } from '../../layers/ui/parts/indicators.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';

interface MergeProps {
  /** Oldest first. */
  readonly tickets: readonly Ticket[];
  /** Those of the customer of the oldest. */
  readonly others: readonly OtherTicket[];
  /** The number that the agent typed, if it names no other ticket. */
  readonly unknown: string;
  readonly back: InboxQuery;
}

export const mergePath = (numbers: readonly number[], back: InboxQuery): string =>
  `/tickets/merge?${new URLSearchParams({ tickets: numbers.join(','), back: toSearchParams(back) })}`;

export function MergePage({ tickets, others, unknown, back }: MergeProps) {
  const { number } = tickets[0]!;
  const isChosen = tickets.length > 1;
  const path = isChosen ? inboxPath(back) : ticketPath(number, back);
  return (
    <PageLayout title="Merge tickets" section="/inbox" intro={<a href={path}>← Back</a>} narrow>
      {isChosen ? (
        <Choice tickets={tickets} back={back} />
      ) : (
        <OtherTickets number={number} others={others} unknown={unknown} back={back} />
      )}
    </PageLayout>
  );
}

/** Any of the tickets can stay. The button of the oldest has the focus. */
function Choice({ tickets, back }: Pick<MergeProps, 'tickets' | 'back'>) {
  const emails = [...new Set(tickets.map(({ customer }) => customer.email))];
  const numbers = tickets.map(({ number }) => number).join(',');
  const othersOf = ({ customer }: Ticket) => emails.filter((email) => email !== customer.email).join(', ');
  return (
    <Form action="/tickets/bulk" class="stack" label="Ticket that stays">
      <HiddenFields fields={{ back: toSearchParams(back), do: 'merge', tickets: numbers }} />
      <p>Choose the ticket to keep. The others are merged into it, and their numbers will open it.</p>
      {tickets.map((ticket, place) => (
        <div class="card row apart" key={ticket.number}>
          <div>
            <TicketName ticket={ticket} /> <TicketStatePill state={ticket.state} />
            <span class="quiet small block">
              <bdi>{ticket.customer.name() ?? ticket.customer.email}</bdi>
              {` · ${ticket.messageCount === 1 ? '1 message' : `${ticket.messageCount} messages`} · `}
              <RelativeTime at={ticket.createdAt} />
            </span>
            {emails.length > 1 && (
              <span class="small block">
                {`Replies will also go to ${othersOf(ticket)}, the other customer${emails.length > 2 ? 's' : ''}. Drafts and waiting replies of the merged ticket become note drafts.`}
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

function OtherTickets({ number, others, unknown, back }: Omit<MergeProps, 'tickets'> & { readonly number: number }) {
  const startsInField = unknown !== '' || others.length === 0;
  return (
    <section class="card stack" aria-labelledby="merge-with">
      <h2 id="merge-with">{`Merge #${number} with`}</h2>
      {others.map((other, place) => (
        <div class="row apart" key={other.number}>
          <a href={mergePath([number, other.number], back)} autofocus={place === 0 && !startsInField}>
            <TicketName ticket={other} />
          </a>
          <TicketStatePill state={other.state} />
        </div>
      ))}
      {unknown && <NoticeBox tone="bad">{`No other ticket has the number “${unknown}”.`}</NoticeBox>}
      <form action="/tickets/merge" class="row" aria-label="Another ticket">
        <HiddenFields fields={{ tickets: String(number), back: toSearchParams(back) }} />
        <input
          name="ticket"
          inputMode="numeric"
          placeholder="Ticket number"
          aria-label="Ticket number"
          value={unknown}
          autofocus={startsInField}
          required
        />
        <button type="submit">Continue</button>
      </form>
    </section>
  );
}
