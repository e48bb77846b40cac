import type { Customer } from '#libs/entities';
import type { OtherTicket } from '#libs/tickets';
import type { ComponentChildren } from 'preact';
import { type InboxQuery, ticketPath } from '../tickets/index.js';
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
  const custom = Object.entries(customer.custom);
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
      <dl class="facts">
        {CUSTOMER_FIELDS.map(({ property, label }) => {
          const value = customer[property];
          return value && <Fact label={label} value={value} key={property} />;
        })}
        {custom.map(([key, value]) => (
          <Fact {...customFact(key, value)} key={key} />
        ))}
      </dl>
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

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd class="break" dir="auto">
        {value}
      </dd>
    </>
  );
}
