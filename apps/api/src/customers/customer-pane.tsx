import type { Customer } from '#libs/entities';
import type { OtherTicket } from '#libs/tickets';
import type { ComponentChildren } from 'preact';
import { type InboxQuery, ticketPath } from '../tickets/index.js';
import { Facts } from '../layers/ui/parts/facts.js';
import { Avatar, TicketStatePill } from '../layers/ui/parts/indicators.js';
import { CUSTOMER_FIELDS, customFact, customerPath } from './customer-form.js';

interface CustomerPaneProps {
  readonly customer: Customer;
  readonly otherTickets: readonly OtherTicket[];
  readonly query: InboxQuery;
  /** A menu beside the name. */
  readonly children: ComponentChildren;
}

export function CustomerPane({ customer, otherTickets, query, children }: CustomerPaneProps) {
  const name = customer.name() ?? customer.email;
  const fields = CUSTOMER_FIELDS.map(({ property, label }) => [label, customer[property]] as const);
  return (
    <section class="customer stack" aria-label="Customer">
      <div class="row nowrap">
        <Avatar name={name} large />
        <div class="clip">
          <h2 class="clip">
            <a href={customerPath(customer.email)}>{name}</a>
          </h2>
          <p class="quiet small clip">{customer.email}</p>
        </div>
        {children}
      </div>
      <Facts of={[...fields, ...Object.entries(customer.custom).map(customFact)]} />
      <section class="other-tickets" aria-labelledby="other-tickets">
        <h3 id="other-tickets">Other tickets</h3>
        {otherTickets.length === 0 && <p class="quiet small">No other tickets.</p>}
        <ul>
          {otherTickets.map((ticket) => (
            <li key={ticket.number}>
              <a href={ticketPath(ticket.number, query)}>
                <span class="clip block" dir="auto">
                  {ticket.title ?? ticket.summary}
                </span>
                <span class="row small quiet">
                  #{ticket.number} <TicketStatePill state={ticket.state} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </section>
  );
}
